package lvms.k8s.health;

import java.util.function.BooleanSupplier;

/**
 * One thing that must be healthy.
 *
 * @param name one word, shown to whoever asks
 * @param passes whether it is healthy now; must return at once
 */
public record Check(String name, BooleanSupplier passes) {
    /** The check that a process answers at all. */
    public static final Check PING = new Check("ping", () -> true);
}
