package lvms.tests.support;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What our own classes write to the log at INFO and above, while it is open. */
public final class LogRecords extends Handler implements AutoCloseable {
    private final Logger ours = Logger.getLogger("lvms");
    private final List<String> lines = new CopyOnWriteArrayList<>();

    /** Begins to listen. */
    public LogRecords() {
        setLevel(Level.INFO);
        ours.addHandler(this);
    }

    /** Returns the lines that begin with this. */
    public List<String> beginning(String words) {
        return lines.stream().filter(line -> line.startsWith(words)).toList();
    }

    @Override
    public void publish(LogRecord logged) {
        lines.add(logged.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        ours.removeHandler(this);
    }
}
