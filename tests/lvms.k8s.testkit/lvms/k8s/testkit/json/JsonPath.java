package lvms.k8s.testkit.json;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The part of JSONPath that printer columns use: fields, escaped dots, quoted names, indexes,
 * {@code [*]} and filters that compare one field with a text.
 */
public final class JsonPath {
    private static final Pattern STEP =
            Pattern.compile(
                    "\\.((?:[^.\\[\\\\]|\\\\.)+)"
                            + "|\\[(-?[0-9]+|\\*)\\]"
                            + "|\\['([^']*)'\\]"
                            + "|\\[\\?\\(\\s*@\\.([A-Za-z0-9_.-]+)\\s*==\\s*[\"']([^\"']*)[\"']"
                            + "\\s*\\)\\]");

    private JsonPath() {}

    /** Whether {@link #find} understands the path. */
    public static boolean supported(String path) {
        return path.matches("(?:" + STEP.pattern() + ")+");
    }

    /** The values at a path, in order; none if it leads nowhere. */
    public static List<JsonElement> find(JsonElement root, String path) {
        var matcher = STEP.matcher(path);
        List<JsonElement> here = List.of(root);
        int at = 0;
        while (at < path.length() && matcher.find(at) && matcher.start() == at) {
            var next = new ArrayList<JsonElement>();
            for (var element : here) {
                step(element, matcher, next);
            }
            here = next;
            at = matcher.end();
        }
        return here;
    }

    private static void step(JsonElement element, Matcher step, List<JsonElement> found) {
        if (step.group(1) != null) {
            field(element, step.group(1).replaceAll("\\\\(.)", "$1"), found);
        } else if (step.group(3) != null) {
            field(element, step.group(3), found);
        } else if (element instanceof JsonArray array) {
            if (step.group(2) != null) {
                index(array, step.group(2), found);
            } else {
                filter(array, step.group(4).split("\\."), step.group(5), found);
            }
        }
    }

    private static void field(JsonElement element, String name, List<JsonElement> found) {
        if (element instanceof JsonObject object && object.has(name)) {
            found.add(object.get(name));
        }
    }

    private static void index(JsonArray array, String index, List<JsonElement> found) {
        if (index.equals("*")) {
            found.addAll(array.asList());
            return;
        }
        int at = Integer.parseInt(index);
        at = at < 0 ? at + array.size() : at;
        if (at >= 0 && at < array.size()) {
            found.add(array.get(at));
        }
    }

    private static void filter(
            JsonArray array, String[] path, String wanted, List<JsonElement> found) {
        for (var member : array) {
            if (member instanceof JsonObject object
                    && Json.at(object, path)
                            .filter(JsonElement::isJsonPrimitive)
                            .filter(v -> Objects.equals(v.getAsString(), wanted))
                            .isPresent()) {
                found.add(member);
            }
        }
    }
}
