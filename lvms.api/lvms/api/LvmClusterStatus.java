package lvms.api;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;

import lvms.k8s.object.Condition;

import java.util.List;
import java.util.Objects;

/**
 * What the operator reports of an LVMCluster.
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
    public static LvmClusterStatus of(JsonObject tree) {
        var conditions = tree.get("conditions") instanceof JsonArray a ? a : new JsonArray();
        return new LvmClusterStatus(
                Fields.flag(tree, "ready"),
                Fields.text(tree, "state"),
                Condition.listOf(conditions),
                Fields.objects(tree, "deviceClassStatuses", DeviceClassStatus::of));
    }

    public JsonObject json() {
        var tree = new JsonObject();
        tree.addProperty("ready", ready);
        tree.addProperty("state", state);
        tree.add("conditions", Fields.array(conditions, Condition::json));
        tree.add("deviceClassStatuses", Fields.array(deviceClasses, DeviceClassStatus::json));
        return tree;
    }
}
