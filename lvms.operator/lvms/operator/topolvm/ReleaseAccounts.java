package lvms.operator.topolvm;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.Types;
import lvms.operator.uninstall.Item;
import lvms.operator.uninstall.Reads;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The accounts and rights of a release in a namespace that our chart does not have. */
public record ReleaseAccounts(Reads reads, String namespace) {
    /** Names of the rights of csi-provisioner, csi-resizer and csi-snapshotter. */
    private static final Pattern OF_SIDECARS =
            Pattern.compile(
                    ".*-external-(provisioner|resizer|snapshotter)-runner"
                            + "|.*-csi-(provisioner|resizer|snapshotter)-role"
                            + "|external-resizer-cfg|csi-resizer-role-cfg"
                            + "|external-snapshotter-leaderelection");

    private static final Pattern OF_LVMD = Pattern.compile(".*-lvmd");

    /** Returns what lets the sidecars work. */
    public List<Item> ofSidecars() throws ApiException, InterruptedException {
        var inside = ListOptions.all().namespace(namespace);
        var found = new ArrayList<Item>();
        for (var type : List.of(Types.CLUSTER_ROLE, Types.CLUSTER_ROLE_BINDING)) {
            found.addAll(reads.list(type));
        }
        for (var type : List.of(Types.ROLE, Types.ROLE_BINDING)) {
            found.addAll(reads.list(type, inside));
        }
        return ofTheRelease(found, OF_SIDECARS);
    }

    public List<Item> ofLvmd() throws ApiException, InterruptedException {
        var accounts = reads.list(Types.SERVICE_ACCOUNT, ListOptions.all().namespace(namespace));
        return ofTheRelease(accounts, OF_LVMD);
    }

    private List<Item> ofTheRelease(List<Item> items, Pattern name) {
        return items.stream()
                .filter(item -> name.matcher(item.name()).matches())
                .filter(
                        item ->
                                item.object()
                                        .annotation(HelmRelease.NAMESPACE)
                                        .filter(namespace::equals)
                                        .isPresent())
                .toList();
    }
}
