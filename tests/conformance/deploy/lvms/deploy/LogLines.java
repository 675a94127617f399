package lvms.deploy;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What this process logs for people while this is open: warnings and errors. */
final class LogLines implements AutoCloseable {
    private static final Logger PRODUCT = Logger.getLogger("lvms");

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Handler handler =
            new Handler() {
                @Override
                public void publish(LogRecord entry) {
                    if (entry.getLevel().intValue() >= Level.WARNING.intValue()) {
                        lines.add(entry.getMessage());
                    }
                }

                @Override
                public void flush() {}

                @Override
                public void close() {}
            };

    LogLines() {
        PRODUCT.addHandler(handler);
    }

    /** Returns the lines that hold the text. */
    List<String> with(String text) {
        return lines.stream().filter(line -> line.contains(text)).toList();
    }

    List<String> all() {
        return List.copyOf(lines);
    }

    @Override
    public void close() {
        PRODUCT.removeHandler(handler);
    }
}
