package lvms.k8s.testkit.read;

import com.google.gson.JsonObject;

import lvms.k8s.testkit.fault.WatchControl;
import lvms.k8s.testkit.http.Exchange;
import lvms.k8s.testkit.store.Store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The bytes of one watch, with the faults that tests ask for. */
final class WatchStream {
    private final Exchange exchange;
    private final WatchControl control;
    private final Store store;
    private volatile boolean gone;
    private boolean opened;
    private boolean lost;
    private boolean first = true;
    private long sent;

    WatchStream(Exchange exchange, WatchControl control, Store store) {
        this.exchange = exchange;
        this.control = control;
        this.store = store;
    }

    void open() throws IOException {
        if (opened) {
            return;
        }
        opened = true;
        exchange.startStream(200, "application/json");
        exchange.onDisconnect(
                () -> {
                    gone = true;
                    store.wakeAll();
                });
    }

    boolean opened() {
        return opened;
    }

    /** Whether the client has gone, or the connection was cut. */
    boolean gone() {
        return gone;
    }

    /** Whether it lost an event, so that nothing follows, not even its end. */
    boolean lost() {
        return lost;
    }

    /** Whether no event was sent yet. */
    boolean first() {
        return first;
    }

    void send(String type, JsonObject object) throws IOException {
        first = false;
        if (!lost && control.stalled()) {
            lost = true; // nothing may follow what was lost
            control.hits().count("stallWatches");
        }
        if (gone || lost) {
            return;
        }
        var bytes = Watcher.line(type, object).getBytes(StandardCharsets.UTF_8);
        long left = control.cutAfterBytes() - sent;
        if (bytes.length > left) {
            if (left > 0) {
                exchange.chunk(Arrays.copyOf(bytes, (int) left));
                control.hits().count("cutWatchesAfter");
            }
            cut();
            return;
        }
        sent += bytes.length;
        control.send(exchange, bytes);
    }

    void cut() throws IOException {
        gone = true;
        exchange.cut();
    }

    void end() throws IOException {
        if (!gone) {
            exchange.endStream();
        }
    }
}
