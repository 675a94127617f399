package lvms.api;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import lvms.k8s.object.Json;
import lvms.k8s.object.Quantity;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/** Reads members of a JSON object; a member of another type counts as absent. */
final class Fields {
    private Fields() {}

    static String text(JsonObject tree, String name) {
        return Json.text(tree.get(name)).orElse("");
    }

    static boolean flag(JsonObject tree, String name) {
        return Json.flag(tree.get(name)).orElse(false);
    }

    static OptionalInt integer(JsonObject tree, String name) {
        var number = Json.number(tree.get(name));
        return number.isPresent()
                ? OptionalInt.of(
                        Math.clamp(number.getAsLong(), Integer.MIN_VALUE, Integer.MAX_VALUE))
                : OptionalInt.empty();
    }

    static Optional<Quantity> quantity(JsonObject tree, String name) {
        var value = tree.get(name);
        return value == null || value.isJsonNull()
                ? Optional.empty()
                : Optional.of(Quantity.parse(value));
    }

    static Optional<JsonObject> object(JsonObject tree, String name) {
        return tree.get(name) instanceof JsonObject object ? Optional.of(object) : Optional.empty();
    }

    static <T> Optional<T> object(JsonObject tree, String name, Function<JsonObject, T> reader) {
        return object(tree, name).map(reader);
    }

    static <T> List<T> objects(JsonObject tree, String name, Function<JsonObject, T> reader) {
        var values = new ArrayList<T>();
        if (tree.get(name) instanceof JsonArray array) {
            for (var element : array) {
                if (element instanceof JsonObject object) {
                    values.add(reader.apply(object));
                }
            }
        }
        return List.copyOf(values);
    }

    static List<String> texts(JsonObject tree, String name) {
        var values = new ArrayList<String>();
        if (tree.get(name) instanceof JsonArray array) {
            for (var element : array) {
                Json.text(element).ifPresent(values::add);
            }
        }
        return List.copyOf(values);
    }

    static Map<String, String> textMap(JsonObject tree, String name) {
        var values = new LinkedHashMap<String, String>();
        object(tree, name)
                .ifPresent(
                        map ->
                                map.asMap()
                                        .forEach(
                                                (key, value) ->
                                                        Json.text(value)
                                                                .ifPresent(
                                                                        text ->
                                                                                values.put(
                                                                                        key,
                                                                                        text))));
        return values;
    }

    static JsonArray array(List<String> values) {
        var array = new JsonArray();
        values.forEach(array::add);
        return array;
    }

    static <T> JsonArray array(List<T> values, Function<T, JsonElement> writer) {
        var array = new JsonArray();
        values.forEach(value -> array.add(writer.apply(value)));
        return array;
    }

    static JsonObject object(Map<String, String> values) {
        var object = new JsonObject();
        values.forEach(object::addProperty);
        return object;
    }

    static void addText(JsonObject tree, String name, String value) {
        if (!value.isEmpty()) {
            tree.addProperty(name, value);
        }
    }
}
