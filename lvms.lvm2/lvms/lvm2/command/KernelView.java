package lvms.lvm2.command;

import lvms.lvm2.Grammar;
import lvms.lvm2.Identity;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvAttributes;
import lvms.lvm2.LvDetails;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.device.LvmUuid;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What the kernel itself says about an active volume: the proof that a change has taken effect, at
 * a twentieth of the cost of a report. If it says too little, the caller reads a report. If it
 * gives no answer, nothing is known, and the call fails as {@link LvmException.Unavailable}.
 *
 * @param deviceMapper the device-mapper to ask
 * @param activation whether volumes are active here at all
 */
record KernelView(DeviceMapper deviceMapper, boolean activation) {
    private static final System.Logger LOG = System.getLogger(KernelView.class.getName());
    private static final Path DEVICES = Path.of("/sys/dev/block");
    private static final int SECTOR = 512;
    private static final Pattern MAPPED = Pattern.compile("\\d{1,15} (\\d+|-)");

    /** Describes a volume that was just created; empty if the device is not as it should be. */
    Optional<LogicalVolume> created(LvName name, Optional<String> pool, Set<String> tags)
            throws InterruptedException {
        return told(name)
                .filter(state -> kind(state) == (pool.isPresent() ? 'V' : '-'))
                .map(state -> volume(name, state, pool, tags));
    }

    /** Returns which volume is active under a name. */
    Optional<Identity<LvName>> identity(LvName name) throws LvmException, InterruptedException {
        return find(Grammar.deviceMapperName(name))
                .flatMap(KernelView::lvUuid)
                .map(uuid -> new Identity<>(name, uuid));
    }

    /** Returns whether exactly this volume is active, with a table that is in force. */
    boolean isActive(Identity<LvName> volume) throws LvmException, InterruptedException {
        return state(volume.name())
                .flatMap(KernelView::lvUuid)
                .filter(volume.uuid()::equals)
                .isPresent();
    }

    /** Checks that no other volume than the one that was read is active under its name. */
    void require(Identity<LvName> volume) throws LvmException, InterruptedException {
        var active = identity(volume.name());
        if (active.isPresent()) {
            volume.require(active.get().uuid());
        }
    }

    /** Returns whether a table was loaded for a volume that is not in force. */
    boolean hasLoadedTable(LvName name) throws LvmException, InterruptedException {
        return find(Grammar.deviceMapperName(name))
                .filter(DeviceMapper.State::inactiveTable)
                .isPresent();
    }

    /** Returns the size of an active volume; empty also if the kernel does not say so. */
    Optional<Long> sizeBytes(LvName name) throws InterruptedException {
        return told(name).map(KernelView::size);
    }

    /**
     * Returns how much of a thin volume is in use in its pool.
     *
     * @throws IOException if the kernel does not say so
     */
    long mappedBytes(LvName thin) throws IOException, InterruptedException {
        // Source: Documentation/admin-guide/device-mapper/thin-provisioning.rst
        var status =
                deviceMapper
                        .state(Grammar.deviceMapperName(thin))
                        .filter(state -> kind(state) == 'V')
                        .map(state -> state.targets().getFirst().status())
                        .filter(text -> MAPPED.matcher(text).matches())
                        .orElseThrow(() -> new IOException(thin + " is not a thin volume"));
        return Long.parseLong(status.substring(0, status.indexOf(' '))) * SECTOR;
    }

    /**
     * Returns whether a volume is active, is plain or thin, and has nothing of LVM's on top, so
     * that removing it removes nothing else.
     */
    boolean standsAlone(LvName name) throws LvmException, InterruptedException {
        var kind = state(name).map(KernelView::kind).orElse('?');
        return kind == 'V' || kind == '-' && !layered(name, "-real") && !layered(name, "-tpool");
    }

    private boolean layered(LvName name, String layer) throws LvmException, InterruptedException {
        return exists(Grammar.deviceMapperName(name) + layer);
    }

    /** For questions that a report answers as well. */
    private Optional<DeviceMapper.State> told(LvName name) throws InterruptedException {
        try {
            return state(name);
        } catch (LvmException.Unavailable e) {
            LOG.log(Level.DEBUG, e::getMessage);
            return Optional.empty();
        }
    }

    private Optional<DeviceMapper.State> state(LvName name)
            throws LvmException.Unavailable, InterruptedException {
        return find(Grammar.deviceMapperName(name))
                .filter(s -> s.isLayer(""))
                .filter(s -> !s.suspended() && !s.inactiveTable() && !s.targets().isEmpty());
    }

    /**
     * Returns the pool of an active thin volume, by the device below it; empty if sysfs does not
     * say so.
     */
    Optional<LvName> poolOf(LvName thin) throws LvmException, InterruptedException {
        var device = state(thin).filter(state -> kind(state) == 'V');
        if (device.isEmpty()) {
            return Optional.empty();
        }
        var below = DEVICES.resolve(device.get().number().toString()).resolve("slaves");
        try (var slaves = Files.newDirectoryStream(below)) {
            for (var slave : slaves) {
                return Recovery.volumeOf(Files.readString(slave.resolve("dm/name")).strip());
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, () -> "the pool of " + thin + " is not known: " + e);
        }
        return Optional.empty();
    }

    /** Returns whether there is a device of this device-mapper name. */
    boolean exists(String device) throws LvmException, InterruptedException {
        return find(device).isPresent();
    }

    /** No answer is not "there is no such device". */
    private Optional<DeviceMapper.State> find(String device)
            throws LvmException.Unavailable, InterruptedException {
        if (!activation) {
            return Optional.empty();
        }
        try {
            return deviceMapper.outline(device);
        } catch (IOException e) {
            throw new LvmException.Unavailable(
                    "the device-mapper gave no answer about " + device + ": " + e.getMessage(), e);
        }
    }

    /** The first letter of lv_attr, if the targets show it, otherwise a question mark. */
    private static char kind(DeviceMapper.State state) {
        var types = state.targets().stream().map(DeviceMapper.Target::type).distinct().toList();
        if (types.equals(List.of("thin"))) {
            return 'V';
        }
        return Set.of("linear", "striped").containsAll(types) ? '-' : '?';
    }

    private static long size(DeviceMapper.State state) {
        return state.targets().stream().mapToLong(DeviceMapper.Target::sizeBytes).sum();
    }

    private static LogicalVolume volume(
            LvName name, DeviceMapper.State state, Optional<String> pool, Set<String> tags) {
        var attr = pool.isPresent() ? "Vwi-a-tz--" : "-wi-a-----";
        return new LogicalVolume(
                name,
                lvUuid(state).orElseThrow(),
                Optional.of(Path.of("/dev", name.vg(), name.lv())),
                size(state),
                LvAttributes.parse(attr),
                OptionalInt.of(state.number().major()),
                OptionalInt.of(state.number().minor()),
                Optional.empty(),
                0,
                pool,
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                0,
                pool.isPresent()
                        ? Set.of("thin", "sparse")
                        : Set.of(state.targets().getFirst().type()),
                "",
                "",
                new LvDetails.Plain(),
                tags,
                Optional.empty());
    }

    /** Returns LVM's UUID of the volume that a device belongs to, or is a layer of. */
    static Optional<String> lvUuid(DeviceMapper.State device) {
        return device.lvm().map(LvmUuid::volume);
    }
}
