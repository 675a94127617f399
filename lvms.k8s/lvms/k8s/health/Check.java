package lvms.k8s.health;

import java.util.function.BooleanSupplier;

/**
 * One thing that has to be well.
 *
 * @param name shown to whoever asks; a word
 * @param passes whether it is well now; must return at once
 */
public record Check(String name, BooleanSupplier passes) {
    /** The check that a process answers at all. */
    public static final Check PING = new Check("ping", () -> true);
}
