package lvms.api;

import java.util.List;
import java.util.Optional;

/**
 * The drivers that a process serves.
 *
 * @param all all the drivers, in no particular order
 */
public record Drivers(List<Driver> all) {
    /** The drivers of a new cluster. */
    public static final Drivers DEFAULT = of(Driver.TOPOLVM);

    /** Checks that there is at least one, and none twice. */
    public Drivers {
        all = List.copyOf(all);
        if (all.isEmpty() || all.stream().distinct().count() < all.size()) {
            throw new IllegalArgumentException(
                    "expected at least one driver and each once, found " + all);
        }
    }

    /** Returns the set of these drivers. */
    public static Drivers of(Driver... drivers) {
        return new Drivers(List.of(drivers));
    }

    /**
     * Returns the driver of this name, empty if somebody else serves it. StorageClasses and claims
     * give the name as their provisioner, PersistentVolumes and snapshots as their driver.
     */
    public Optional<Driver> named(String name) {
        return all.stream().filter(driver -> driver.name().equals(name)).findFirst();
    }

    /** Returns whether one of them has this name. */
    public boolean serve(String name) {
        return named(name).isPresent();
    }
}
