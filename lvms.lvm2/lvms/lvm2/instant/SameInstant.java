package lvms.lvm2.instant;

import lvms.lvm2.ffi.DmControl;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Takes thin snapshots anew, all of one instant. The caller sees to it that nobody else changes the
 * pools.
 *
 * @param copies the snapshots, at least one
 */
public record SameInstant(List<ThinCopy> copies) {
    public SameInstant {
        copies = List.copyOf(copies);
    }

    /**
     * Removes the snapshots and takes them anew while the I/O of all sources waits, and that of
     * other devices with them. The caller releases the devices, also after a failure; then some
     * snapshots may have no device.
     *
     * @param others devices that the caller takes snapshots of while they still wait
     * @throws IOException if one could not be taken, or if the devices did not wait until the end
     */
    public void take(HeldDevices held, List<String> others)
            throws IOException, InterruptedException {
        var sources = copies.stream().map(ThinCopy::source).flatMap(Optional::stream).toList();
        var all = new ArrayList<>(sources);
        all.addAll(others);
        try (var kernel = DmControl.open()) {
            for (var copy : copies) {
                kernel.message(copy.pool(), "delete " + copy.id());
            }
            held.hold(all);
            for (var copy : copies) {
                kernel.message(copy.pool(), "create_snap " + copy.id() + " " + copy.sourceId());
            }
            for (var device : all) {
                held.requireHeld(device);
            }
            held.requireTime();
        }
    }
}
