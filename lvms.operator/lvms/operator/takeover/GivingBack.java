package lvms.operator.takeover;

import lvms.api.LvmCluster;
import lvms.api.Names;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.ListOptions;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.tree.Tree;
import lvms.operator.uninstall.Item;
import lvms.operator.uninstall.Manifests;
import lvms.operator.uninstall.Reads;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What giving the place back does, in order: our operator ends, the predecessor's comes back and
 * changes the node part in place, and what our manifests brought goes.
 *
 * @param record what was there before
 */
record GivingBack(Reads reads, Predecessor system, String namespace, TakeoverRecord record) {
    private static final Set<ResourceType> RIGHTS =
            Set.of(
                    Types.ROLE,
                    Types.ROLE_BINDING,
                    Types.CLUSTER_ROLE,
                    Types.CLUSTER_ROLE_BINDING,
                    Types.NETWORK_POLICY);

    Agenda agenda() throws ApiException, InterruptedException {
        var obstacles = new ArrayList<String>();
        if (!record.system().equals(system.name())) {
            obstacles.add("the place was taken from " + record.system());
        }
        var returning = system.returning(reads, namespace);
        obstacles.addAll(returning.obstacles());
        var steps = new ArrayList<Step>();
        stopOurs(steps);
        steps.addAll(returning.steps());
        bringBack(steps);
        forget(steps);
        return new Agenda(
                obstacles,
                record.items().stream().map(item -> "comes back " + item.text()).toList(),
                notes(returning.notes()),
                steps);
    }

    private List<String> notes(List<String> more) throws ApiException, InterruptedException {
        var notes = new ArrayList<>(more);
        for (var item : reads.list(LvmCluster.TYPE, ListOptions.all().namespace(namespace))) {
            for (var field : system.unknownFields(item.object())) {
                notes.add(item.text() + ": " + system.name() + " drops " + field);
            }
        }
        return notes;
    }

    /** The guard goes first: it would keep the other operator from its work. */
    private void stopOurs(List<Step> steps) throws ApiException, InterruptedException {
        for (var entry : Manifests.everyGuard()) {
            remove(steps, entry.type(), entry.key());
        }
        for (var entry : Manifests.webhooks()) {
            for (var item : reads.named(entry.type(), entry.key())) {
                if (Provenance.isOfOurManifests(item.object())) {
                    steps.add(new Step.Remove("delete " + item.text(), item));
                }
            }
        }
        var operator = ObjectKey.of(namespace, Names.OPERATOR);
        for (var item : reads.named(Types.DEPLOYMENT, operator)) {
            if (Program.of(item.object()) == Program.OURS) {
                steps.add(new Step.Stop("stop " + item.text(), item));
                steps.add(new Step.Remove("delete " + item.text(), item));
            }
        }
        remove(steps, Types.POD_DISRUPTION_BUDGET, operator);
        if (hasNodePart()) {
            for (var item : agents()) {
                if (Program.of(item.object()) == Program.OURS) {
                    steps.add(new Step.Remove("delete " + item.text(), item));
                }
            }
        }
    }

    /** Whether its node part was other objects than ours is, so that both would work at once. */
    private boolean hasNodePart() {
        return system.hasOwnNodePart()
                || record.items().stream().anyMatch(item -> item.type().equals(Types.DAEMON_SET));
    }

    private List<Item> agents() throws ApiException, InterruptedException {
        return reads.named(Types.DAEMON_SET, ObjectKey.of(namespace, Names.VG_MANAGER));
    }

    private void bringBack(List<Step> steps) throws ApiException, InterruptedException {
        for (var item : record.items()) {
            if (item.type().equals(Types.SERVICE_ACCOUNT)) {
                account(steps, item.object());
            }
        }
        var webhooks = new ArrayList<Step>();
        for (var item : system.inOrderOfReturn(record.items())) {
            if (!item.type().equals(Types.SERVICE_ACCOUNT)) {
                var again = record.withoutLostOwners(item);
                var step = new Step.Restore("create " + item.text() + " again", again);
                (item.type().namespaced() ? steps : webhooks).add(step);
            }
        }
        for (var item : record.items()) {
            boolean runs = item.type().equals(Types.DEPLOYMENT) && runs(item.object());
            if (runs && system.awaits(item.object())) {
                steps.add(ready(item));
            }
        }
        steps.addAll(webhooks); // nobody would answer them before
        if (record.items().stream().anyMatch(item -> isOperator(item) && runs(item.object()))) {
            agents().forEach(item -> steps.add(ready(item)));
        }
    }

    private static Step ready(Item item) {
        return new Step.Ready(
                "wait until " + item.text() + " runs the predecessor's program",
                item,
                Program.THEIRS);
    }

    private static boolean isOperator(Item item) {
        return item.type().equals(Types.DEPLOYMENT) && item.name().equals(Names.OPERATOR);
    }

    /** One that was stopped before the take-over stays stopped. */
    private static boolean runs(KubeObject deployment) {
        return deployment.number("spec", "replicas").orElse(1) > 0;
    }

    private void account(List<Step> steps, KubeObject before)
            throws ApiException, InterruptedException {
        for (var item : reads.named(Types.SERVICE_ACCOUNT, before.key())) {
            var token = before.value("automountServiceAccountToken").orElse(Tree.NULL);
            steps.add(
                    new Step.Change(
                            "let the pods of " + item.text() + " have its token as before",
                            item,
                            now -> MergePatch.of(now).set(token, "automountServiceAccountToken")));
        }
    }

    /** What only our manifests have; types, accounts and the namespace are the predecessor's. */
    private void forget(List<Step> steps) throws ApiException, InterruptedException {
        for (var entry : Manifests.installed(namespace)) {
            if (RIGHTS.contains(entry.type())) {
                remove(steps, entry.type(), entry.key());
            }
        }
        remove(steps, Types.CONFIG_MAP, TakeoverRecord.key(namespace));
    }

    private void remove(List<Step> steps, ResourceType type, ObjectKey key)
            throws ApiException, InterruptedException {
        for (var item : reads.named(type, key)) {
            steps.add(new Step.Remove("delete " + item.text(), item));
        }
    }
}
