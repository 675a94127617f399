package lvms.k8s.object;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Durations as Go writes them, and with it the API: {@code 15s}, {@code 1m30s}, {@code 1.5h}. */
public final class Durations {
    private static final Pattern PART =
            Pattern.compile("(\\d+(?:\\.\\d*)?|\\.\\d+)(ns|us|\u00B5s|\u03BCs|ms|s|m|h)");
    private static final Map<String, Long> NANOS =
            Map.of(
                    "ns", 1L,
                    "us", 1_000L,
                    "\u00B5s", 1_000L, // the micro sign
                    "\u03BCs", 1_000L, // the Greek letter
                    "ms", 1_000_000L,
                    "s", 1_000_000_000L,
                    "m", 60_000_000_000L,
                    "h", 3_600_000_000_000L);

    private Durations() {}

    /** Reads a duration above zero; empty if the text is something else. */
    public static Optional<Duration> read(String text) {
        var parts = PART.matcher(text);
        var nanos = BigDecimal.ZERO;
        int end = 0;
        while (end < text.length() && parts.find(end) && parts.start() == end) {
            var unit = BigDecimal.valueOf(NANOS.get(parts.group(2)));
            nanos = nanos.add(new BigDecimal(parts.group(1)).multiply(unit));
            end = parts.end();
        }
        boolean whole = end == text.length() && nanos.signum() > 0;
        return whole && nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0
                ? Optional.of(Duration.ofNanos(nanos.longValue()))
                : Optional.empty();
    }
}
