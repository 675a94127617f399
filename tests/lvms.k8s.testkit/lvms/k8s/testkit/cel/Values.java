package lvms.k8s.testkit.cel;

import com.google.gson.JsonElement;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON values as CEL sees them: Long, Double, String, Boolean, List, Map and null. */
final class Values {
    /** The null of CEL; Java's own stays inside methods. */
    static final Object NULL =
            new Object() {
                @Override
                public String toString() {
                    return "null";
                }
            };

    private Values() {}

    static Object of(JsonElement element) {
        if (element == null || element.isJsonNull()) {
            return NULL;
        }
        if (element.isJsonObject()) {
            var map = new LinkedHashMap<String, Object>();
            element.getAsJsonObject()
                    .entrySet()
                    .forEach(e -> map.put(e.getKey(), of(e.getValue())));
            return map;
        }
        if (element.isJsonArray()) {
            var list = new ArrayList<Object>();
            element.getAsJsonArray().forEach(member -> list.add(of(member)));
            return list;
        }
        var primitive = element.getAsJsonPrimitive();
        if (primitive.isString()) {
            return primitive.getAsString();
        }
        return primitive.isBoolean()
                ? (Object) primitive.getAsBoolean()
                : numeric(primitive.getAsNumber());
    }

    private static Object numeric(Number number) {
        return number instanceof Double ? number : (Object) number.longValue();
    }

    static boolean equal(Object a, Object b) {
        if (a instanceof Number x && b instanceof Number y) {
            return x instanceof Long && y instanceof Long
                    ? x.equals(y)
                    : x.doubleValue() == y.doubleValue();
        }
        return a.equals(b);
    }

    static int compare(Object a, Object b) throws CelException {
        if (a instanceof Long x && b instanceof Long y) {
            return x.compareTo(y);
        }
        if (a instanceof Number x && b instanceof Number y) {
            return Double.compare(x.doubleValue(), y.doubleValue());
        }
        if (a instanceof String x && b instanceof String y) {
            return x.compareTo(y);
        }
        throw new CelException("no such overload");
    }

    static List<Object> list(Object value) throws CelException {
        if (value instanceof List<?> list) {
            return List.copyOf(list);
        }
        if (value instanceof Map<?, ?> map) {
            return List.copyOf(map.keySet());
        }
        throw new CelException("no such overload");
    }

    static Map<?, ?> map(Object value) throws CelException {
        if (value instanceof Map<?, ?> map) {
            return map;
        }
        throw new CelException("no such overload");
    }

    static boolean truth(Object value) throws CelException {
        if (value instanceof Boolean truth) {
            return truth;
        }
        throw new CelException("no such overload");
    }

    static String text(Object value) throws CelException {
        if (value instanceof String text) {
            return text;
        }
        throw new CelException("no such overload");
    }

    /** The property name behind the escaped name that an expression must use. */
    static String unescape(String name) {
        return name.replace("__dot__", ".")
                .replace("__dash__", "-")
                .replace("__slash__", "/")
                .replace("__namespace__", "namespace")
                .replace("__in__", "in")
                .replace("__true__", "true")
                .replace("__false__", "false")
                .replace("__null__", "null")
                .replace("__underscores__", "__");
    }
}
