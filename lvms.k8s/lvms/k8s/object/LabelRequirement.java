package lvms.k8s.object;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One term of a selector over labels, or over node fields.
 *
 * @param key label key
 * @param operator how it is tested
 * @param values what it is tested against; none for the existence operators, one for GT and LT
 */
public record LabelRequirement(String key, Operator operator, List<String> values) {
    /** The tests a term can make. */
    public enum Operator {
        /** The label exists and has one of the values. */
        IN,
        /** The label is absent, or has none of the values. */
        NOT_IN,
        /** The label exists. */
        EXISTS,
        /** The label is absent. */
        DOES_NOT_EXIST,
        /** The label is an integer above the value. */
        GT,
        /** The label is an integer below the value. */
        LT;

        /** Reads the JSON form, such as {@code NotIn}. */
        static Operator of(String text) {
            return switch (text) {
                case "In" -> IN;
                case "NotIn" -> NOT_IN;
                case "Exists" -> EXISTS;
                case "DoesNotExist" -> DOES_NOT_EXIST;
                case "Gt" -> GT;
                case "Lt" -> LT;
                default -> throw new IllegalArgumentException("unknown operator: " + text);
            };
        }
    }

    /** Checks that the number of values fits the operator. */
    public LabelRequirement {
        values = List.copyOf(values);
        boolean fits =
                switch (operator) {
                    case IN, NOT_IN -> !values.isEmpty();
                    case EXISTS, DOES_NOT_EXIST -> values.isEmpty();
                    case GT, LT -> values.size() == 1 && integer(values.getFirst()).isPresent();
                };
        if (!fits) {
            throw new IllegalArgumentException(
                    "selector on " + key + ": " + operator + " with " + values.size() + " values");
        }
    }

    /** Returns whether the labels pass the test. */
    public boolean matches(Map<String, String> labels) {
        return matches(Optional.ofNullable(labels.get(key)));
    }

    boolean matches(Optional<String> value) {
        return switch (operator) {
            case IN -> value.isPresent() && values.contains(value.get());
            case NOT_IN -> value.isEmpty() || !values.contains(value.get());
            case EXISTS -> value.isPresent();
            case DOES_NOT_EXIST -> value.isEmpty();
            case GT -> compared(value) > 0;
            case LT -> compared(value) < 0;
        };
    }

    private int compared(Optional<String> value) {
        var actual = value.flatMap(LabelRequirement::integer);
        var bound = integer(values.getFirst());
        return actual.isEmpty() || bound.isEmpty() ? 0 : actual.get().compareTo(bound.get());
    }

    private static Optional<Long> integer(String text) {
        try {
            return Optional.of(Long.valueOf(text));
        } catch (NumberFormatException _) {
            return Optional.empty(); // a label that is not an integer never matches
        }
    }

    /** Returns the text form. */
    @Override
    public String toString() {
        return switch (operator) {
            case IN ->
                    values.size() == 1
                            ? key + "=" + values.getFirst()
                            : key + " in (" + String.join(",", values) + ")";
            case NOT_IN ->
                    values.size() == 1
                            ? key + "!=" + values.getFirst()
                            : key + " notin (" + String.join(",", values) + ")";
            case EXISTS -> key;
            case DOES_NOT_EXIST -> "!" + key;
            case GT -> key + ">" + values.getFirst();
            case LT -> key + "<" + values.getFirst();
        };
    }
}
