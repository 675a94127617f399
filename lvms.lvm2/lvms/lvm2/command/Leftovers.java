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
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * Devices that a cut change left in the device-mapper and that LVM never takes away: images that
 * were made before the metadata that would have told of them, and devices without a table. Under
 * their names LVM can make no others, and says that they are busy.
 *
 * <p>What is removed with such a device is a mapping, not data. It is done only to a closed one
 * (the kernel refuses others), and by its UUID, which LVM gives to no other volume. LVM's report,
 * which waits for the changes of other programs, is read after the device was seen: what LVM does
 * not know then, no change under way is about to commit.
 */
record Leftovers(CommandRunner commands, KernelView kernel) {
    private static final System.Logger LOG = System.getLogger(Leftovers.class.getName());
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    /** Removes them from a group. */
    void remove(String vg) throws LvmException, InterruptedException {
        var devices =
                Recovery.devices(vg::equals, kernel.deviceMapper()).stream()
                        .filter(Leftovers::mayBeLeft)
                        .toList();
        if (devices.isEmpty()) {
            return;
        }
        var known = known(vg);
        for (var device : devices) {
            if (isLeft(device, known)) {
                remove(device);
            }
        }
    }

    private Set<String> known(String vg) throws LvmException, InterruptedException {
        return commands.report("lvs", "lv_uuid", List.of("-a", vg)).rows("lv").stream()
                .map(row -> Columns.text(row, "lv_uuid"))
                .collect(Collectors.toSet());
    }

    /** Of volumes with a name of their own, which may hold data, only those without a table. */
    static boolean mayBeLeft(DeviceMapper.State device) {
        return device.openCount() == 0
                && KernelView.lvUuid(device).isPresent()
                && (device.targets().isEmpty() || Recovery.isHidden(device.name()));
    }

    static boolean isLeft(DeviceMapper.State device, Set<String> known) {
        return device.targets().isEmpty()
                || KernelView.lvUuid(device).filter(known::contains).isEmpty();
    }

    /** Told a UUID, dmsetup takes no node away, and without udev nobody else does. */
    private void remove(DeviceMapper.State device) throws InterruptedException {
        try {
            var removed = dmsetup("remove", "--noudevsync", "--uuid", device.uuid());
            if (!commands.options().udev()) {
                dmsetup("mknodes", device.name());
            }
            LOG.log(
                    Level.WARNING,
                    () ->
                            "removed a device that a killed command left device=%s targets=%s status=%d %s"
                                    .formatted(
                                            device.name(),
                                            device.targets(),
                                            removed.status(),
                                            removed.stderr().strip()));
        } catch (IOException | TimeoutException e) {
            LOG.log(Level.ERROR, () -> "a device stays left device=" + device.name() + ": " + e);
        }
    }

    private static Program.Result dmsetup(String... arguments)
            throws IOException, TimeoutException, InterruptedException {
        var words = new ArrayList<>(List.of("dmsetup"));
        words.addAll(List.of(arguments));
        return Program.of(DEADLINE, words.toArray(String[]::new)).run();
    }
}
