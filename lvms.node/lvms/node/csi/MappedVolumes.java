package lvms.node.csi;

import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.lvm2.Grammar;
import lvms.lvm2.LvName;
import lvms.lvm2.device.BlockDevices;
import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.device.Disks;
import lvms.node.format.ContentMark;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;

/** The devices of logical volumes in the device-mapper, whoever runs LVM. */
record MappedVolumes(DeviceMapper deviceMapper) {
    private static final Path DEV = Path.of("/dev");
    private static final Pattern OF_LVM = Pattern.compile("LVM-(.{32})(.{32})(-.*)?");
    private static final Pattern PARTS =
            Pattern.compile("(.{6})(.{4})(.{4})(.{4})(.{4})(.{4})(.{6})");

    Optional<DeviceMapper.State> state(LvName name) throws IOException, InterruptedException {
        return deviceMapper.state(Grammar.deviceMapperName(name));
    }

    /** Returns LVM's UUID of the group of a volume; empty if the volume is not active. */
    Optional<String> groupUuid(LvName name) throws IOException, InterruptedException {
        return state(name).flatMap(state -> groupUuid(state.uuid()));
    }

    /** A device of LVM has {@code LVM-}, 32 characters of its group and 32 of its own. */
    static Optional<String> groupUuid(String device) {
        var uuids = OF_LVM.matcher(device);
        return uuids.matches() ? Optional.of(dashed(uuids.group(1))) : Optional.empty();
    }

    /** Returns LVM's UUID of the volume itself. */
    static Optional<String> volumeUuid(String device) {
        var uuids = OF_LVM.matcher(device);
        return uuids.matches() ? Optional.of(dashed(uuids.group(2))) : Optional.empty();
    }

    /** The kernel has LVM's UUIDs without their dashes. */
    private static String dashed(String uuid) {
        return PARTS.matcher(uuid).replaceAll("$1-$2-$3-$4-$5-$6-$7");
    }

    /** Finds a volume in any group: the device-mapper name ends with the name of the volume. */
    Optional<LvName> byName(VolumeId volume) throws IOException, InterruptedException {
        var suffix = "-" + volume.text().replace("-", "--");
        for (var device : deviceMapper.list()) {
            if (device.name().endsWith(suffix)) {
                var vg = device.name().substring(0, device.name().length() - suffix.length());
                return Optional.of(new LvName(vg.replace("--", "-"), volume.text()));
            }
        }
        return Optional.empty();
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
        var uuid = volumeUuid(state.uuid()).orElse("");
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
