package lvms.node.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Whose a device of the device-mapper is, as sysfs says it.
 *
 * @param text begins with {@code LVM-} for whatever is LVM's, hidden layers too
 */
record DmUuid(String text) {
    /**
     * Reads it; empty if the device is gone, or about to go (EINVAL).
     *
     * @param sysBlock {@code /sys/block}
     * @param kernelName such as {@code dm-3}
     */
    static Optional<DmUuid> of(Path sysBlock, String kernelName) {
        try {
            var file = sysBlock.resolve(kernelName).resolve("dm/uuid");
            return Optional.of(new DmUuid(Files.readString(file)));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    boolean isLogicalVolume() {
        return text.startsWith("LVM-");
    }
}
