package lvms.lvm2.device;

import java.util.List;
import java.util.Optional;

/**
 * What an examination found, at one moment.
 *
 * @param device the device
 * @param content what libblkid finds on it; empty if it was not or could not be read
 * @param obstacles why it is not free; empty if it is proved free
 */
public record DeviceExamination(
        BlockDevice device, Optional<Signatures> content, List<Obstacle> obstacles) {
    public DeviceExamination {
        obstacles = List.copyOf(obstacles);
    }

    /** Returns whether it is proved that nobody uses the device and that nothing is on it. */
    public boolean free() {
        return obstacles.isEmpty();
    }

    /** Returns what identifies the device wherever it is plugged in. */
    public DeviceIdentity identity() {
        return DeviceIdentity.of(device, content);
    }
}
