package lvms.operator.takeover;

import lvms.api.Names;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.operator.agent.AgentConstraints;
import lvms.operator.takeover.proof.AccountRights;
import lvms.operator.uninstall.Item;
import lvms.operator.uninstall.Reads;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What LVMS has besides its workloads, as far as it is provably its own: rights of nobody but its
 * accounts, Services of nobody but its pods.
 *
 * @param reads asks the server
 * @param namespace where it runs
 */
record LvmsLeftOvers(Reads reads, String namespace) {
    private static final ResourceType SERVICE_MONITOR = monitoring("ServiceMonitor");
    private static final ResourceType RULES = monitoring("PrometheusRule");
    private static final Set<String> OLD_ACCOUNTS = Set.of("topolvm-controller", "topolvm-node");
    private static final Set<String> ACCOUNTS =
            Set.of(Names.OPERATOR, Names.VG_MANAGER, "topolvm-controller", "topolvm-node");
    private static final Set<String> SERVICES =
            Set.of(
                    "lvms-webhook-service",
                    "lvms-operator-metrics-service",
                    "vg-manager-metrics-service");
    private static final Set<String> CONSTRAINTS = Set.of("vg-manager", "lvms-topolvm-node");

    /** Bindings, without the prefix that some installers put in front of them. */
    private static final Set<String> BINDINGS =
            Set.of(
                    "manager-rolebinding",
                    "proxy-rolebinding",
                    "leader-election-rolebinding",
                    "vg-manager-rolebinding",
                    "vg-manager-clusterrolebinding",
                    "topolvm-controller",
                    "topolvm-csi-provisioner",
                    "topolvm-csi-resizer",
                    "topolvm-csi-snapshotter",
                    "topolvm-leader-election",
                    "topolvm-node",
                    "topolvm-node-scc");

    private static ResourceType monitoring(String kind) {
        return new ResourceType(
                "monitoring.coreos.com",
                "v1",
                kind,
                kind.toLowerCase(java.util.Locale.ROOT) + "s",
                true);
    }

    List<Part> parts() throws ApiException, InterruptedException {
        var inside = ListOptions.all().namespace(namespace);
        var items = new ArrayList<Item>();
        var rights = new AccountRights(reads, namespace, ACCOUNTS);
        items.addAll(rights.all(name -> BINDINGS.contains(name.replaceFirst("^lvms-", ""))));
        for (var item : reads.list(Types.SERVICE, inside)) {
            if (SERVICES.contains(item.name()) && selectsItsPods(item.object())) {
                items.add(item);
            }
        }
        items.addAll(monitors());
        for (var item : reads.list(AgentConstraints.TYPE)) {
            boolean its = Provenance.isOfAnLvmCluster(item.object()) || rights.areUsers(item);
            if (CONSTRAINTS.contains(item.name()) && its) {
                items.add(item);
            }
        }
        items.removeIf(item -> Provenance.isOfOurManifests(item.object()));
        items.addAll(older());
        return items.stream()
                .map(item -> new Part(item, Fate.LEFT_OVER, "confirm removes it"))
                .toList();
    }

    /** Up to 4.15, under names and for pods that ours have no like of. */
    private List<Item> older() throws ApiException, InterruptedException {
        var items = new ArrayList<Item>();
        for (var item : reads.named(Types.SERVICE, named("topolvm-node-metrics"))) {
            if (isOld(item.object().text("spec", "selector", "app.kubernetes.io/component"))) {
                items.add(item);
            }
        }
        for (var item : reads.named(Types.LEASE, named("topolvm"))) {
            var holder = item.object().text("spec", "holderIdentity").orElse("");
            if (holder.startsWith("topolvm-controller-")) { // the name of its pod
                items.add(item);
            }
        }
        for (var name : OLD_ACCOUNTS) {
            items.addAll(reads.named(Types.SERVICE_ACCOUNT, named(name)));
        }
        return items;
    }

    private ObjectKey named(String name) {
        return ObjectKey.of(namespace, name);
    }

    private static boolean isOld(Optional<String> component) {
        return component.filter(OLD_ACCOUNTS::contains).isPresent();
    }

    private List<Item> monitors() throws ApiException, InterruptedException {
        var items = new ArrayList<Item>();
        items.addAll(
                reads.named(
                        SERVICE_MONITOR, ObjectKey.of(namespace, "lvms-operator-metrics-monitor")));
        items.addAll(reads.named(RULES, ObjectKey.of(namespace, "prometheus-lvmo-rules")));
        return items;
    }

    private static boolean selectsItsPods(KubeObject service) {
        return service.text("spec", "selector", "app.kubernetes.io/name")
                .filter(ACCOUNTS::contains)
                .isPresent();
    }
}
