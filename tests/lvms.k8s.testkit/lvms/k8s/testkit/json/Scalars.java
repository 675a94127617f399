package lvms.k8s.testkit.json;

import com.google.gson.JsonElement;
import com.google.gson.JsonPrimitive;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The canonical form in which built-in types show quantities and times. */
public final class Scalars {
    private static final Pattern QUANTITY =
            Pattern.compile(
                    "([+-]?(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+))"
                            + "([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+|)");
    private static final List<String> BINARY = List.of("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei");
    private static final Map<String, Integer> DECIMAL =
            Map.of("n", -9, "u", -6, "m", -3, "", 0, "k", 3, "M", 6, "G", 9, "T", 12, "P", 15);
    private static final List<String> DECIMAL_SUFFIXES =
            List.of("n", "u", "m", "", "k", "M", "G", "T", "P", "E");
    private static final BigDecimal KIBI = BigDecimal.valueOf(1024);
    private static final DateTimeFormatter SECONDS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss'Z'").withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private static final Pattern SIX_DIGITS =
            Pattern.compile(
                    "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d[.]\\d{6}(Z|[-+]\\d\\d:\\d\\d)");

    private Scalars() {}

    /** The value in the canonical form of the given format; other formats stay as they are. */
    public static JsonElement canonical(String format, JsonPrimitive value) {
        return switch (format) {
            case "quantity" -> new JsonPrimitive(quantity(value.getAsString()));
            case "time" -> new JsonPrimitive(SECONDS.format(instant(value.getAsString())));
            case "microtime" -> new JsonPrimitive(MICROS.format(micros(value.getAsString())));
            default -> value;
        };
    }

    /** A time as metadata shows it: UTC, whole seconds. */
    public static String time(Instant time) {
        return SECONDS.format(time);
    }

    private static Instant instant(String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException _) {
            throw new TypeMismatch(
                    "parsing time \"\\\""
                            + text
                            + "\\\"\" as \"\\\"2006-01-02T15:04:05Z07:00\\\"\"");
        }
    }

    private static Instant micros(String text) {
        if (!SIX_DIGITS.matcher(text).matches()) {
            throw new TypeMismatch(
                    "parsing time \"" + text + "\" as \"2006-01-02T15:04:05.000000Z07:00\"");
        }
        return instant(text);
    }

    /** A quantity in whole units, rounded up; for comparing sizes. */
    public static BigDecimal value(String text) {
        var matcher = QUANTITY.matcher(text.strip());
        if (!matcher.matches()) {
            throw new TypeMismatch(
                    "quantities must match the regular expression"
                            + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
        }
        var number = new BigDecimal(matcher.group(1));
        var suffix = matcher.group(2);
        if (suffix.endsWith("i")) {
            return number.multiply(KIBI.pow(BINARY.indexOf(suffix)));
        }
        if (suffix.equals("E")) {
            return number.scaleByPowerOfTen(18);
        }
        return number.scaleByPowerOfTen(
                DECIMAL.containsKey(suffix)
                        ? DECIMAL.get(suffix)
                        : Integer.parseInt(suffix.substring(1)));
    }

    /** The canonical text of a quantity, in the family of suffixes in which it was written. */
    static String quantity(String text) {
        var value = value(text);
        if (value.scale() > 9) {
            value = value.setScale(9, RoundingMode.UP);
        }
        if (value.signum() == 0) {
            return "0";
        }
        var suffix = QUANTITY.matcher(text.strip()).replaceAll("$2");
        if (suffix.endsWith("i") && value.abs().compareTo(KIBI) >= 0 && isWhole(value)) {
            return binary(value.toBigIntegerExact());
        }
        boolean exponent = suffix.length() > 1 && !suffix.endsWith("i");
        return decimal(value, exponent);
    }

    private static boolean isWhole(BigDecimal value) {
        return value.stripTrailingZeros().scale() <= 0;
    }

    private static String binary(BigInteger value) {
        int power = 0;
        var rest = value;
        while (power + 1 < BINARY.size() && rest.mod(BigInteger.valueOf(1024)).signum() == 0) {
            rest = rest.shiftRight(10);
            power++;
        }
        return rest + BINARY.get(power);
    }

    private static String decimal(BigDecimal value, boolean exponent) {
        int power = -value.stripTrailingZeros().scale();
        int step = Math.clamp(Math.floorDiv(power, 3), -3, exponent ? Integer.MAX_VALUE : 6);
        var digits = value.scaleByPowerOfTen(-3 * step).toBigIntegerExact().toString();
        if (exponent) {
            return step == 0 ? digits : digits + "e" + 3 * step;
        }
        return digits + DECIMAL_SUFFIXES.get(step + 3);
    }
}
