package lvms.log;

import lvms.k8s.object.Times;
import lvms.k8s.tree.ObjectTree;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;

/** Writes lines as the settings say; text is left to the formatter that was there. */
final class LogFormatter extends Formatter {
    private final LogSettings settings;
    private final Formatter text;

    LogFormatter(LogSettings settings, Formatter text) {
        this.settings = settings;
        this.text = text;
    }

    Formatter text() {
        return text;
    }

    @Override
    public String format(LogRecord event) {
        boolean traced =
                event.getThrown() != null
                        && event.getLevel().intValue() >= settings.traces().intValue();
        if (settings.json()) {
            return json(event, traced);
        }
        return event.getThrown() == null || traced
                ? text.format(event)
                : text.format(withoutTrace(event));
    }

    /** What failed stays in the line. */
    private static LogRecord withoutTrace(LogRecord event) {
        var line = new LogRecord(event.getLevel(), event.getMessage() + ": " + event.getThrown());
        line.setLoggerName(event.getLoggerName());
        line.setInstant(event.getInstant());
        return line;
    }

    private String json(LogRecord event, boolean traced) {
        var line = ObjectTree.builder();
        line.put("level", LogWords.of(event.getLevel()));
        time(line, event.getInstant());
        line.put("logger", event.getLoggerName() == null ? "" : event.getLoggerName());
        line.put("msg", formatMessage(event));
        if (event.getThrown() != null) {
            line.put("error", event.getThrown().toString());
        }
        if (traced) {
            line.put("stacktrace", trace(event.getThrown()));
        }
        return line.build() + "\n";
    }

    private void time(ObjectTree.Builder line, Instant time) {
        switch (settings.time()) {
            case TEXT -> line.put("ts", Times.micros(time));
            case SECONDS -> line.put("ts", time.toEpochMilli() / 1e3);
            case MILLISECONDS -> line.put("ts", time.toEpochMilli());
            case NANOSECONDS ->
                    line.put("ts", time.getEpochSecond() * 1_000_000_000L + time.getNano());
        }
    }

    private static String trace(Throwable thrown) {
        var trace = new StringWriter();
        thrown.printStackTrace(new PrintWriter(trace, true));
        return trace.toString();
    }
}
