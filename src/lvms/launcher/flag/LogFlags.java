package lvms.launcher.flag;

import lvms.log.LogSettings;
import lvms.log.LogWords;

import java.util.List;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.stream.Stream;

/**
 * The flags that say how a process logs: ours, and those of klog and zap, by which predecessors
 * were told. Of several levels the most verbose one counts.
 */
public final class LogFlags {
    private static final String LEVEL = "log-level";
    private static final String FORMAT = "log-format";
    private static final String KLOG = "v";
    private static final String MODULES = "vmodule";
    private static final String ZAP = "zap-log-level";
    private static final String DEVELOPMENT = "zap-devel";
    private static final String ENCODER = "zap-encoder";
    private static final String TRACES = "zap-stacktrace-level";
    private static final String TIME = "zap-time-encoding";

    private LogFlags() {}

    public static List<Flag> flags() {
        return List.of(
                text(LEVEL, "log from here on: error, warning, info, debug or trace"),
                text(FORMAT, "lines of the log: text or json"),
                text(KLOG, "verbosity as klog counts: 4 is debug, 5 and more is trace"),
                text(MODULES, "verbosity of classes, or of names with dots: pattern=number, ..."),
                text(ZAP, "level as zap says it: debug, info, error, or a number"),
                new Flag(DEVELOPMENT, Flag.Kind.SWITCH, "false", "log at debug, as text"),
                text(ENCODER, "lines of the log as zap says it: console or json"),
                text(TRACES, "stack traces from this level of zap on; all if not given"),
                text(TIME, "times in JSON: epoch, millis, nano, or as text"));
    }

    private static Flag text(String name, String meaning) {
        return new Flag(name, Flag.Kind.TEXT, "", meaning);
    }

    /** Reads the settings that the flags ask for. */
    public static LogSettings read(Flags flags) throws UsageException {
        boolean development = flags.on(DEVELOPMENT);
        var settings = LogSettings.DEFAULT.level(level(flags, development));
        var encoder = word(flags, ENCODER, LogWords::json, development ? false : settings.json());
        settings =
                settings.json(word(flags, FORMAT, LogWords::json, encoder))
                        .time(word(flags, TIME, LogWords::time, settings.time()))
                        .traces(word(flags, TRACES, LogWords::zap, settings.traces()));
        return settings.parts(word(flags, MODULES, LogWords::vmodule, settings.parts()));
    }

    private static Level level(Flags flags, boolean development) throws UsageException {
        var none = Level.OFF;
        var asked =
                Stream.of(
                                word(flags, LEVEL, LogWords::level, none),
                                word(flags, KLOG, LogWords::klog, none),
                                word(flags, ZAP, LogWords::zap, none),
                                development ? Level.FINE : none)
                        .reduce(none, LogSettings::verbose);
        return asked == none ? LogSettings.DEFAULT.level() : asked;
    }

    /** Reads one flag; the fallback if it is not given. */
    public static <T> T word(Flags flags, String name, Function<String, T> read, T fallback)
            throws UsageException {
        var text = flags.text(name);
        try {
            return text.isEmpty() ? fallback : read.apply(text);
        } catch (IllegalArgumentException e) {
            var flag = text(name, "");
            throw new UsageException("flag " + flag.text() + "=" + text + ": " + e.getMessage());
        }
    }
}
