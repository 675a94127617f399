package lvms.k8s.client;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for a state. */
public final class Await {
    /** More than 1 where programs run by QEMU, which translates all of them. */
    private static final int PATIENCE = Integer.getInteger("lvms.patience", 1);

    private static final Duration LIMIT = longer(Duration.ofSeconds(30));

    private Await() {}

    /**
     * Returns how long to wait here for what takes so long at most where programs run by
     * themselves.
     */
    public static Duration longer(Duration usual) {
        return usual.multipliedBy(PATIENCE);
    }

    /** Returns when the state is reached, and fails if that takes 30 s, by QEMU longer. */
    public static void until(String state, BooleanSupplier reached) {
        until(() -> state, reached);
    }

    /** The same; the state that a failure tells is read when it fails. */
    public static void until(Supplier<String> state, BooleanSupplier reached) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!reached.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("not reached in " + LIMIT + ": " + state.get());
            }
            LockSupport.parkNanos(2_000_000);
        }
    }
}
