package lvms.api;

import java.util.List;
import java.util.Optional;

/**
 * The drivers that a process serves.
 *
 * @param all each of them, in no special order
 */
public record Drivers(List<Driver> all) {
    /** What a new cluster has. */
    public static final Drivers DEFAULT = of(Driver.TOPOLVM);

    /** Checks that there is one, and none twice. */
    public Drivers {
        all = List.copyOf(all);
        if (all.isEmpty() || all.stream().distinct().count() < all.size()) {
            throw new IllegalArgumentException(
                    "expected at least one driver and each once, found " + all);
        }
    }

    /** Returns a set of these. */
    public static Drivers of(Driver... drivers) {
        return new Drivers(List.of(drivers));
    }

    /**
     * Returns the driver of this name: of a StorageClass or a claim its provisioner, of a
     * PersistentVolume or a snapshot its driver. Empty if somebody else serves it.
     */
    public Optional<Driver> named(String name) {
        return all.stream().filter(driver -> driver.name().equals(name)).findFirst();
    }

    /** Returns whether one of them has this name. */
    public boolean serve(String name) {
        return named(name).isPresent();
    }
}
