package lvms.k8s.tree;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.OptionalLong;

/** A number, which never passes through {@code double}. */
public final class NumberTree implements Tree {
    private static final int MAX_CHARS = 512;

    private final Number value;

    NumberTree(Number value) {
        this.value = value;
    }

    /**
     * Reads the JSON text of a number.
     *
     * @throws JsonException if it has more than 512 characters
     * @throws NumberFormatException if it is not a number
     */
    public static NumberTree parse(String text) {
        if (text.length() > MAX_CHARS) {
            throw new JsonException("number of " + text.length() + " characters");
        }
        return new NumberTree(exact(text));
    }

    /** Returns an integer of any size. */
    public static NumberTree of(BigInteger number) {
        return new NumberTree(number);
    }

    private static Number exact(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '.' || c == 'e' || c == 'E') {
                return new BigDecimal(text);
            }
        }
        if (text.length() < 19) {
            return Long.valueOf(text);
        }
        var exact = new BigInteger(text);
        if (exact.bitLength() < Long.SIZE) {
            return exact.longValue();
        }
        return exact;
    }

    public BigDecimal exact() {
        return value instanceof BigDecimal decimal ? decimal : new BigDecimal(value.toString());
    }

    @Override
    public OptionalLong number() {
        if (value instanceof Long number) {
            return OptionalLong.of(number);
        }
        try {
            return OptionalLong.of(exact().longValueExact());
        } catch (ArithmeticException _) {
            return OptionalLong.empty(); // a fraction, or beyond 64 bits
        }
    }

    @Override
    public boolean isScalar() {
        return true;
    }

    @Override
    public String asText() {
        return value.toString();
    }

    Number value() {
        return value;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NumberTree o && exact().compareTo(o.exact()) == 0;
    }

    @Override
    public int hashCode() {
        return exact().stripTrailingZeros().hashCode();
    }

    @Override
    public String toString() {
        return asText();
    }
}
