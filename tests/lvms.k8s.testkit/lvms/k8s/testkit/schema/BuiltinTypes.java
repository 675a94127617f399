package lvms.k8s.testkit.schema;

import com.google.gson.JsonObject;

import lvms.k8s.testkit.json.Json;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The built-in types, read from the tables next to this class.
 *
 * <p>A table holds types, separated by blank lines. The first line is the name ({@code atomic} if
 * the object is owned as a whole), then one indented line per field: name ({@code !} if required),
 * type, attributes. A type is a scalar, {@code [list]}, {@code {map}} or the name of another type;
 * attributes are {@code map=keys}, {@code set}, {@code merge[=key]}, {@code retainKeys}, {@code
 * atomic} and {@code default=json}. {@code defaults.txt} adds what the server fills in.
 */
public final class BuiltinTypes {
    private static final List<String> TABLES =
            List.of(
                    "admissionregistration",
                    "apiextensions",
                    "apps",
                    "authentication",
                    "authorization",
                    "batch",
                    "coordination",
                    "core",
                    "events",
                    "meta",
                    "networking",
                    "policy",
                    "rbac",
                    "storage");
    private static final BuiltinTypes INSTANCE = new BuiltinTypes();

    private final Map<String, List<String>> rows = new LinkedHashMap<>();
    private final Map<String, Schema> types = new LinkedHashMap<>();

    private BuiltinTypes() {
        TABLES.forEach(table -> readTable(resource(table + ".schema")));
        rows.keySet().forEach(name -> types.put(name, new Schema(Schema.Type.OBJECT)));
        rows.forEach(this::fill);
        for (var line : resource("defaults.txt").split("\n")) {
            if (!line.isBlank() && !line.startsWith("#")) {
                addDefault(line);
            }
        }
    }

    /** The one instance: the tables never change. */
    public static BuiltinTypes instance() {
        return INSTANCE;
    }

    /** The schema of a type, such as {@code core.v1.Pod}. */
    public Schema type(String name) {
        var schema = types.get(name);
        if (schema == null) {
            throw new IllegalArgumentException("no such built-in type: " + name);
        }
        return schema;
    }

    private void readTable(String text) {
        List<String> fields = null;
        for (var line : text.split("\n")) {
            if (line.startsWith("  ")) {
                fields.add(line.strip());
            } else if (!line.isBlank()) {
                fields = new ArrayList<>();
                rows.put(line.strip(), fields);
            }
        }
        if (fields == null) {
            throw new IllegalStateException("empty table");
        }
    }

    private void fill(String head, List<String> fields) {
        var schema = types.get(head);
        var name = head.split(" ")[0];
        types.put(name, schema);
        if (!name.equals(head)) {
            types.remove(head);
            schema.atomic = true;
        }
        schema.typeName = name;
        for (var field : fields) {
            var words = field.split(" ", 3);
            boolean required = words[0].endsWith("!");
            var key = required ? words[0].substring(0, words[0].length() - 1) : words[0];
            if (required) {
                schema.required.add(key);
            }
            schema.properties.put(key, attributed(use(words[1]), words.length > 2 ? words[2] : ""));
        }
    }

    private Schema use(String text) {
        if (text.startsWith("[")) {
            var list = new Schema(Schema.Type.ARRAY);
            list.items = use(text.substring(1, text.length() - 1));
            return list;
        }
        if (text.startsWith("{")) {
            var map = new Schema(Schema.Type.OBJECT);
            map.additional = use(text.substring(1, text.length() - 1));
            return map;
        }
        return text.contains(".") ? named(text) : scalar(text);
    }

    private Schema named(String name) {
        var schema = types.get(name);
        if (schema == null) {
            schema = types.get(name + " atomic");
            if (schema == null) {
                throw new IllegalStateException("no such built-in type: " + name);
            }
            schema.atomic = true;
        }
        schema.typeName = name;
        return schema.copy();
    }

    private static Schema scalar(String text) {
        var schema =
                new Schema(
                        switch (text) {
                            case "string", "bytes", "time", "microtime", "quantity" ->
                                    Schema.Type.STRING;
                            case "int32", "int64" -> Schema.Type.INTEGER;
                            case "double" -> Schema.Type.NUMBER;
                            case "bool" -> Schema.Type.BOOLEAN;
                            case "intstr" -> Schema.Type.INT_OR_STRING;
                            case "any" -> Schema.Type.ANY;
                            default -> throw new IllegalStateException("no such scalar: " + text);
                        });
        schema.format = text.equals("string") || text.equals("bool") ? "" : text;
        schema.preserveUnknown = text.equals("any");
        return schema;
    }

    private static Schema attributed(Schema schema, String attributes) {
        for (var attribute : attributes.isEmpty() ? List.<String>of() : words(attributes)) {
            int equals = attribute.indexOf('=');
            var name = equals < 0 ? attribute : attribute.substring(0, equals);
            var value = equals < 0 ? "" : attribute.substring(equals + 1);
            switch (name) {
                case "map" -> {
                    schema.listType = Schema.ListType.MAP;
                    schema.mapKeys = List.of(value.split(","));
                }
                case "set" -> schema.listType = Schema.ListType.SET;
                case "merge" -> {
                    schema.patchMerge = true;
                    schema.mergeKey = value;
                }
                case "retainKeys" -> schema.retainKeys = true;
                case "atomic" -> schema.atomic = true;
                case "default" -> schema.defaultValue = Json.parse(value).root();
                default -> throw new IllegalStateException("no such attribute: " + attribute);
            }
        }
        return schema;
    }

    private static List<String> words(String attributes) {
        return Arrays.asList(attributes.split(" "));
    }

    private void addDefault(String line) {
        var parts = line.split(" = ", 2);
        int dot = parts[0].lastIndexOf('.');
        var field = type(parts[0].substring(0, dot)).properties.get(parts[0].substring(dot + 1));
        if (field == null) {
            throw new IllegalStateException("no such field: " + line);
        }
        field.defaultValue = Json.parse(parts[1]).root();
    }

    /** The OpenAPI form of a type, with its parts by reference. */
    public JsonObject openApi(String name) {
        return OpenApiForm.ofType(type(name));
    }

    private static String resource(String name) {
        try (var in = BuiltinTypes.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("not beside the class: " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
