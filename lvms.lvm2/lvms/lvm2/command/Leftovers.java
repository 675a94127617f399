package lvms.lvm2.command;

import lvms.lvm2.LvmException;
import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.filesystem.FileLock;
import lvms.lvm2.report.Columns;
import lvms.lvm2.system.Program;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
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
    private static final Duration PAUSE = Duration.ofMillis(50);

    /** A hidden device's name begins with that of what lies on it; a pool's layer is on top. */
    private static final Comparator<DeviceMapper.State> LOWEST =
            Comparator.comparing((DeviceMapper.State device) -> !Recovery.isHidden(device))
                    .thenComparing(device -> -device.name().length());

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
    private static boolean isPart(DeviceMapper.State device) {
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

    /**
     * Drops the tables that a killed change loaded into devices of a group and did not put in
     * force. If the change was not written down, LVM finds the table in force as it should be,
     * loads none, and by its resume the kernel takes the one that is there: a larger volume would
     * then hold extents that LVM gives to another one, and one image of a mirror would be written
     * alone. If it was written down, LVM loads the table again.
     */
    void clearTables(String vg) throws LvmException, InterruptedException {
        long deadline = System.nanoTime() + commands.options().lockWait().toNanos();
        while (!loaded(vg).isEmpty()) {
            if (System.nanoTime() > deadline) {
                throw new LvmException.LockBusy(
                        vg + ": tables that nobody put in force stay loaded in its devices");
            }
            if (!clearedTables(vg)) {
                Thread.sleep(PAUSE);
            }
        }
    }

    /** Whoever makes a change holds LVM's lock; then the tables may be those of that change. */
    private boolean clearedTables(String vg) throws LvmException, InterruptedException {
        var file = CutChanges.lockFolder(commands.options()).resolve("V_" + vg);
        try (var lock = FileLock.tryLock(file).orElse(null)) {
            if (lock == null) {
                return false;
            }
            var devices = loaded(vg);
            var below = devices.stream().filter(Leftovers::isBelow).sorted(LOWEST).toList();
            for (var device : below) {
                clear(device);
            }
            for (var device : below) {
                if (isAsleep(device)) {
                    resume(device);
                }
            }
            for (var device : devices) {
                if (!below.contains(device)) {
                    clear(device);
                }
            }
            return true;
        } catch (IOException | TimeoutException e) {
            throw new LvmException.Unavailable("cannot drop the tables of killed changes", e);
        }
    }

    /**
     * What other devices lie on is resumed first. The kernel reads metadata of RAID, of a pool and
     * of a snapshot when it gets their tables, and would wait for ever for a suspended device. And
     * a suspended pool has suspended its volumes once for each of their tables: if one of these is
     * dropped meanwhile, the volume is never resumed to the end.
     */
    static boolean isBelow(DeviceMapper.State device) {
        return isPart(device) || device.isLayer("real");
    }

    private static boolean isAsleep(DeviceMapper.State device) {
        return device.suspended() && !device.targets().isEmpty();
    }

    private static void clear(DeviceMapper.State device)
            throws IOException, TimeoutException, InterruptedException {
        act(device, "clear");
    }

    /** Without it no table may be dropped that lies on it. */
    private static void resume(DeviceMapper.State device)
            throws IOException, TimeoutException, InterruptedException {
        act(device, "resume", "--noudevsync");
    }

    private static void act(DeviceMapper.State device, String... command)
            throws IOException, TimeoutException, InterruptedException {
        var words = new ArrayList<>(List.of(command));
        words.add(device.name());
        var done = dmsetup(words.toArray(String[]::new));
        LOG.log(
                Level.WARNING,
                () ->
                        ("mended what a killed change had loaded command=\"%s\" suspended=%s"
                                        + " status=%d")
                                .formatted(
                                        String.join(" ", words),
                                        device.suspended(),
                                        done.status()));
        if (!done.succeeded()) {
            throw new IOException(String.join(" ", words) + ": " + done.stderr().strip());
        }
    }

    private List<DeviceMapper.State> loaded(String vg) throws LvmException, InterruptedException {
        return Recovery.devices(vg::equals, kernel.deviceMapper()).stream()
                .filter(device -> KernelView.lvUuid(device).isPresent())
                .filter(device -> device.inactiveTable() || isBelow(device) && isAsleep(device))
                .toList();
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
