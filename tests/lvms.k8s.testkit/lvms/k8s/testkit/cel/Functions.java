package lvms.k8s.testkit.cel;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The functions and methods that are supported, by name and number of arguments. */
final class Functions {
    private static final Map<String, Integer> FUNCTIONS = Map.of("size", 1, "matches", 2);
    private static final Map<String, Integer> METHODS =
            Map.ofEntries(
                    Map.entry("size", 1),
                    Map.entry("startsWith", 2),
                    Map.entry("endsWith", 2),
                    Map.entry("contains", 2),
                    Map.entry("matches", 2),
                    Map.entry("hasValue", 1),
                    Map.entry("value", 1),
                    Map.entry("orValue", 2));

    private Functions() {}

    static void checkFunction(String name, int arguments) throws CelException {
        check(FUNCTIONS, name, arguments);
    }

    static void checkMethod(String name, int arguments) throws CelException {
        check(METHODS, name, arguments);
    }

    private static void check(Map<String, Integer> known, String name, int arguments)
            throws CelException {
        if (!known.containsKey(name) || known.get(name) != arguments) {
            throw new CelException("undeclared reference to '" + name + "' (in container '')");
        }
    }

    static Object call(String name, List<Object> arguments) throws CelException {
        var first = arguments.getFirst();
        return switch (name) {
            case "size" -> size(first);
            case "hasValue", "value", "orValue" -> optional(name, arguments);
            default -> withTwo(name, first, arguments.get(1));
        };
    }

    private static Object withTwo(String name, Object first, Object second) throws CelException {
        return switch (name) {
            case "startsWith" -> Values.text(first).startsWith(Values.text(second));
            case "endsWith" -> Values.text(first).endsWith(Values.text(second));
            case "contains" -> Values.text(first).contains(Values.text(second));
            case "matches" ->
                    Pattern.compile(Values.text(second)).matcher(Values.text(first)).find();
            default -> throw new CelException("no such overload: " + name);
        };
    }

    private static Object optional(String name, List<Object> arguments) throws CelException {
        if (!(arguments.getFirst() instanceof Optional<?> optional)) {
            throw new CelException("no such overload: " + name);
        }
        return switch (name) {
            case "hasValue" -> optional.isPresent();
            case "value" -> {
                if (optional.isEmpty()) {
                    throw new CelException("optional.none() dereference");
                }
                yield optional.get();
            }
            default -> optional.isPresent() ? optional.get() : arguments.get(1);
        };
    }

    private static long size(Object value) throws CelException {
        return switch (value) {
            case String text -> text.codePointCount(0, text.length());
            case List<?> list -> list.size();
            case Map<?, ?> map -> map.size();
            default -> throw new CelException("no such overload: size");
        };
    }
}
