package lvms.operator.takeover;

import lvms.api.Names;
import lvms.k8s.admission.WebhookConfiguration;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.operator.uninstall.Item;
import lvms.operator.uninstall.Reads;
import lvms.operator.unit.AgentDaemonSet;

import java.util.ArrayList;
import java.util.List;

/**
 * What runs of LVMS, and what calls it.
 *
 * @param reads asks the server
 * @param namespace where it runs
 */
record LvmsWorkloads(Reads reads, String namespace) {
    /** Deployments that provision, the present one first, then those up to 4.15. */
    private static final List<String> CONTROLLERS = List.of(Names.OPERATOR, "topolvm-controller");

    /** DaemonSets up to 4.15; early designs had an lvmd of its own. */
    private static final List<String> NODE_PARTS = List.of("topolvm-node", "topolvm-lvmd", "lvmd");

    private static final List<String> ACCOUNTS = List.of(Names.OPERATOR, Names.VG_MANAGER);

    List<Part> parts() throws ApiException, InterruptedException {
        var parts = new ArrayList<Part>();
        for (var name : CONTROLLERS) {
            add(parts, Types.DEPLOYMENT, name, Fate.REMOVED, "stopped first: ours has its place");
        }
        webhooks(parts);
        for (var name : NODE_PARTS) {
            add(parts, Types.DAEMON_SET, name, Fate.REMOVED, "vg-manager does its work");
        }
        agents(parts);
        add(
                parts,
                Types.LEASE,
                Names.OPERATOR_LEASE,
                Fate.ENDED,
                "its holder has ended, ours need not wait");
        for (var name : ACCOUNTS) {
            add(
                    parts,
                    Types.SERVICE_ACCOUNT,
                    name,
                    Fate.CHANGED,
                    "the manifests let only pods that ask for it have its token");
        }
        return parts;
    }

    private void add(List<Part> parts, ResourceType type, String name, Fate fate, String why)
            throws ApiException, InterruptedException {
        for (var item : reads.named(type, ObjectKey.of(namespace, name))) {
            boolean ours =
                    type == Types.DEPLOYMENT && Program.of(item.object()) == Program.OURS
                            || type == Types.LEASE && operatorIsOurs();
            if (!ours && !isOfOthers(item)) {
                parts.add(new Part(item, fate, why));
            }
        }
    }

    /** Helm installs TopoLVM under these names; an lvmd may be anybody's. */
    private static boolean isOfOthers(Item item) {
        return item.object()
                        .label("app.kubernetes.io/managed-by")
                        .filter("Helm"::equals)
                        .isPresent()
                || item.name().endsWith("lvmd")
                        && !Provenance.isOwnedByAnLvmCluster(item.object())
                        && !Provenance.isOfAnLvmCluster(item.object());
    }

    private boolean operatorIsOurs() throws ApiException, InterruptedException {
        return reads.find(Types.DEPLOYMENT, ObjectKey.of(namespace, Names.OPERATOR))
                .filter(deployment -> Program.of(deployment) == Program.OURS)
                .isPresent();
    }

    private void agents(List<Part> parts) throws ApiException, InterruptedException {
        for (var item : reads.named(Types.DAEMON_SET, ObjectKey.of(namespace, Names.VG_MANAGER))) {
            if (Program.of(item.object()) == Program.OURS) {
                continue;
            }
            boolean fits =
                    item.object()
                            .textMap("spec", "selector", "matchLabels")
                            .equals(AgentDaemonSet.LABELS);
            parts.add(
                    fits
                            ? new Part(
                                    item,
                                    Fate.CHANGED,
                                    "our operator changes it in place, one node after the other")
                            : new Part(
                                    item,
                                    Fate.REMOVED,
                                    "its selector is another one, so our operator makes a new"
                                            + " one"));
        }
    }

    /** Whoever is asked of each LVMCluster. OLM gives these names of its own. */
    private void webhooks(List<Part> parts) throws ApiException, InterruptedException {
        for (var type :
                List.of(
                        WebhookConfiguration.mutating("").type(),
                        WebhookConfiguration.validating("").type())) {
            for (var item : reads.list(type, ListOptions.all())) {
                if (!Provenance.isOfOurManifests(item.object()) && asksUs(item.object())) {
                    parts.add(
                            new Part(
                                    item,
                                    Fate.REMOVED,
                                    "no server would answer it, and every write would fail"));
                }
            }
        }
    }

    private boolean asksUs(KubeObject configuration) {
        var webhooks = configuration.objects("webhooks");
        return !webhooks.isEmpty()
                && webhooks.stream()
                        .map(webhook -> webhook.object("clientConfig", "service"))
                        .allMatch(
                                service ->
                                        service.flatMap(s -> s.text("namespace"))
                                                        .filter(namespace::equals)
                                                        .isPresent()
                                                && service.flatMap(s -> s.text("name"))
                                                        .filter(name -> name.startsWith("lvms-"))
                                                        .isPresent());
    }
}
