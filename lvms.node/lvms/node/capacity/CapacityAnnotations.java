package lvms.node.capacity;

import com.google.gson.JsonNull;
import com.google.gson.JsonObject;

import lvms.api.Driver;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.NodeDeviceClass;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The annotations of a Node that tell its capacity. */
final class CapacityAnnotations {
    private CapacityAnnotations() {}

    /**
     * Returns the annotations that shall be there; of the default, 0 if no class is it. A node
     * without any class has none: the product may be about to leave.
     */
    static Map<String, String> wanted(DeviceClasses classes, Map<String, Long> bytes) {
        if (classes.classes().isEmpty()) {
            return Map.of();
        }
        var wanted = new TreeMap<String, String>();
        bytes.forEach(
                (name, capacity) ->
                        wanted.put(
                                Driver.TOPOLVM.capacityAnnotation(name), Long.toString(capacity)));
        long ofDefault = classes.find("").map(NodeDeviceClass::name).map(bytes::get).orElse(0L);
        wanted.put(Driver.TOPOLVM.capacityAnnotation(""), Long.toString(ofDefault));
        return wanted;
    }

    /** Returns the merge patch that leads from the present annotations to the wanted ones. */
    static Optional<JsonObject> patch(Map<String, String> present, Map<String, String> wanted) {
        var changes = new JsonObject();
        wanted.forEach(
                (key, value) -> {
                    if (!value.equals(present.get(key))) {
                        changes.addProperty(key, value);
                    }
                });
        present.keySet().stream()
                .filter(
                        key ->
                                key.startsWith(Driver.TOPOLVM.capacityPrefix())
                                        && !wanted.containsKey(key))
                .forEach(key -> changes.add(key, JsonNull.INSTANCE));
        if (changes.isEmpty()) {
            return Optional.empty();
        }
        var metadata = new JsonObject();
        metadata.add("annotations", changes);
        var patch = new JsonObject();
        patch.add("metadata", metadata);
        return Optional.of(patch);
    }
}
