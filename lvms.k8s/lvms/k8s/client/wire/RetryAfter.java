package lvms.k8s.client.wire;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** The {@code Retry-After} header: seconds or an HTTP date, clamped to [1 s, 60 s]. */
public final class RetryAfter {
    private static final long MIN_SECONDS = 1;
    private static final long MAX_SECONDS = 60;

    private RetryAfter() {}

    public static Optional<Duration> parse(String header, Instant now) {
        var text = header.strip();
        if (isInteger(text)) {
            boolean huge = text.length() > 9;
            return Optional.of(clamp(huge ? MAX_SECONDS : Long.parseLong(text)));
        }
        if (text.startsWith("-")) {
            return Optional.of(clamp(0));
        }
        try {
            var at = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
            return Optional.of(clamp(Duration.between(now, at).toSeconds()));
        } catch (DateTimeException _) {
            return Optional.empty(); // garbage is not a request to wait
        }
    }

    private static boolean isInteger(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return !text.isEmpty();
    }

    public static Duration clamp(long seconds) {
        return Duration.ofSeconds(Math.clamp(seconds, MIN_SECONDS, MAX_SECONDS));
    }
}
