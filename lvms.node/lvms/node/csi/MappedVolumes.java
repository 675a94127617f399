package lvms.node.csi;

import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.lvm2.Grammar;
import lvms.lvm2.LvName;
import lvms.lvm2.device.BlockDevices;
import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.device.Disks;
import lvms.lvm2.device.LvmUuid;
import lvms.node.format.ContentMark;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;

/** The devices of logical volumes in the device-mapper, whoever runs LVM. */
record MappedVolumes(DeviceMapper deviceMapper) {
    private static final Path DEV = Path.of("/dev");

    Optional<DeviceMapper.State> state(LvName name) throws IOException, InterruptedException {
        return deviceMapper.state(Grammar.deviceMapperName(name));
    }

    /** Returns LVM's UUID of the group of a volume; empty if the volume is not active. */
    Optional<String> groupUuid(LvName name) throws IOException, InterruptedException {
        return state(name).flatMap(DeviceMapper.State::lvm).map(LvmUuid::group);
    }

    /**
     * Finds an active volume in any group.
     *
     * @throws IOException also if several groups have one of this name
     */
    Optional<LvName> byName(VolumeId volume) throws IOException, InterruptedException {
        var found = new ArrayList<LvName>();
        for (var device : deviceMapper.list()) {
            var name = Grammar.volumeOf(device.name());
            if (name.filter(lv -> lv.lv().equals(volume.text())).isPresent()
                    && state(name.get()).filter(state -> state.isLayer("")).isPresent()) {
                found.add(name.get());
            }
        }
        if (found.size() > 1) {
            throw new IOException("several volume groups have a volume of this name: " + found);
        }
        return found.stream().findFirst();
    }

    /** Finds the device of a volume in any group, if it is active. */
    Optional<VolumeDevice> find(VolumeId volume) throws IOException, InterruptedException {
        var name = byName(volume);
        var state = name.isEmpty() ? Optional.<DeviceMapper.State>empty() : state(name.get());
        return state.isEmpty() ? Optional.empty() : Optional.of(device(name.get(), state.get()));
    }

    /**
     * Puts together what is known of a volume.
     *
     * @param created when LVM says that it was made
     * @param zeroed whether its class zeroes such a volume
     * @throws VolumeException ABORTED if its device is gone
     */
    VolumePast past(
            LogicalVolume object,
            LvName name,
            Optional<ContentMark> mark,
            Optional<Instant> created,
            boolean zeroed)
            throws VolumeException, IOException, InterruptedException {
        var state =
                state(name)
                        .orElseThrow(
                                () ->
                                        new VolumeException(
                                                StatusCode.ABORTED, name + " is not active"));
        var annotation = object.driver().allowFormatAnnotation();
        var uuid = state.lvm().map(LvmUuid::volume).orElse("");
        boolean given =
                !uuid.isEmpty()
                        && object.object().annotation(annotation).filter(uuid::equals).isPresent();
        return new VolumePast(
                mark,
                object.object().annotation(object.driver().volumeModeAnnotation()),
                !object.spec().source().isEmpty(),
                VolumePast.blocks(state),
                created,
                zeroed,
                new VolumePast.Permission(
                        object.driver().logicalVolumes().qualifiedPlural(),
                        object.name(),
                        annotation,
                        uuid,
                        given));
    }

    /** Says what is wrong with the device of a volume; empty if it is healthy. */
    Optional<String> trouble(LvName name) throws IOException, InterruptedException {
        var state = state(name);
        var own = VolumeHealth.ofDevice(state);
        return own.isPresent() ? own : loss(state);
    }

    /** Says whether a disk is lost below the device of a volume, and the volume with it. */
    static Optional<String> loss(Optional<DeviceMapper.State> state) throws IOException {
        boolean lost = state.isPresent() && Disks.lostBelow(state.get().number());
        return VolumeHealth.ofLoss(state, lost);
    }

    static VolumeDevice device(LvName name, DeviceMapper.State state) throws IOException {
        var node = node(name, state);
        return new VolumeDevice(
                node, state.number(), BlockDevices.sizeBytes(node), state.readOnly());
    }

    /**
     * Returns {@code /dev/VG/LV}, which people know, if it leads to this device. Udev may be late
     * or absent; the kernel's own name is always there.
     */
    private static Path node(LvName name, DeviceMapper.State state) {
        var known = DEV.resolve("mapper").resolve(Grammar.deviceMapperName(name));
        return VolumeMounts.isNode(known, state.number())
                ? known
                : DEV.resolve("dm-" + state.number().minor());
    }
}
