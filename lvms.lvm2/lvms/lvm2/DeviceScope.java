package lvms.lvm2;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Which block devices an LVM command may see ({@code --devices}). */
public sealed interface DeviceScope {
    /** The devices that LVM's own configuration allows: for reads, not for changes. */
    record Configured() implements DeviceScope {}

    /**
     * These devices and no others. A volume group that has a physical volume elsewhere looks
     * partial, and LVM then refuses to change it.
     *
     * @param devices paths below {@code /dev}
     */
    record Only(List<Path> devices) implements DeviceScope {
        /** Sorts and checks the paths. */
        public Only {
            devices = List.copyOf(new TreeSet<>(devices));
            Grammar.requireDevices(devices);
        }
    }

    /** Returns a scope of these devices. */
    static DeviceScope only(Collection<Path> devices) {
        return new Only(List.copyOf(devices));
    }

    /** Returns a scope that also holds these devices; the configured one stays as it is. */
    default DeviceScope with(Collection<Path> more) {
        return switch (this) {
            case Configured() -> this;
            case Only(var devices) -> {
                var all = new TreeSet<>(devices);
                all.addAll(Set.copyOf(more));
                yield only(all);
            }
        };
    }
}
