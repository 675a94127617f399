package lvms.operator.takeover.nativestor;

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
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What nobody needs once NativeStor's programs are gone, as far as it is provably NativeStor's.
 * What its ConfigMaps say stays: the way back needs it, and it harms nobody.
 *
 * @param reads asks the server
 * @param namespace where its operator was
 */
public record StorLeftOvers(Reads reads, String namespace) {
    /** Of all releases; the last one is bound and never existed. */
    private static final Set<String> ACCOUNTS =
            Set.of(
                    "nativestor-operator",
                    "nativestor-discover",
                    "nativestor-preparevg",
                    "nativestor-cleanup",
                    "topolvm-operator",
                    "topolvm-discover",
                    "topolvm-preparevg",
                    "topolvm-controller",
                    "topolvm-node",
                    "rawdevice-plugin",
                    "rawdevice-provisioner",
                    "topolvm-raw-device-provisioner");

    private static final List<String> BINDINGS = List.of("nativestor-", "topolvm-", "rawdevice-");

    /** Services by what they select. */
    private static final Map<String, Map<String, String>> SERVICES =
            Map.of(
                    "nativestor-cluster-metric", Map.of("name", "topolvm-operator"),
                    "node-metric", Map.of("app.kubernetes.io/compose", "node"),
                    "controller", Map.of("app.kubernetes.io/name", "topolvm-controller"));

    /** Finds them. */
    public List<Item> all() throws ApiException, InterruptedException {
        var rights = new AccountRights(reads, namespace, ACCOUNTS);
        var found = new ArrayList<>(rights.all(StorLeftOvers::isBinding));
        for (var account : ACCOUNTS.stream().sorted().toList()) {
            found.addAll(reads.named(Types.SERVICE_ACCOUNT, named(account)));
        }
        for (var item : reads.list(AgentConstraints.TYPE)) {
            if (item.name().equals("topolvm") && rights.areUsers(item)) {
                found.add(item);
            }
        }
        services(found);
        monitoring(found);
        found.addAll(jobs(false));
        leases(found);
        return found;
    }

    private static boolean isBinding(String name) {
        return BINDINGS.stream().anyMatch(name::startsWith);
    }

    private ObjectKey named(String name) {
        return ObjectKey.of(namespace, name);
    }

    private void services(List<Item> found) throws ApiException, InterruptedException {
        for (var item : reads.list(Types.SERVICE, ListOptions.all().namespace(namespace))) {
            var selector = item.object().textMap("spec", "selector");
            if (selector.equals(SERVICES.get(item.name()))) {
                found.add(item);
            }
        }
    }

    /** The rule may be our own one, which has the same name. */
    private void monitoring(List<Item> found) throws ApiException, InterruptedException {
        for (var kind : List.of("ServiceMonitor", "PrometheusRule")) {
            var plural = kind.toLowerCase(Locale.ROOT) + "s";
            var type = new ResourceType("monitoring.coreos.com", "v1", kind, plural, true);
            var name = kind.equals("PrometheusRule") ? "topolvm-alert" : "topolvm-service-monitor";
            reads.named(type, named(name)).stream()
                    .filter(item -> !isOfOurManifests(item.object()))
                    .forEach(found::add);
        }
    }

    private static boolean isOfOurManifests(KubeObject object) {
        return object.label("app.kubernetes.io/part-of")
                .filter("lvms-provisioner"::equals)
                .isPresent();
    }

    /**
     * Finds the Jobs that make or remove volume groups.
     *
     * @param active those that are at work, or those that have ended
     */
    public List<Item> jobs(boolean active) throws ApiException, InterruptedException {
        return reads.list(Types.JOB, ListOptions.all().namespace(namespace)).stream()
                .filter(item -> StorState.isJob(item.object()) && isActive(item) == active)
                .toList();
    }

    static boolean isActive(Item job) {
        return job.object().number("status", "active").orElse(0) > 0;
    }

    /** Those of the sidecars, whose holders are pods of the controllers. */
    private void leases(List<Item> found) throws ApiException, InterruptedException {
        for (var item : reads.list(Types.LEASE, ListOptions.all().namespace(namespace))) {
            var holder = item.object().text("spec", "holderIdentity").orElse("");
            boolean ofDriver =
                    item.name().endsWith("topolvm-cybozu-com")
                            || item.name().endsWith("nativestor-alauda-io");
            if (ofDriver && isController(holder)) {
                found.add(item);
            }
        }
    }

    private static boolean isController(String holder) {
        return holder.contains("topolvm-controller-") || holder.contains("raw-device-provisioner-");
    }
}
