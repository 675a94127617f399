import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes JSON without spaces: maps, lists, strings and numbers. */
final class Json {
    private Json() {}

    /** Returns an object whose names keep this order. */
    static Map<String, Object> object(Object... namesAndValues) {
        var object = new LinkedHashMap<String, Object>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            object.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return object;
    }

    /** Returns the text and a line feed, in UTF-8. */
    static byte[] bytes(Object document) {
        return (text(document) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    static String text(Object value) {
        return switch (value) {
            case Map<?, ?> map ->
                    map.entrySet().stream()
                            .map(e -> quoted("" + e.getKey()) + ":" + text(e.getValue()))
                            .collect(Collectors.joining(",", "{", "}"));
            case List<?> list ->
                    list.stream().map(Json::text).collect(Collectors.joining(",", "[", "]"));
            case Number number -> number.toString();
            case String text -> quoted(text);
            default -> throw new IllegalArgumentException("not JSON: " + value);
        };
    }

    private static String quoted(String text) {
        var quoted = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ') {
                quoted.append("\\u%04x".formatted((int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
