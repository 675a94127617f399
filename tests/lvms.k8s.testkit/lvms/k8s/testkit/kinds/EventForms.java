package lvms.k8s.testkit.kinds;

import com.google.gson.JsonObject;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Events are stored in the form of the core group, and shown in two forms. */
public final class EventForms {
    private static final Map<String, String> CORE_TO_NEW =
            Map.of(
                    "involvedObject", "regarding",
                    "message", "note",
                    "reportingComponent", "reportingController",
                    "source", "deprecatedSource",
                    "firstTimestamp", "deprecatedFirstTimestamp",
                    "lastTimestamp", "deprecatedLastTimestamp",
                    "count", "deprecatedCount");
    private static final List<String> OBJECT_FIELDS =
            List.of(
                    "kind",
                    "namespace",
                    "name",
                    "uid",
                    "apiVersion",
                    "resourceVersion",
                    "fieldPath");

    private EventForms() {}

    /** An event of either group, in the form of the group asked for. */
    public static JsonObject convert(JsonObject event, String group) {
        boolean wantNew = group.equals("events.k8s.io");
        var result = event.deepCopy();
        CORE_TO_NEW.forEach(
                (core, other) -> {
                    var from = wantNew ? core : other;
                    if (result.has(from)) {
                        result.add(wantNew ? other : core, result.remove(from));
                    }
                });
        result.addProperty("apiVersion", wantNew ? "events.k8s.io/v1" : "v1");
        result.addProperty("kind", "Event");
        return result;
    }

    /** The labels of field selectors in a group, each with its place in the core form. */
    static Map<String, String> selectable(String group) {
        boolean isNew = group.equals("events.k8s.io");
        var result = new TreeMap<String, String>();
        for (var field : OBJECT_FIELDS) {
            result.put(
                    (isNew ? "regarding." : "involvedObject.") + field, "involvedObject." + field);
        }
        result.put("reason", "reason");
        result.put("type", "type");
        result.put(isNew ? "reportingController" : "reportingComponent", "reportingComponent");
        if (!isNew) {
            result.put("source", "source.component");
        }
        return result;
    }
}
