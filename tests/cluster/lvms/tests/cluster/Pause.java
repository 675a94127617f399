package lvms.tests.cluster;

import java.io.InterruptedIOException;

/** The pause between two looks at something that is awaited. */
final class Pause {
    private static final long MILLIS = 20;

    private Pause() {}

    static void briefly() throws InterruptedIOException {
        try {
            Thread.sleep(MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting");
        }
    }
}
