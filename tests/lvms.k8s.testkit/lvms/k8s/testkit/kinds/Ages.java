package lvms.k8s.testkit.kinds;

import com.google.gson.JsonElement;

import lvms.k8s.testkit.json.Json;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;

/** Durations in the words of {@code kubectl get}. */
public final class Ages {
    private Ages() {}

    /** How long ago a time was. */
    public static String since(JsonElement time) {
        return Json.isString(time) ? since(time.getAsString()) : "<invalid>";
    }

    /** How long ago a time was. */
    public static String since(String time) {
        try {
            return human(Duration.between(OffsetDateTime.parse(time).toInstant(), Instant.now()));
        } catch (DateTimeException _) {
            return "<invalid>";
        }
    }

    /** A duration for people: at most two units. */
    public static String human(Duration duration) {
        long seconds = duration.toSeconds();
        if (seconds < -1) {
            return "<invalid>";
        }
        seconds = Math.max(0, seconds);
        if (seconds < 120) {
            return seconds + "s";
        }
        long minutes = seconds / 60;
        if (minutes < 10) {
            return two(minutes, "m", seconds % 60, "s");
        }
        if (minutes < 180) {
            return minutes + "m";
        }
        long hours = minutes / 60;
        if (hours < 8) {
            return two(hours, "h", minutes % 60, "m");
        }
        if (hours < 48) {
            return hours + "h";
        }
        long days = hours / 24;
        if (days < 8) {
            return two(days, "d", hours % 24, "h");
        }
        if (days < 730) {
            return days + "d";
        }
        return two(days / 365, "y", days % 365, "d");
    }

    private static String two(long first, String unit, long second, String smaller) {
        return second == 0 ? first + unit : first + unit + second + smaller;
    }
}
