package lvms.k8s.testkit.read;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;

import lvms.k8s.testkit.call.Call;
import lvms.k8s.testkit.call.Intake;
import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.json.JsonPath;
import lvms.k8s.testkit.kinds.Ages;
import lvms.k8s.testkit.kinds.Cells;
import lvms.k8s.testkit.kinds.Resource;

import java.util.List;

/** Objects as rows of the tables that {@code kubectl get} prints. */
final class Tables {
    private static final String UNKNOWN = "<unknown>";

    private Tables() {}

    static JsonObject table(
            Call call, List<JsonObject> objects, JsonObject metadata, boolean withColumns) {
        var rows = new JsonArray();
        objects.forEach(object -> rows.add(row(call, object)));
        return Json.of(
                "kind",
                "Table",
                "apiVersion",
                "meta.k8s.io/v1",
                "metadata",
                metadata,
                "columnDefinitions",
                withColumns ? columns(call.resource()) : JsonNull.INSTANCE,
                "rows",
                rows);
    }

    static JsonObject bookmark(Call call, JsonObject metadata) {
        var cells = new JsonArray();
        for (int i = 0; i <= call.resource().columns().size(); i++) {
            cells.add("");
        }
        var object =
                Json.of(
                        "kind", call.resource().kind(),
                        "apiVersion", call.resource().apiVersion(),
                        "metadata", metadata);
        return Json.of(
                "kind",
                "Table",
                "apiVersion",
                "meta.k8s.io/v1",
                "metadata",
                metadata,
                "columnDefinitions",
                JsonNull.INSTANCE,
                "rows",
                Json.arrayOf(Json.of("cells", cells, "object", object)));
    }

    private static JsonArray columns(Resource resource) {
        var columns = Json.arrayOf(column("Name", "string", "name", 0, "Name of the object"));
        for (var column : resource.columns()) {
            // To the client built-in ages are texts; only here are they dates.
            var type =
                    resource.builtin() && column.type().equals("date") ? "string" : column.type();
            columns.add(
                    column(column.name(), type, column.format(), column.priority(), column.note()));
        }
        return columns;
    }

    private static JsonObject column(
            String name, String type, String format, int priority, String note) {
        return Json.of(
                "name", name,
                "type", type,
                "format", format,
                "description", note,
                "priority", priority);
    }

    private static JsonObject row(Call call, JsonObject object) {
        var cells = Json.arrayOf(Json.text(object, "metadata", "name"));
        for (var column : call.resource().columns()) {
            cells.add(cell(column, object));
        }
        return Json.of("cells", cells, "object", companion(call, object));
    }

    private static JsonElement companion(Call call, JsonObject object) {
        return switch (call.http().parameter("includeObject")) {
            case "Object" -> Intake.shown(call.resource(), object);
            case "None" -> JsonNull.INSTANCE;
            default -> Presentation.metadataOf(object);
        };
    }

    private static JsonElement cell(Resource.Column column, JsonObject object) {
        if (column.jsonPath().startsWith("%")) {
            return Cells.of(column.jsonPath().substring(1), object);
        }
        var values = JsonPath.find(object, column.jsonPath());
        if (column.type().equals("date")) {
            return new JsonPrimitive(values.isEmpty() ? UNKNOWN : Ages.since(values.getFirst()));
        }
        if (values.isEmpty() || values.getFirst().isJsonNull()) {
            return JsonNull.INSTANCE;
        }
        return typed(column.type(), values.getFirst());
    }

    private static JsonElement typed(String type, JsonElement value) {
        boolean primitive = value.isJsonPrimitive();
        boolean fits =
                switch (type) {
                    case "integer" -> Json.isWhole(value);
                    case "number" -> primitive && value.getAsJsonPrimitive().isNumber();
                    case "boolean" -> primitive && value.getAsJsonPrimitive().isBoolean();
                    default -> true;
                };
        if (!fits) {
            return JsonNull.INSTANCE;
        }
        boolean text = type.equals("string");
        return text ? new JsonPrimitive(primitive ? value.getAsString() : value.toString()) : value;
    }
}
