package lvms.k8s.client;

import java.time.Duration;

/**
 * How a watch begins and how long it lasts.
 *
 * @param resourceVersion send changes after this version; empty to send the present state first
 * @param initialEvents whether the server sends all objects first and marks their end with a
 *     bookmark
 * @param timeout after which the server ends the watch, in whole seconds
 */
public record WatchOptions(String resourceVersion, boolean initialEvents, Duration timeout) {
    /** Returns options of a watch that continues from a version. */
    public static WatchOptions from(String resourceVersion, Duration timeout) {
        return new WatchOptions(resourceVersion, false, timeout);
    }

    public static WatchOptions streamingList(Duration timeout) {
        return new WatchOptions("", true, timeout);
    }
}
