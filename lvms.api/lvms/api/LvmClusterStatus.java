package lvms.api;

import lvms.api.field.Fields;
import lvms.k8s.object.Condition;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;

import java.util.List;
import java.util.Objects;

/**
 * What the operator reports about an LVMCluster.
 *
 * @param ready whether the state is Ready
 * @param state Progressing, Ready, Failed, Degraded or Unknown; empty before the first report
 * @param conditions conditions {@link Names#CONDITION_RESOURCES} and {@link
 *     Names#CONDITION_VOLUME_GROUPS}
 * @param deviceClasses volume groups of each class on each node; older operators wrote them in any
 *     order, ours sorts by name
 */
public record LvmClusterStatus(
        boolean ready,
        String state,
        List<Condition> conditions,
        List<DeviceClassStatus> deviceClasses) {
    public LvmClusterStatus {
        Objects.requireNonNull(state, "state");
        conditions = List.copyOf(conditions);
        deviceClasses = List.copyOf(deviceClasses);
    }

    /** Reads the JSON form. */
    public static LvmClusterStatus of(ObjectTree tree) {
        var conditions = tree.at("conditions") instanceof ListTree a ? a : ListTree.EMPTY;
        return new LvmClusterStatus(
                Fields.flag(tree, "ready"),
                Fields.text(tree, "state"),
                Condition.listOf(conditions),
                Fields.objects(tree, "deviceClassStatuses", DeviceClassStatus::of));
    }

    public ObjectTree json() {
        var tree = ObjectTree.builder();
        tree.put("ready", ready);
        tree.put("state", state);
        tree.put("conditions", Fields.array(conditions, Condition::json));
        tree.put("deviceClassStatuses", Fields.array(deviceClasses, DeviceClassStatus::json));
        return tree.build();
    }
}
