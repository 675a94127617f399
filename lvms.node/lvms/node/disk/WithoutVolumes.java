package lvms.node.disk;

import lvms.lvm2.device.DeviceEvent;
import lvms.lvm2.device.Uevent;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Passes on what happens to devices other than logical volumes. Each volume that is made or removed
 * has several events, and a look at all devices after them reads a file of each volume there is.
 *
 * <p>A device that is gone no longer says what it was, so the names of the volumes are remembered;
 * of one that nobody remembers the event is passed on. One thread calls.
 */
final class WithoutVolumes implements Consumer<DeviceEvent> {
    private final Path sysBlock;
    private final Consumer<DeviceEvent> listener;
    private final Set<String> volumes = new HashSet<>();

    WithoutVolumes(Path sysBlock, Consumer<DeviceEvent> listener) {
        this.sysBlock = sysBlock;
        this.listener = listener;
    }

    @Override
    public void accept(DeviceEvent event) {
        boolean ofVolume =
                switch (event) {
                    case DeviceEvent.Appeared(var uevent) -> isVolume(uevent);
                    case DeviceEvent.Changed(var uevent) -> isVolume(uevent);
                    case DeviceEvent.Vanished(var uevent) -> volumes.remove(uevent.kernelName());
                    case DeviceEvent.Lost() -> false;
                };
        if (!ofVolume) {
            listener.accept(event);
        }
    }

    private boolean isVolume(Uevent uevent) {
        var name = uevent.kernelName();
        if (!name.startsWith("dm-")) {
            return false;
        }
        var uuid = DmUuid.of(sysBlock, name);
        if (uuid.isEmpty()) {
            return volumes.contains(name); // it went before its event was read
        }
        if (uuid.get().isLogicalVolume()) {
            volumes.add(name);
        } else {
            volumes.remove(name); // the number has another device now
        }
        return uuid.get().isLogicalVolume();
    }
}
