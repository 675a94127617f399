package lvms.k8s.testkit.read;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;

import lvms.k8s.testkit.call.Call;
import lvms.k8s.testkit.call.Intake;
import lvms.k8s.testkit.call.Refusal;
import lvms.k8s.testkit.http.HttpRequest;
import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.kinds.Resource;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The form in which a client wants objects: whole, their metadata, or as rows of a table. */
public enum Presentation {
    WHOLE,
    METADATA,
    TABLE;

    private static final String ENTRY_POINT = "meta.k8s.io";
    private static final Set<String> METADATA_KINDS =
            Set.of("as=partialobjectmetadata", "as=partialobjectmetadatalist");

    /** The first form in the Accept header that is served. */
    public static Presentation of(HttpRequest request) {
        var accept = request.header("Accept").orElse("*/*");
        for (var range : accept.split(",")) {
            var words = List.of(range.strip().toLowerCase(Locale.ROOT).split("\\s*;\\s*"));
            var type = words.getFirst();
            boolean json = type.equals("application/json") || type.endsWith("/*");
            if (json && words.contains("as=table") && named(words)) {
                return TABLE;
            }
            if (json && words.stream().anyMatch(METADATA_KINDS::contains) && named(words)) {
                return METADATA;
            }
            if (json && words.stream().noneMatch(w -> w.startsWith("g="))) {
                return WHOLE;
            }
        }
        throw Refusal.notAcceptable("application/json");
    }

    private static boolean named(List<String> words) {
        return words.contains("g=" + ENTRY_POINT)
                && (words.contains("v=v1") || words.contains("v=v1beta1"));
    }

    /** One object as the answer to a request for it. */
    public JsonObject one(Call call, JsonObject object) {
        if (object.get("kind") != null && Json.text(object, "kind").equals("Status")) {
            return object;
        }
        var revision = Json.of("resourceVersion", Json.text(object, "metadata", "resourceVersion"));
        return switch (this) {
            case WHOLE -> Intake.shown(call.resource(), object);
            case METADATA -> metadataOf(object);
            case TABLE -> Tables.table(call, List.of(object), revision, true);
        };
    }

    /** A list. */
    public JsonObject many(Call call, Reader.Page page) {
        return switch (this) {
            case WHOLE -> page.list(call.resource());
            case METADATA -> {
                var items = new JsonArray();
                page.items().forEach(object -> items.add(metadataOf(object)));
                yield Json.of(
                        "kind",
                        "PartialObjectMetadataList",
                        "apiVersion",
                        ENTRY_POINT + "/v1",
                        "metadata",
                        page.metadata(),
                        "items",
                        items);
            }
            case TABLE -> Tables.table(call, page.items(), page.metadata(), true);
        };
    }

    /**
     * The object of a watch event.
     *
     * @param first whether it is the first of its stream: only then a table names its columns
     */
    JsonObject event(Call call, JsonObject object, boolean first) {
        return switch (this) {
            case WHOLE -> Intake.shown(call.resource(), object);
            case METADATA -> metadataOf(object);
            case TABLE -> {
                var revision = Json.text(object, "metadata", "resourceVersion");
                yield Tables.table(
                        call, List.of(object), Json.of("resourceVersion", revision), first);
            }
        };
    }

    JsonObject bookmark(Call call, long revision, boolean initialEnd) {
        var metadata = Json.of("resourceVersion", Long.toString(revision));
        if (initialEnd) {
            metadata.add("annotations", Json.of("k8s.io/initial-events-end", "true"));
        }
        Resource resource = call.resource();
        return switch (this) {
            case WHOLE ->
                    Json.of(
                            "kind", resource.kind(),
                            "apiVersion", resource.apiVersion(),
                            "metadata", metadata);
            case METADATA -> metadataOf(Json.of("metadata", metadata));
            case TABLE -> Tables.bookmark(call, metadata);
        };
    }

    static JsonObject metadataOf(JsonObject object) {
        return Json.of(
                "kind", "PartialObjectMetadata",
                "apiVersion", "meta.k8s.io/v1",
                "metadata", object.getAsJsonObject("metadata"));
    }
}
