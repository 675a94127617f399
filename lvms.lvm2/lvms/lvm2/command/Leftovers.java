package lvms.lvm2.command;

import lvms.lvm2.LvmException;
import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.report.Columns;
import lvms.lvm2.system.Program;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * Devices that LVM never removes, left in the device-mapper by a change that was cut short: images
 * made before the metadata that would have named them, and devices without a table. LVM cannot make
 * other devices under these names, and says that they are busy.
 *
 * <p>Removing such a device removes a mapping, not data. Only a closed one is removed (the kernel
 * refuses others), and by its UUID, which LVM gives to no other volume. LVM's report, which waits
 * for changes of other programs, is read after the device was seen. If LVM does not know the device
 * then, no running change is about to commit it.
 */
record Leftovers(CommandRunner commands, KernelView kernel) {
    private static final System.Logger LOG = System.getLogger(Leftovers.class.getName());
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    /**
     * Removes the leftovers of a group.
     *
     * @param cut whether a change of the group was cut short: then a part of a volume that nothing
     *     holds open belongs to a volume that was not activated to the end
     */
    void remove(String vg, boolean cut) throws LvmException, InterruptedException {
        while (removeOnce(vg, cut)) { // what was below them is closed now
            LOG.log(Level.DEBUG, () -> "looking for more leftovers vg=" + vg);
        }
    }

    private boolean removeOnce(String vg, boolean cut) throws LvmException, InterruptedException {
        var devices =
                Recovery.devices(vg::equals, kernel.deviceMapper()).stream()
                        .filter(Leftovers::mayBeLeft)
                        .toList();
        if (devices.isEmpty()) {
            return false;
        }
        var known = known(vg);
        boolean removed = false;
        for (var device : devices) {
            if (isLeft(device, known, cut) && isStill(device, vg)) {
                removed |= remove(device);
            }
        }
        return removed;
    }

    /** A program that waited for the report's lock may have given it a table. */
    private boolean isStill(DeviceMapper.State device, String vg)
            throws LvmException, InterruptedException {
        return Recovery.devices(vg::equals, kernel.deviceMapper()).stream()
                .anyMatch(
                        now ->
                                now.uuid().equals(device.uuid())
                                        && now.targets().equals(device.targets())
                                        && now.openCount() == 0);
    }

    /** Returns the volumes of a group by their UUIDs, and whether only LVM uses them. */
    private Map<String, Boolean> known(String vg) throws LvmException, InterruptedException {
        return commands.report("lvs", "lv_uuid,lv_name", List.of("-a", vg)).rows("lv").stream()
                .collect(
                        Collectors.toMap(
                                row -> Columns.text(row, "lv_uuid"),
                                row -> Columns.isHidden(Columns.text(row, "lv_name")),
                                Boolean::logicalAnd));
    }

    /** A volume with a name of its own may hold data, so it counts only if it has no table. */
    static boolean mayBeLeft(DeviceMapper.State device) {
        return device.openCount() == 0
                && KernelView.lvUuid(device).isPresent()
                && (device.targets().isEmpty() || isInternal(device));
    }

    /** The mirror of a move has no other holders than the volumes that it moves. */
    private static boolean isInternal(DeviceMapper.State device) {
        return isPart(device) || Recovery.isMove(device);
    }

    /**
     * The layer of a pool is held open by the pool, or by its active volumes, and the store of a
     * thick snapshot by the snapshot.
     */
    static boolean isPart(DeviceMapper.State device) {
        return Recovery.isHidden(device) || device.isLayer("tpool") || device.isLayer("cow");
    }

    /**
     * Returns whether a device that may be left is.
     *
     * @param known the UUIDs of the volumes that LVM knows, and whether only LVM uses them: an old
     *     LVM lets a person choose a name that a newer one reserves
     * @param cut whether a change of the group was cut short
     */
    static boolean isLeft(DeviceMapper.State device, Map<String, Boolean> known, boolean cut) {
        var hidden = KernelView.lvUuid(device).map(known::get);
        return device.targets().isEmpty()
                || hidden.isEmpty()
                || cut && isPart(device) && (hidden.get() || !device.isLayer(""));
    }

    /** Given a UUID, dmsetup does not remove the node, and without udev nobody else does. */
    private boolean remove(DeviceMapper.State device) throws InterruptedException {
        try {
            var removed = dmsetup("remove", "--noudevsync", "--uuid", device.uuid());
            if (!commands.options().udev()) {
                dmsetup("mknodes", device.name());
            }
            LOG.log(Level.WARNING, () -> removal(device, removed));
            return removed.succeeded();
        } catch (IOException | TimeoutException e) {
            LOG.log(
                    Level.ERROR,
                    () ->
                            "cannot remove a device that a killed command left device="
                                    + device.name()
                                    + ": "
                                    + e);
            return false;
        }
    }

    private static String removal(DeviceMapper.State device, Program.Result result) {
        return "removed a device that a killed command left device=%s targets=%s status=%d %s"
                .formatted(
                        device.name(), device.targets(), result.status(), result.stderr().strip());
    }

    private static Program.Result dmsetup(String... arguments)
            throws IOException, TimeoutException, InterruptedException {
        var words = new ArrayList<>(List.of("dmsetup"));
        words.addAll(List.of(arguments));
        return Program.of(DEADLINE, words.toArray(String[]::new)).run();
    }
}
