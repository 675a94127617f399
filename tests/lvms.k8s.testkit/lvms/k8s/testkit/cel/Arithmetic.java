package lvms.k8s.testkit.cel;

import java.util.ArrayList;
import java.util.List;

/** Sums, differences, products: of integers without overflow, of reals, texts and lists. */
final class Arithmetic {
    private Arithmetic() {}

    static Object apply(String operator, Object a, Object b) throws CelException {
        if (a instanceof Long x && b instanceof Long y) {
            return integers(operator, x, y);
        }
        if (a instanceof Double x && b instanceof Double y) {
            return reals(operator, x, y);
        }
        if (operator.equals("+") && a instanceof String x && b instanceof String y) {
            return x + y;
        }
        if (operator.equals("+") && a instanceof List<?> x && b instanceof List<?> y) {
            var both = new ArrayList<Object>(x);
            both.addAll(y);
            return both;
        }
        throw new CelException("no such overload: " + operator);
    }

    private static Object integers(String operator, long x, long y) throws CelException {
        try {
            return switch (operator) {
                case "+" -> Math.addExact(x, y);
                case "-" -> Math.subtractExact(x, y);
                case "*" -> Math.multiplyExact(x, y);
                case "/" -> x / y;
                default -> x % y;
            };
        } catch (ArithmeticException _) {
            throw new CelException(y == 0 ? "division by zero" : "integer overflow");
        }
    }

    private static Object reals(String operator, double x, double y) throws CelException {
        return switch (operator) {
            case "+" -> x + y;
            case "-" -> x - y;
            case "*" -> x * y;
            case "/" -> x / y;
            default -> throw new CelException("no such overload: " + operator);
        };
    }
}
