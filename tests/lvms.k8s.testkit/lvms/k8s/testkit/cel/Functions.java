package lvms.k8s.testkit.cel;

import lvms.k8s.testkit.json.Scalars;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The functions and methods that are supported, by name and number of arguments. */
final class Functions {
    private static final Map<String, Integer> FUNCTIONS =
            Map.of(
                    "size",
                    1,
                    "string",
                    1,
                    "int",
                    1,
                    "double",
                    1,
                    "quantity",
                    1,
                    "isQuantity",
                    1,
                    "matches",
                    2);
    private static final Map<String, Integer> METHODS =
            Map.ofEntries(
                    Map.entry("size", 1),
                    Map.entry("startsWith", 2),
                    Map.entry("endsWith", 2),
                    Map.entry("contains", 2),
                    Map.entry("matches", 2),
                    Map.entry("lowerAscii", 1),
                    Map.entry("upperAscii", 1),
                    Map.entry("trim", 1),
                    Map.entry("split", 2),
                    Map.entry("isGreaterThan", 2),
                    Map.entry("isLessThan", 2),
                    Map.entry("compareTo", 2),
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
            case "string" -> string(first);
            case "int" -> integer(first);
            case "double" -> real(first);
            case "quantity" -> quantity(first);
            case "isQuantity" -> isQuantity(first);
            case "hasValue", "value", "orValue" -> optional(name, arguments);
            case "lowerAscii" -> text(first).toLowerCase(Locale.ROOT);
            case "upperAscii" -> text(first).toUpperCase(Locale.ROOT);
            case "trim" -> text(first).strip();
            default -> withTwo(name, first, arguments.get(1));
        };
    }

    private static Object withTwo(String name, Object first, Object second) throws CelException {
        return switch (name) {
            case "startsWith" -> text(first).startsWith(text(second));
            case "endsWith" -> text(first).endsWith(text(second));
            case "contains" -> text(first).contains(text(second));
            case "matches" -> Pattern.compile(text(second)).matcher(text(first)).find();
            case "split" -> List.of((Object[]) text(first).split(Pattern.quote(text(second)), -1));
            case "isGreaterThan" -> amount(first).compareTo(amount(second)) > 0;
            case "isLessThan" -> amount(first).compareTo(amount(second)) < 0;
            case "compareTo" -> (long) amount(first).compareTo(amount(second));
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

    private static String string(Object value) throws CelException {
        return switch (value) {
            case String text -> text;
            case Long number -> number.toString();
            case Boolean truth -> truth.toString();
            case Double number -> number.toString();
            default -> throw new CelException("no such overload: string");
        };
    }

    private static long integer(Object value) throws CelException {
        try {
            return switch (value) {
                case Long number -> number;
                case Double number -> number.longValue();
                case String text -> Long.parseLong(text);
                default -> throw new CelException("no such overload: int");
            };
        } catch (NumberFormatException _) {
            throw new CelException("type conversion error from string to int");
        }
    }

    private static double real(Object value) throws CelException {
        if (value instanceof Number number) {
            return number.doubleValue();
        }
        throw new CelException("no such overload: double");
    }

    private static boolean isQuantity(Object value) throws CelException {
        try {
            quantity(value);
            return true;
        } catch (CelException _) {
            return false;
        }
    }

    private static BigDecimal quantity(Object value) throws CelException {
        try {
            return Scalars.value(text(value));
        } catch (IllegalArgumentException e) {
            throw new CelException(e.getMessage());
        }
    }

    private static BigDecimal amount(Object value) throws CelException {
        if (value instanceof BigDecimal amount) {
            return amount;
        }
        throw new CelException("no such overload");
    }

    private static String text(Object value) throws CelException {
        if (value instanceof String text) {
            return text;
        }
        throw new CelException("no such overload");
    }
}
