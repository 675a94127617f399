package lvms.launcher.flag;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;

/** Durations as programs in Go take them: {@code 15s}, {@code 1m30s}, {@code 1.5h}. */
public final class GoDuration {
    private static final Pattern PART =
            Pattern.compile("(\\d+(?:\\.\\d*)?|\\.\\d+)(ns|us|ms|s|m|h)");
    private static final Map<String, Long> NANOS =
            Map.of(
                    "ns", 1L,
                    "us", 1_000L,
                    "ms", 1_000_000L,
                    "s", 1_000_000_000L,
                    "m", 60_000_000_000L,
                    "h", 3_600_000_000_000L);

    private GoDuration() {}

    /**
     * Reads a duration above zero.
     *
     * @throws UsageException with the flag's name
     */
    public static Duration of(Flags flags, String flag) throws UsageException {
        var text = flags.text(flag);
        var parts = PART.matcher(text);
        var nanos = BigDecimal.ZERO;
        int end = 0;
        while (end < text.length() && parts.find(end) && parts.start() == end) {
            var unit = BigDecimal.valueOf(NANOS.get(parts.group(2)));
            nanos = nanos.add(new BigDecimal(parts.group(1)).multiply(unit));
            end = parts.end();
        }
        boolean whole = end == text.length() && nanos.signum() > 0;
        if (!whole || nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
            throw new UsageException(
                    "flag --" + flag + "=" + text + ": must be a time such as 15s or 1m30s");
        }
        return Duration.ofNanos(nanos.longValue());
    }
}
