package lvms.log;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;

/**
 * The words of the flags and annotations for levels: our own, klog's numbers and zap's words.
 *
 * <p>Each method throws IllegalArgumentException with what the word must be.
 */
public final class LogWords {
    private static final int KLOG_DEBUG = 4; // Kubernetes' convention for klog's V levels

    private LogWords() {}

    /** Reads {@code error}, {@code warning}, {@code info}, {@code debug} or {@code trace}. */
    public static Level level(String word) {
        return switch (word) {
            case "error" -> Level.SEVERE;
            case "warning", "warn" -> Level.WARNING;
            case "info" -> Level.INFO;
            case "debug" -> Level.FINE;
            case "trace" -> Level.FINER;
            default ->
                    throw new IllegalArgumentException(
                            "must be error, warning, info, debug or trace");
        };
    }

    /** The words of zap, which programs that read JSON logs know. */
    static String of(Level level) {
        int value = level.intValue();
        return value >= Level.SEVERE.intValue()
                ? "error"
                : value >= Level.WARNING.intValue()
                        ? "warn"
                        : value >= Level.INFO.intValue()
                                ? "info"
                                : value >= Level.FINE.intValue() ? "debug" : "trace";
    }

    /** Reads {@code json} or {@code text}; returns whether it is JSON. */
    public static boolean json(String word) {
        return switch (word) {
            case "json" -> true;
            case "text", "console" -> false;
            default -> throw new IllegalArgumentException("must be text or json");
        };
    }

    /** Reads a verbosity of klog: 4 is debug, 5 and more is trace. */
    public static Level klog(String number) {
        int verbosity = number(number, "must be a number, such as 4 for debug");
        return verbosity < KLOG_DEBUG
                ? Level.INFO
                : verbosity == KLOG_DEBUG ? Level.FINE : Level.FINER;
    }

    /** Reads a level of zap: a word, or a number of which 1 is debug. Errors are never hidden. */
    public static Level zap(String word) {
        return switch (word) {
            case "debug", "info", "warn", "error" -> level(word);
            case "panic" -> Level.SEVERE;
            default -> {
                int verbosity = number(word, "must be debug, info, error, panic or a number");
                yield verbosity == 0 ? Level.INFO : verbosity == 1 ? Level.FINE : Level.FINER;
            }
        };
    }

    private static int number(String text, String complaint) {
        if (!text.matches("\\d{1,4}")) {
            throw new IllegalArgumentException(complaint);
        }
        return Integer.parseInt(text);
    }

    /** Reads klog's {@code PATTERN=N,...}; a pattern is a class, or a package with its dots. */
    public static List<LogSettings.Part> vmodule(String text) {
        var parts = new ArrayList<LogSettings.Part>();
        for (var item : text.split(",")) {
            int equals = item.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("must be pattern=number, joined by commas");
            }
            parts.add(
                    LogSettings.Part.of(
                            item.substring(0, equals), klog(item.substring(equals + 1))));
        }
        return parts;
    }

    /** Reads zap's time encodings. */
    public static LogSettings.Time time(String word) {
        return switch (word) {
            case "epoch" -> LogSettings.Time.SECONDS;
            case "millis" -> LogSettings.Time.MILLISECONDS;
            case "nano" -> LogSettings.Time.NANOSECONDS;
            case "iso8601", "rfc3339", "rfc3339nano" -> LogSettings.Time.TEXT;
            default ->
                    throw new IllegalArgumentException(
                            "must be epoch, millis, nano, iso8601, rfc3339 or rfc3339nano");
        };
    }
}
