package lvms.k8s.object;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Optional;

/**
 * The two time formats of the API: {@code Time} in seconds and {@code MicroTime}.
 *
 * <p>Hand-written, since {@code DateTimeFormatter} loads about a hundred classes.
 */
public final class Times {
    private Times() {}

    /** Reads RFC 3339 with any offset and any fraction; empty if the text is something else. */
    public static Optional<Instant> read(String text) {
        try {
            return Optional.of(parse(text));
        } catch (IllegalArgumentException | DateTimeException _) {
            return Optional.empty();
        }
    }

    /**
     * Reads RFC 3339 with any offset and any fraction.
     *
     * @throws IllegalArgumentException if the text is something else
     */
    public static Instant parse(String text) {
        if (text.length() < 20 || (text.charAt(10) | 0x20) != 't') {
            throw bad(text);
        }
        expect(text, 4, '-');
        expect(text, 7, '-');
        expect(text, 13, ':');
        expect(text, 16, ':');
        int end = 19;
        int nanos = 0;
        if (text.charAt(end) == '.') {
            int start = ++end;
            while (end < text.length() && isDigit(text.charAt(end))) {
                end++;
            }
            nanos = fraction(text, start, end);
        }
        try {
            return LocalDateTime.of(
                            digits(text, 0, 4),
                            digits(text, 5, 7),
                            digits(text, 8, 10),
                            digits(text, 11, 13),
                            digits(text, 14, 16),
                            digits(text, 17, 19),
                            nanos)
                    .toInstant(offset(text, end));
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("not a time: " + text, e);
        }
    }

    /** Writes UTC seconds, as {@code Time} fields have them: {@code 2026-01-02T03:04:05Z}. */
    public static String seconds(Instant time) {
        return base(time).append('Z').toString();
    }

    /** Writes six fraction digits, as {@code MicroTime} fields have them. */
    public static String micros(Instant time) {
        var text = base(time).append('.');
        pad(text, time.getNano() / 1000, 6);
        return text.append('Z').toString();
    }

    private static StringBuilder base(Instant time) {
        var utc = LocalDateTime.ofEpochSecond(time.getEpochSecond(), 0, ZoneOffset.UTC);
        var text = new StringBuilder(27);
        pad(text, utc.getYear(), 4);
        pad(text.append('-'), utc.getMonthValue(), 2);
        pad(text.append('-'), utc.getDayOfMonth(), 2);
        pad(text.append('T'), utc.getHour(), 2);
        pad(text.append(':'), utc.getMinute(), 2);
        pad(text.append(':'), utc.getSecond(), 2);
        return text;
    }

    private static void pad(StringBuilder text, int value, int width) {
        var digits = Integer.toString(value);
        for (int i = digits.length(); i < width; i++) {
            text.append('0');
        }
        text.append(digits);
    }

    private static int fraction(String text, int start, int end) {
        if (start == end) {
            throw bad(text);
        }
        int nanos = 0;
        for (int i = 0; i < 9; i++) {
            nanos = nanos * 10 + (start + i < end ? text.charAt(start + i) - '0' : 0);
        }
        return nanos;
    }

    private static ZoneOffset offset(String text, int at) {
        int left = text.length() - at;
        char sign = left > 0 ? text.charAt(at) : ' ';
        if (left == 1 && (sign == 'Z' || sign == 'z')) {
            return ZoneOffset.UTC;
        }
        if (left != 6 || (sign != '+' && sign != '-')) {
            throw bad(text);
        }
        expect(text, at + 3, ':');
        int minutes = digits(text, at + 1, at + 3) * 60 + digits(text, at + 4, at + 6);
        return ZoneOffset.ofTotalSeconds(60 * (sign == '-' ? -minutes : minutes));
    }

    private static int digits(String text, int from, int to) {
        int value = 0;
        for (int i = from; i < to; i++) {
            if (!isDigit(text.charAt(i))) {
                throw bad(text);
            }
            value = value * 10 + text.charAt(i) - '0';
        }
        return value;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static void expect(String text, int at, char c) {
        if (text.charAt(at) != c) {
            throw bad(text);
        }
    }

    private static IllegalArgumentException bad(String text) {
        return new IllegalArgumentException("not a time: " + text);
    }
}
