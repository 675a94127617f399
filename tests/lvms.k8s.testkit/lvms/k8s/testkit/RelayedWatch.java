package lvms.k8s.testkit;

import lvms.k8s.testkit.fault.WatchControl;
import lvms.k8s.testkit.http.Exchange;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/** The lines of another server's watch, with the faults that tests ask for. */
final class RelayedWatch {
    private static final long POLL_NANOS = 5_000_000;
    private static final String BOOKMARK = "{\"type\":\"BOOKMARK\"";

    private final Exchange exchange;
    private final WatchControl control;
    private final InputStream source;
    private final long ends;
    private final long cuts;
    private volatile boolean gone;
    private long sent;
    private boolean lost;

    RelayedWatch(Exchange exchange, WatchControl control, InputStream source) {
        this.exchange = exchange;
        this.control = control;
        this.source = source;
        ends = control.endCount();
        cuts = control.cutCount();
    }

    /** Relays the lines until either side or a fault ends them. */
    void run(String contentType) throws IOException {
        exchange.startStream(200, contentType);
        exchange.onDisconnect(
                () -> {
                    gone = true;
                    look();
                });
        boolean whole = copy();
        awaitOver();
        if (gone) {
            return;
        }
        if (control.cutCount() != cuts) {
            control.hits().count("cutWatches");
            exchange.cut();
        } else if (!whole) {
            exchange.cut();
        } else {
            control.hits().count(control.endCount() != ends ? "endWatches" : "timeoutSeconds");
            exchange.endStream();
        }
    }

    /** A stream that lost something stays open and silent until the client or a test ends it. */
    private void awaitOver() {
        while (lost && !over()) {
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** Returns whether the stream ended properly: at its source, or on demand. */
    private boolean copy() throws IOException {
        try (var lines =
                new BufferedReader(new InputStreamReader(source, StandardCharsets.UTF_8))) {
            for (var line = lines.readLine(); line != null && !over(); line = lines.readLine()) {
                deliver(line);
            }
            return true;
        } catch (IOException e) {
            return over();
        }
    }

    private void deliver(String line) throws IOException {
        if (!lost && control.stalled()) {
            lost = true; // nothing may follow what was lost
            control.hits().count("stallWatches");
        }
        if (lost) {
            return;
        }
        send(line);
        if (control.duplicates() && !line.startsWith(BOOKMARK)) {
            send(line);
            control.hits().count("duplicateEvents");
        }
    }

    private void send(String line) throws IOException {
        if (gone) {
            return;
        }
        var bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
        long left = control.cutAfterBytes() - sent;
        if (bytes.length > left) {
            if (left > 0) {
                exchange.chunk(Arrays.copyOf(bytes, (int) left));
                control.hits().count("cutWatchesAfter");
            }
            gone = true;
            exchange.cut();
            return;
        }
        sent += bytes.length;
        control.send(exchange, bytes);
    }

    private boolean over() {
        return gone || control.endCount() != ends || control.cutCount() != cuts;
    }

    /** Wakes the reader if the watch must end. */
    void look() {
        if (over()) {
            try {
                source.close();
            } catch (IOException _) {
                // It was to be closed anyway.
            }
        }
    }
}
