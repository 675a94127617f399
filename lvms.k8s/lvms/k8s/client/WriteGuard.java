package lvms.k8s.client;

import java.time.Duration;

/**
 * Says how long this process may still write, as the holder of a lease that others wait for. It is
 * asked before each attempt of a write, repeats included, and again while a write waits for its
 * answer. Any thread may call; it returns at once.
 *
 * <p>To open a stream of a pod (exec, attach, port-forward) is a write. One that is open goes on.
 */
@FunctionalInterface
public interface WriteGuard {
    /** Allows every write. */
    WriteGuard NONE = () -> Duration.ofNanos(Long.MAX_VALUE);

    /** Returns the time that is left; zero or less means that nothing may be written any more. */
    Duration left();
}
