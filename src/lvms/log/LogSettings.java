package lvms.log;

import java.util.List;
import java.util.logging.Level;
import java.util.regex.Pattern;

/**
 * What is logged, and how.
 *
 * @param level from which level on
 * @param json whether lines are JSON objects
 * @param traces from which level on failures come with their stack trace
 * @param time how JSON writes times
 * @param parts parts of the program with a level of their own; the first that fits counts
 */
public record LogSettings(Level level, boolean json, Level traces, Time time, List<Part> parts) {
    /** Text from INFO on, with all stack traces. */
    public static final LogSettings DEFAULT =
            new LogSettings(Level.INFO, false, Level.ALL, Time.TEXT, List.of());

    public LogSettings {
        parts = List.copyOf(parts);
    }

    /** How JSON writes times. */
    public enum Time {
        /** RFC 3339 in UTC. */
        TEXT,
        /** Since 1970, with a fraction. */
        SECONDS,
        /** Since 1970, with a fraction. */
        MILLISECONDS,
        /** Since 1970. */
        NANOSECONDS
    }

    /**
     * A part of the program.
     *
     * @param name matches names of loggers
     * @param level from which level on it logs
     */
    public record Part(Pattern name, Level level) {
        /**
         * Returns the loggers that a pattern with {@code *} and {@code ?} names: one with a dot by
         * the whole name, one without by the last part, the class.
         */
        static Part of(String glob, Level level) {
            var text = new StringBuilder();
            for (var c : glob.toCharArray()) {
                text.append(c == '*' ? ".*" : c == '?' ? "." : Pattern.quote("" + c));
            }
            boolean whole = glob.indexOf('.') >= 0;
            return new Part(Pattern.compile(whole ? text.toString() : "(.*\\.)?" + text), level);
        }
    }

    public LogSettings level(Level other) {
        return new LogSettings(other, json, traces, time, parts);
    }

    public LogSettings json(boolean other) {
        return new LogSettings(level, other, traces, time, parts);
    }

    public LogSettings traces(Level other) {
        return new LogSettings(level, json, other, time, parts);
    }

    public LogSettings time(Time other) {
        return new LogSettings(level, json, traces, other, parts);
    }

    public LogSettings parts(List<Part> others) {
        return new LogSettings(level, json, traces, time, others);
    }

    /** Returns from which level on the logger of this name logs. */
    Level levelOf(String logger) {
        return parts.stream()
                .filter(part -> part.name().matcher(logger).matches())
                .map(Part::level)
                .findFirst()
                .orElse(level);
    }

    /** Returns the most verbose level of all. */
    Level most() {
        return parts.stream().map(Part::level).reduce(level, LogSettings::verbose);
    }

    /** Returns the more verbose of two levels. */
    public static Level verbose(Level a, Level b) {
        return a.intValue() < b.intValue() ? a : b;
    }
}
