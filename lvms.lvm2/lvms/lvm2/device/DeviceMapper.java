package lvms.lvm2.device;

import lvms.lvm2.Grammar;
import lvms.lvm2.LvName;
import lvms.lvm2.system.DeviceNumber;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Device-mapper devices, straight from the kernel: no process, no LVM lock, no flush. Any thread
 * may call. If the kernel does not answer within ten seconds, the call throws an {@link
 * IOException}; until it does, further questions about the same volume group fail at once, and
 * those about others are answered.
 */
public interface DeviceMapper {
    /** Returns the device-mapper of this machine; usable even before its module is loaded. */
    static DeviceMapper system() {
        return KernelDeviceMapper.INSTANCE;
    }

    /** Returns whether the kernel has a device-mapper now. */
    boolean available() throws IOException;

    /** Lists the devices: name and number. Empty without a device-mapper. */
    List<Device> list() throws IOException, InterruptedException;

    /** Reads the state of one device by its device-mapper name; empty if it does not exist. */
    Optional<State> state(String name) throws IOException, InterruptedException;

    /**
     * Reads the same, but for what the targets themselves have to tell: their status is empty. So
     * it is answered even while a pool's metadata device hangs.
     */
    default Optional<State> outline(String name) throws IOException, InterruptedException {
        return state(name);
    }

    /**
     * Reads how full a thin pool is; empty if it is not active or not a thin pool.
     *
     * @throws IOException also if the kernel's answer cannot be read
     */
    Optional<ThinPoolUsage> thinPool(LvName pool) throws IOException, InterruptedException;

    /**
     * Reads the state of a RAID volume; empty if it is not active or not RAID.
     *
     * @throws IOException also if the kernel's answer cannot be read
     */
    default Optional<RaidState> raid(LvName volume) throws IOException, InterruptedException {
        var status =
                state(Grammar.deviceMapperName(volume))
                        .flatMap(s -> s.targets().stream().findFirst())
                        .filter(target -> target.type().equals("raid"))
                        .map(Target::status);
        try {
            return status.map(RaidState::parse);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /**
     * Reads how full the store of a thick snapshot is; empty if it is not active or no such
     * snapshot.
     *
     * @throws IOException also if the kernel's answer cannot be read
     */
    default Optional<SnapshotUsage> snapshot(LvName volume)
            throws IOException, InterruptedException {
        var status =
                state(Grammar.deviceMapperName(volume))
                        .flatMap(s -> s.targets().stream().findFirst())
                        .filter(target -> target.type().equals("snapshot"))
                        .map(Target::status);
        try {
            return status.map(SnapshotUsage::parse);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /**
     * Drops the table that waits to be put in place in this very device, if there is one.
     *
     * @throws IOException also if the device is gone
     */
    default void clear(State device) throws IOException, InterruptedException {
        throw new IOException("read only");
    }

    /**
     * Lets the I/O of this very device go on, with the table that waits to be put in place, if
     * there is one. Nothing happens if it goes on already.
     *
     * @throws IOException also if the device is gone
     */
    default void resume(State device) throws IOException, InterruptedException {
        throw new IOException("read only");
    }

    /** Returns the names of all devices that are suspended: their I/O hangs. */
    List<String> suspended() throws IOException, InterruptedException;

    /**
     * One device.
     *
     * @param name its device-mapper name
     * @param number its number
     */
    record Device(String name, DeviceNumber number) {}

    /**
     * State of one device.
     *
     * @param name its device-mapper name
     * @param uuid its device-mapper UUID
     * @param number its number
     * @param suspended whether its I/O hangs
     * @param inactiveTable whether a loaded table waits for a resume
     * @param readOnly whether it is read only
     * @param openCount how often it is open
     * @param eventNumber counts events; to wait for an event, wait for this to change
     * @param targets its targets with their status
     */
    record State(
            String name,
            String uuid,
            DeviceNumber number,
            boolean suspended,
            boolean inactiveTable,
            boolean readOnly,
            int openCount,
            int eventNumber,
            List<Target> targets) {
        public State {
            targets = List.copyOf(targets);
        }

        /** Returns what LVM says of its device; empty if it is another program's. */
        public Optional<LvmUuid> lvm() {
            return LvmUuid.of(uuid);
        }

        /** Returns whether it is a layer of LVM of this kind, such as {@code cow}. */
        public boolean isLayer(String kind) {
            return lvm().filter(own -> own.layer().equals(kind)).isPresent();
        }
    }

    /**
     * Status of one target of a device.
     *
     * @param startBytes where it starts
     * @param sizeBytes its size
     * @param type such as {@code linear}, {@code thin-pool}
     * @param status status text of that type, as the kernel's documentation describes it
     */
    record Target(long startBytes, long sizeBytes, String type, String status) {}
}
