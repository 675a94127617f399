package lvms.tests.bench;

import java.io.IOException;
import java.time.Duration;

/** A server of the image was not ready in time; the message names its log. */
public final class NotReady extends IOException {
    private static final long serialVersionUID = 1;
    private static final int OUT_OF_MEMORY = 3; // -XX:+ExitOnOutOfMemoryError

    private final String why;

    private NotReady(String name, String why) {
        super(name + ": " + why + ": see out/bench-" + name + ".log");
        this.why = why;
    }

    static NotReady ended(String name, int code, Duration after) {
        var reason = code == OUT_OF_MEMORY ? "out of memory" : "ended with code " + code;
        return new NotReady(name, reason + " after " + after.toSeconds() + " s");
    }

    static NotReady late(String name, Duration after) {
        return new NotReady(name, "not ready after " + after.toSeconds() + " s");
    }

    /** Returns the reason alone. */
    public String why() {
        return why;
    }
}
