package lvms.k8s.object;

import lvms.k8s.tree.NumberTree;
import lvms.k8s.tree.TextTree;
import lvms.k8s.tree.Tree;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * An amount such as {@code 10Gi}, {@code 1500m} or {@code 1e3}.
 *
 * <p>Two quantities are equal if their values are, whatever their format. Values finer than 10^-9
 * are rounded away from zero. Source: k8s.io/apimachinery/pkg/api/resource.
 *
 * @param value the exact amount
 * @param format how it is printed
 */
public record Quantity(BigDecimal value, Format format) implements Comparable<Quantity> {
    /** The family of suffixes that a quantity is printed with. */
    public enum Format {
        /** {@code Ki}, {@code Mi}, ...: powers of 1024. */
        BINARY_SI,
        /** {@code m}, {@code k}, {@code M}, ...: powers of 1000. */
        DECIMAL_SI,
        /** {@code e3}, {@code e6}, ...: powers of 1000. */
        DECIMAL_EXPONENT
    }

    /** Nothing. */
    public static final Quantity ZERO = new Quantity(BigDecimal.ZERO, Format.DECIMAL_SI);

    private static final String BINARY_SUFFIXES = "KMGTPE";
    private static final String[] DECIMAL_SUFFIXES = {
        "n", "u", "m", "", "k", "M", "G", "T", "P", "E"
    };
    private static final BigInteger KIBI = BigInteger.valueOf(1024);
    private static final BigDecimal MAX_LONG = BigDecimal.valueOf(Long.MAX_VALUE);
    private static final int MAX_CHARS = 128;
    private static final int MAX_EXPONENT = 100;

    /** Rounds to whole nanos, away from zero, and caps binary values at 2^63-1. */
    public Quantity {
        if (value.scale() > 9) {
            value = value.setScale(9, RoundingMode.UP);
        }
        if (format == Format.BINARY_SI && value.abs().compareTo(MAX_LONG) > 0) {
            value = value.signum() < 0 ? MAX_LONG.negate() : MAX_LONG;
        }
    }

    /** Returns a quantity that prints with decimal suffixes. */
    public Quantity(BigDecimal value) {
        this(value, Format.DECIMAL_SI);
    }

    /** Returns a number of bytes that prints with binary suffixes. */
    public static Quantity ofBytes(long bytes) {
        return new Quantity(BigDecimal.valueOf(bytes), Format.BINARY_SI);
    }

    /**
     * Reads a JSON string or number; null is zero.
     *
     * @throws IllegalArgumentException if it is neither, or not a quantity
     */
    public static Quantity parse(Tree element) {
        if (element.isNull()) {
            return ZERO;
        }
        return switch (element) {
            case TextTree text -> parse(text.value().strip());
            case NumberTree number -> parse(number.asText());
            case Tree other -> throw new IllegalArgumentException("not a quantity: " + other);
        };
    }

    /**
     * Reads the text form.
     *
     * @throws IllegalArgumentException if the text is not a quantity
     */
    public static Quantity parse(String text) {
        int end = numberEnd(text);
        var number = number(text, end);
        var suffix = text.substring(end);
        if (suffix.isEmpty()) {
            return new Quantity(number, Format.DECIMAL_SI);
        }
        if (suffix.length() == 2 && suffix.charAt(1) == 'i') {
            int power = BINARY_SUFFIXES.indexOf(suffix.charAt(0));
            if (power >= 0) {
                var factor = new BigDecimal(KIBI.pow(power + 1));
                return new Quantity(number.multiply(factor), Format.BINARY_SI);
            }
        }
        for (int i = 0; i < DECIMAL_SUFFIXES.length; i++) {
            if (suffix.equals(DECIMAL_SUFFIXES[i])) {
                return new Quantity(number.scaleByPowerOfTen(3 * i - 9), Format.DECIMAL_SI);
            }
        }
        int exponent = exponent(text, suffix);
        return new Quantity(number.scaleByPowerOfTen(exponent), Format.DECIMAL_EXPONENT);
    }

    private static int numberEnd(String text) {
        if (text.length() > MAX_CHARS) {
            throw new IllegalArgumentException("quantity of " + text.length() + " characters");
        }
        int at = !text.isEmpty() && "+-".indexOf(text.charAt(0)) >= 0 ? 1 : 0;
        while (at < text.length() && (isDigit(text.charAt(at)) || text.charAt(at) == '.')) {
            at++;
        }
        return at;
    }

    private static BigDecimal number(String text, int end) {
        int digits = 0;
        int points = 0;
        for (int i = 0; i < end; i++) {
            digits += isDigit(text.charAt(i)) ? 1 : 0;
            points += text.charAt(i) == '.' ? 1 : 0;
        }
        if (digits == 0 || points > 1) {
            throw bad(text);
        }
        return new BigDecimal(text.substring(0, end));
    }

    private static int exponent(String text, String suffix) {
        int start = suffix.length() > 1 && "+-".indexOf(suffix.charAt(1)) >= 0 ? 2 : 1;
        if ("eE".indexOf(suffix.charAt(0)) < 0 || start == suffix.length()) {
            throw bad(text);
        }
        int exponent = 0;
        for (int i = start; i < suffix.length(); i++) {
            if (!isDigit(suffix.charAt(i)) || exponent > MAX_EXPONENT) {
                throw bad(text);
            }
            exponent = exponent * 10 + suffix.charAt(i) - '0';
        }
        if (exponent > MAX_EXPONENT) {
            throw bad(text);
        }
        return suffix.charAt(1) == '-' ? -exponent : exponent;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static IllegalArgumentException bad(String text) {
        return new IllegalArgumentException("not a quantity: \"" + text + "\"");
    }

    /** Returns the value in whole units, rounded up (away from zero), capped to 64 bits. */
    public long bytes() {
        var whole = value.setScale(0, RoundingMode.UP);
        if (whole.abs().compareTo(MAX_LONG) > 0) {
            return whole.signum() < 0 ? -Long.MAX_VALUE : Long.MAX_VALUE;
        }
        return whole.longValue();
    }

    /** Returns the sum, in this format unless this is zero. */
    public Quantity plus(Quantity other) {
        return new Quantity(value.add(other.value), resultFormat(other));
    }

    /** Returns the difference, in this format unless this is zero. */
    public Quantity minus(Quantity other) {
        return new Quantity(value.subtract(other.value), resultFormat(other));
    }

    private Format resultFormat(Quantity other) {
        return value.signum() == 0 ? other.format : format;
    }

    @Override
    public int compareTo(Quantity other) {
        return value.compareTo(other.value);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Quantity q && value.compareTo(q.value) == 0;
    }

    @Override
    public int hashCode() {
        return value.stripTrailingZeros().hashCode();
    }

    /** Returns the canonical text: no fraction, and the largest suffix that loses nothing. */
    @Override
    public String toString() {
        if (value.signum() == 0) {
            return "0";
        }
        var exact = value.stripTrailingZeros();
        if (format == Format.BINARY_SI && exact.scale() <= 0 && atLeastKibi(exact)) {
            return binaryText(exact.toBigIntegerExact());
        }
        return decimalText(exact, format == Format.DECIMAL_EXPONENT);
    }

    private static boolean atLeastKibi(BigDecimal exact) {
        return exact.abs().compareTo(new BigDecimal(KIBI)) >= 0;
    }

    private static String binaryText(BigInteger value) {
        int power = 0;
        var rest = value;
        while (power < BINARY_SUFFIXES.length()) {
            var parts = rest.divideAndRemainder(KIBI);
            if (parts[1].signum() != 0) {
                break;
            }
            rest = parts[0];
            power++;
        }
        return power == 0
                ? rest.toString()
                : rest + BINARY_SUFFIXES.substring(power - 1, power) + "i";
    }

    private static String decimalText(BigDecimal exact, boolean exponentForm) {
        int exponent = Math.floorDiv(-exact.scale(), 3) * 3;
        if (!exponentForm) {
            exponent = Math.min(exponent, 18);
        }
        var digits = exact.scaleByPowerOfTen(-exponent).toBigIntegerExact().toString();
        if (exponentForm) {
            return exponent == 0 ? digits : digits + "e" + exponent;
        }
        return digits + DECIMAL_SUFFIXES[exponent / 3 + 3];
    }
}
