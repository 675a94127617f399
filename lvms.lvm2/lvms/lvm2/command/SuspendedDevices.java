package lvms.lvm2.command;

import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.filesystem.FileLock;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What a killed change left in the device-mapper: tables that it loaded and did not put in force,
 * and devices whose I/O waits. LVM itself is not needed to end that, only its lock of the group,
 * which says that the tables are not those of a running change.
 *
 * <p>A table is dropped before its device is resumed. If the change was not written down, LVM finds
 * the table in force as it should be, loads none, and by a resume the kernel takes the one that is
 * there: a larger volume would then hold extents that LVM gives to another one, and one image of a
 * mirror would be written alone. If it was written down, LVM loads the table again by a refresh.
 *
 * @param kernel the devices
 * @param locks the folder of LVM's locks
 */
record SuspendedDevices(DeviceMapper kernel, Path locks) {
    private static final System.Logger LOG = System.getLogger(SuspendedDevices.class.getName());
    private static final Duration PAUSE = Duration.ofMillis(50);

    /** A hidden device's name begins with that of what lies on it; a pool's layer is on top. */
    private static final Comparator<DeviceMapper.State> LOWEST =
            Comparator.comparing((DeviceMapper.State device) -> !Recovery.isHidden(device))
                    .thenComparing(device -> -device.name().length());

    /**
     * Drops the tables that a killed change loaded into devices of a group. What else it suspended
     * stays so, for LVM to resume.
     *
     * @param patience how long to wait for LVM's lock of the group
     * @throws LvmException.LockBusy if another program holds it for longer
     */
    void dropTables(String vg, Duration patience) throws LvmException, InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!of(vg, SuspendedDevices::isLoaded).isEmpty()) {
            if (System.nanoTime() > deadline) {
                throw new LvmException.LockBusy(
                        vg + ": tables that nobody put in force stay loaded in its devices");
            }
            try {
                if (!locked(vg, () -> dropTables(of(vg, SuspendedDevices::isLoaded)))) {
                    Thread.sleep(PAUSE);
                }
            } catch (IOException e) {
                throw new LvmException.Unavailable("cannot drop the tables of killed changes", e);
            }
        }
    }

    /** Returns the volumes of a group whose I/O waits. */
    Set<LvName> volumes(String vg) throws LvmException, InterruptedException {
        return of(vg, SuspendedDevices::isAsleep).stream()
                .flatMap(device -> Recovery.volumeOf(device.name()).stream())
                .collect(Collectors.toSet());
    }

    /** Returns the groups of which I/O of a volume waits. */
    Set<String> groups() throws LvmException, InterruptedException {
        return Recovery.devices(_ -> true, kernel).stream()
                .filter(device -> KernelView.lvUuid(device).isPresent())
                .filter(SuspendedDevices::isAsleep)
                .flatMap(device -> Recovery.volumeOf(device.name()).stream())
                .map(LvName::vg)
                .collect(Collectors.toSet());
    }

    /**
     * Lets all I/O of a group go on, with the tables that are in force.
     *
     * @return whether it was done; not if another program has LVM's lock of the group
     */
    boolean resumeAll(String vg) throws LvmException, IOException, InterruptedException {
        return locked(
                vg,
                () -> {
                    dropTables(of(vg, SuspendedDevices::isLoaded));
                    for (var device : of(vg, SuspendedDevices::isAsleep)) {
                        resume(device);
                    }
                });
    }

    /**
     * Lets the I/O of these volumes go on without LVM's lock. One with a loaded table stays as it
     * is: that may belong to the change that holds the lock.
     */
    void resume(Set<LvName> volumes) throws LvmException, IOException, InterruptedException {
        for (var vg : volumes.stream().map(LvName::vg).collect(Collectors.toSet())) {
            for (var device : of(vg, SuspendedDevices::isAsleep)) {
                boolean meant =
                        Recovery.volumeOf(device.name()).filter(volumes::contains).isPresent();
                if (meant && !device.inactiveTable()) {
                    resume(device);
                }
            }
        }
    }

    private interface Act {
        void run() throws LvmException, IOException, InterruptedException;
    }

    private boolean locked(String vg, Act act)
            throws LvmException, IOException, InterruptedException {
        try (var lock = FileLock.tryLock(locks.resolve("V_" + vg)).orElse(null)) {
            if (lock == null) {
                return false;
            }
            act.run();
            return true;
        }
    }

    /**
     * What other devices lie on is resumed first. The kernel reads metadata of RAID, of a pool and
     * of a snapshot when it gets their tables, and would wait for ever for a suspended device. And
     * a suspended pool has suspended its volumes once for each of their tables: if one of these is
     * dropped meanwhile, the volume is never resumed to the end.
     */
    private void dropTables(List<DeviceMapper.State> devices)
            throws LvmException, IOException, InterruptedException {
        var below = devices.stream().filter(SuspendedDevices::isBelow).sorted(LOWEST).toList();
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
    }

    private List<DeviceMapper.State> of(String vg, Predicate<DeviceMapper.State> which)
            throws LvmException, InterruptedException {
        return Recovery.devices(vg::equals, kernel).stream()
                .filter(device -> KernelView.lvUuid(device).isPresent())
                .filter(which)
                .toList();
    }

    private static boolean isLoaded(DeviceMapper.State device) {
        return device.inactiveTable() || isBelow(device) && isAsleep(device);
    }

    static boolean isBelow(DeviceMapper.State device) {
        return Leftovers.isPart(device) || device.isLayer("real");
    }

    private static boolean isAsleep(DeviceMapper.State device) {
        return device.suspended() && !device.targets().isEmpty();
    }

    private void clear(DeviceMapper.State device) throws IOException, InterruptedException {
        if (device.inactiveTable()) {
            kernel.clear(device);
            tell("dropped a table that a killed change had loaded", device);
        }
    }

    /** Without it no table may be dropped that lies on it. */
    private void resume(DeviceMapper.State device) throws IOException, InterruptedException {
        kernel.resume(device);
        tell("let I/O go on that a killed change had left waiting", device);
    }

    private static void tell(String what, DeviceMapper.State device) {
        LOG.log(
                Level.WARNING,
                () ->
                        "%s device=%s suspended=%s"
                                .formatted(what, device.name(), device.suspended()));
    }
}
