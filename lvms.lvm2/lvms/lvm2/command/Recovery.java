package lvms.lvm2.command;

import lvms.lvm2.Grammar;
import lvms.lvm2.Identity;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.lvm2.device.DeviceMapper;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a killed change may leave behind: a suspended device, whose I/O hangs until somebody resumes
 * it (seen in one of 64 kills of lvextend, and far more often in snapshots), and a device without a
 * table, which makes the next lvremove fail. A command for the visible volume mends both. And the
 * parts of a pool that was being checked, which keep the pool from becoming active.
 */
final class Recovery {

    /**
     * LVM refuses these words in names that people choose; {@code _extracted} alone it does not.
     */
    private static final Pattern HIDDEN =
            Pattern.compile(
                    "(_(tdata|tmeta|cdata|cmeta|cvol|corig|wcorig|vdata|vorigin|imeta|iorig|mlog"
                            + "|(rimage|rmeta|mimage)_\\d+(_extracted)?))+$");

    private static final Pattern POOL_PART = Pattern.compile("_t(meta|data)$");
    private static final Pattern MOVE = Pattern.compile("pvmove\\d+");

    private Recovery() {}

    /**
     * Returns the commands that mend what is unfinished in these groups, each once.
     *
     * @param cut whether a change of a group was cut short
     */
    static Set<List<String>> commands(
            Predicate<String> groups, DeviceMapper deviceMapper, Predicate<String> cut)
            throws LvmException, InterruptedException {
        var commands = new LinkedHashSet<List<String>>();
        var devices = devices(groups, deviceMapper);
        for (var device : devices) {
            var volume = volumeOf(device.name()).orElseThrow();
            commands.addAll(cures(device, volume, cut));
        }
        commands.addAll(abandonedParts(devices));
        return commands;
    }

    /** Returns whether anything of a group is unfinished; {@link Leftovers} mends the rest. */
    static boolean unfinished(String vg, DeviceMapper deviceMapper, Predicate<String> cut)
            throws LvmException, InterruptedException {
        var devices = devices(vg::equals, deviceMapper);
        return !abandonedParts(devices).isEmpty()
                || devices.stream()
                        .anyMatch(device -> halfMade(device) || leftSuspended(device, vg, cut));
    }

    /**
     * LVM activates the parts of a pool to check its metadata, and activates no pool while one of
     * them is active without it. Whoever checks them has them open.
     */
    static List<List<String>> abandonedParts(List<DeviceMapper.State> devices) {
        var names = devices.stream().map(DeviceMapper.State::name).collect(Collectors.toSet());
        var cures = new ArrayList<List<String>>();
        for (var device : devices) {
            var part = POOL_PART.matcher(device.name());
            boolean abandoned =
                    part.find()
                            && device.openCount() == 0
                            && !device.targets().isEmpty()
                            && !names.contains(part.replaceFirst(""))
                            && !names.contains(part.replaceFirst("-tpool"));
            if (abandoned) {
                var volume = volumeOf(device.name()).orElseThrow() + part.group();
                cures.add(List.of("lvchange", "-y", "-an", volume));
            }
        }
        return cures;
    }

    /**
     * Returns the devices of these groups.
     *
     * @throws LvmException.Unavailable if the device-mapper gives no answer about one of them
     */
    static List<DeviceMapper.State> devices(Predicate<String> groups, DeviceMapper deviceMapper)
            throws LvmException, InterruptedException {
        var states = new ArrayList<DeviceMapper.State>();
        try {
            for (var device : deviceMapper.list()) {
                if (volumeOf(device.name()).filter(name -> groups.test(name.vg())).isPresent()) {
                    deviceMapper.outline(device.name()).ifPresent(states::add);
                }
            }
        } catch (IOException e) {
            throw new LvmException.Unavailable(
                    "cannot look for unfinished devices: " + e.getMessage(), e);
        }
        return states;
    }

    static List<List<String>> cures(
            DeviceMapper.State state, LvName volume, Predicate<String> cut) {
        if (leftSuspended(state, volume.vg(), cut)) {
            return List.of(refresh(volume));
        }
        // a hidden one says nothing about the visible volume, which may be active
        return halfMade(state) && isVisible(state)
                ? KernelView.lvUuid(state)
                        .map(uuid -> new Identity<>(volume, uuid))
                        .map(Recovery::ofHalfMade)
                        .orElse(List.of())
                : List.of();
    }

    /**
     * With a thick snapshot, LVM deactivates its source and that one's other snapshots, whoever
     * uses them. A refresh makes it whole.
     */
    private static List<List<String>> ofHalfMade(Identity<LvName> volume) {
        return List.of(
                Words.onlyIf("&&lv_role=thicksnapshot", volume, "lvchange", "-y", "--refresh"),
                Words.onlyIf("&&lv_role!=thicksnapshot", volume, "lvchange", "-y", "-an"));
    }

    /** The mirror of a move is refreshed with its group. */
    static List<String> refresh(LvName volume) {
        return isMove(volume)
                ? refresh(volume.vg())
                : List.of("lvchange", "-y", "--refresh", volume.toString());
    }

    static List<String> refresh(String vg) {
        return List.of("vgchange", "-y", "--refresh", vg);
    }

    private static boolean halfMade(DeviceMapper.State state) {
        return state.targets().isEmpty() && state.openCount() == 0 && !state.suspended();
    }

    /**
     * An administrator may have suspended the device, for a backup. If a change left it, either the
     * table is there that the change was about to put in place, or the change is known to be cut.
     */
    private static boolean leftSuspended(
            DeviceMapper.State state, String vg, Predicate<String> cut) {
        return state.suspended() && (state.inactiveTable() || cut.test(vg));
    }

    private static boolean isVisible(DeviceMapper.State device) {
        return device.name().replace("--", "").split("-").length == 2 && !isHidden(device);
    }

    /**
     * Returns the visible volume that a device belongs to: names are joined by one hyphen, hyphens
     * inside are doubled, layers and hidden volumes have suffixes.
     */
    static Optional<LvName> volumeOf(String device) {
        var parts = device.replace("--", "\0").split("-");
        if (parts.length < 2 || parts[0].isEmpty() || parts[1].isEmpty()) {
            return Optional.empty();
        }
        var vg = parts[0].replace('\0', '-');
        var lv = HIDDEN.matcher(parts[1].replace('\0', '-')).replaceFirst("");
        return Grammar.isName(vg) && Grammar.isName(lv)
                ? Optional.of(new LvName(vg, lv))
                : Optional.empty(); // belongs to another program
    }

    /**
     * Returns whether a device belongs to a volume that only LVM uses, such as an image of RAID.
     */
    static boolean isHidden(DeviceMapper.State device) {
        var parts = device.name().replace("--", "\0").split("-");
        return device.lvm().isPresent() && parts.length == 2 && HIDDEN.matcher(parts[1]).find();
    }

    /** Returns whether a device is the mirror by which LVM moves extents; its name is reserved. */
    static boolean isMove(DeviceMapper.State device) {
        return device.isLayer("") && volumeOf(device.name()).filter(Recovery::isMove).isPresent();
    }

    static boolean isMove(LvName name) {
        return MOVE.matcher(name.lv()).matches();
    }

    /** Returns whether a command is about the group that this device belongs to. */
    static boolean concerns(List<String> command, String device) {
        return volumeOf(device).filter(name -> names(command, name.vg())).isPresent();
    }

    /** Returns whether a command is about a group. */
    static boolean names(List<String> command, String vg) {
        return Words.subjects(command).contains(vg);
    }
}
