package lvms.log;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import lvms.api.Names;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * The log of this process: as its flags say, until an annotation says something else. Any thread
 * may call.
 *
 * <p>Only our own loggers say more than INFO: libraries would drown them.
 */
public final class Logging {
    private static final System.Logger LOG = System.getLogger(Logging.class.getName());

    /** Kept, since the log manager forgets loggers that nobody holds. */
    private final Logger root;

    private final Logger ours;
    private final LogSettings flags;
    private LogSettings inForce;
    private Map<String, String> wishes = Map.of();

    Logging(LogSettings flags, Logger root, Logger ours) {
        this.root = root;
        this.ours = ours;
        this.flags = flags;
        inForce = flags;
        apply(flags);
    }

    /** Brings the settings of the flags into force. */
    public static Logging start(LogSettings flags) {
        return new Logging(flags, Logger.getLogger(""), Logger.getLogger("lvms"));
    }

    /**
     * Follows the annotations of an object that say how to log; without them, the flags count. A
     * word that is not known counts as absent and is one line in the log.
     */
    public synchronized void follow(Map<String, String> annotations) {
        if (annotations.equals(wishes)) {
            return;
        }
        wishes = Map.copyOf(annotations);
        var level = wish(Names.LOG_LEVEL_ANNOTATION, LogWords::level).orElse(flags.level());
        boolean json = wish(Names.LOG_FORMAT_ANNOTATION, LogWords::json).orElse(flags.json());
        var wanted = flags.level(level).json(json);
        if (!wanted.equals(inForce)) {
            inForce = wanted;
            apply(wanted);
            LOG.log(
                    INFO,
                    () -> "log settings changed level=" + LogWords.of(level) + " json=" + json);
        }
    }

    private <T> Optional<T> wish(String key, Function<String, T> read) {
        var word = wishes.get(key);
        try {
            return Optional.ofNullable(word).map(read);
        } catch (IllegalArgumentException e) {
            LOG.log(WARNING, () -> "annotation " + key + "=" + word + ": " + e.getMessage());
            return Optional.empty();
        }
    }

    private void apply(LogSettings settings) {
        ours.setLevel(settings.most());
        boolean quiet = settings.level().intValue() > Level.INFO.intValue();
        root.setLevel(quiet ? settings.level() : Level.INFO);
        for (var handler : root.getHandlers()) {
            handler.setLevel(Level.ALL);
            handler.setFormatter(new LogFormatter(settings, text(handler)));
            handler.setFilter(
                    settings.parts().isEmpty()
                            ? null
                            : event ->
                                    event.getLevel().intValue()
                                            >= settings.levelOf(name(event)).intValue());
        }
    }

    private static String name(LogRecord event) {
        return event.getLoggerName() == null ? "" : event.getLoggerName();
    }

    private static Formatter text(Handler handler) {
        return handler.getFormatter() instanceof LogFormatter ours
                ? ours.text()
                : handler.getFormatter();
    }
}
