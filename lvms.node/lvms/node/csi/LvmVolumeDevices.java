package lvms.node.csi;

import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.lvm2.Grammar;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.lvm2.device.BlockDevices;
import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.device.Disks;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.deviceclass.NodeDeviceClass.Provisioning.Thin;
import lvms.node.volume.GroupLedgers;
import lvms.node.volume.VolumeHomes;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The devices of this node's LogicalVolumes. The volume's object, its device class and the last
 * report of the group say where a volume is; the device-mapper says whether it is healthy. So
 * kubelet's frequent questions start no LVM command.
 */
public final class LvmVolumeDevices implements VolumeDevices {
    private static final Path DEV = Path.of("/dev");

    private final KnownVolumes volumes;
    private final Supplier<DeviceClasses> classes;
    private final GroupLedgers groups;
    private final DeviceMapper deviceMapper;

    public LvmVolumeDevices(
            KnownVolumes volumes,
            Supplier<DeviceClasses> classes,
            GroupLedgers groups,
            DeviceMapper deviceMapper) {
        this.volumes = volumes;
        this.classes = classes;
        this.groups = groups;
        this.deviceMapper = deviceMapper;
    }

    @Override
    public void require(VolumeId volume) throws VolumeException, InterruptedException {
        object(volume);
    }

    @Override
    public void requireHome(VolumeId volume, Optional<String> handedOut)
            throws VolumeException, LvmException, InterruptedException {
        var object = object(volume);
        var vg = located(object, volume).vg();
        var mismatch =
                groups.uuid(vg).flatMap(uuid -> VolumeHomes.mismatch(object, handedOut, vg, uuid));
        if (mismatch.isPresent()) {
            throw new VolumeException(StatusCode.FAILED_PRECONDITION, mismatch.get());
        }
    }

    private LvName located(LogicalVolume object, VolumeId volume)
            throws VolumeException, LvmException, InterruptedException {
        return groups.locate(volume.text(), likely(object))
                .orElseThrow(
                        () ->
                                new VolumeException(
                                        StatusCode.NOT_FOUND,
                                        "no volume group of this node has " + volume));
    }

    @Override
    public VolumeDevice active(VolumeId volume)
            throws VolumeException, LvmException, IOException, InterruptedException {
        var object = object(volume);
        if (object.object().terminating()) {
            throw new VolumeException(
                    StatusCode.FAILED_PRECONDITION, "the volume is being deleted: " + volume);
        }
        var name = located(object, volume);
        var state = state(name);
        if (state.isEmpty() || state.get().suspended()) {
            awake(name, state.isPresent());
            state = state(name);
        }
        if (state.isEmpty() || state.get().suspended()) {
            throw new VolumeException(
                    StatusCode.INTERNAL, name + " has no working device after activation");
        }
        return device(object, name, state.get());
    }

    /** A refresh waits for a running change, or finishes an interrupted one. */
    private void awake(LvName name, boolean suspended)
            throws VolumeException, LvmException, InterruptedException {
        var volumes = groups.limitedTo(name.vg()).volumes();
        var volume =
                volumes.identify(name)
                        .orElseThrow(
                                () ->
                                        new VolumeException(
                                                StatusCode.NOT_FOUND, name + " is missing"));
        if (suspended) {
            volumes.refresh(volume);
        } else {
            volumes.activate(volume);
        }
    }

    @Override
    public Optional<VolumeDevice> find(VolumeId volume)
            throws VolumeException, IOException, InterruptedException {
        var object = object(volume);
        for (var vg : likely(object)) {
            var name = new LvName(vg, volume.text());
            var state = state(name);
            if (state.isPresent()) {
                return Optional.of(device(object, name, state.get()));
            }
        }
        return byAnyGroup(object, volume);
    }

    /** The class may be gone; the device-mapper name still ends with the name of the volume. */
    private Optional<VolumeDevice> byAnyGroup(LogicalVolume object, VolumeId volume)
            throws IOException, InterruptedException {
        var suffix = "-" + volume.text().replace("-", "--");
        for (var device : deviceMapper.list()) {
            if (device.name().endsWith(suffix)) {
                var vg = device.name().substring(0, device.name().length() - suffix.length());
                var name = new LvName(vg.replace("--", "-"), volume.text());
                var state = state(name);
                if (state.isPresent()) {
                    return Optional.of(device(object, name, state.get()));
                }
            }
        }
        return Optional.empty();
    }

    @Override
    public Optional<String> trouble(VolumeId volume)
            throws VolumeException, IOException, InterruptedException {
        var object = object(volume);
        var deviceClass = classes.get().find(object.spec().deviceClass());
        if (deviceClass.isEmpty()) {
            return Optional.of("its device class is no longer on this node");
        }
        var vg = deviceClass.get().volumeGroup();
        var name = new LvName(vg, volume.text());
        var own = trouble(name);
        if (own.isPresent()) {
            return own;
        }
        var pool = deviceClass.get().thin().map(Thin::pool);
        return pool.isEmpty()
                ? VolumeHealth.ofReport(groups.lastHealth(name))
                : VolumeHealth.ofPool(deviceMapper.thinPool(new LvName(vg, pool.get())));
    }

    private Optional<String> trouble(LvName name) throws IOException, InterruptedException {
        var state = state(name);
        var own = VolumeHealth.ofDevice(state);
        if (own.isPresent() || state.isEmpty()) {
            return own;
        }
        return VolumeHealth.ofLoss(state, Disks.lostBelow(state.get().number()));
    }

    private LogicalVolume object(VolumeId volume) throws VolumeException, InterruptedException {
        return volumes.find(volume);
    }

    private List<String> likely(LogicalVolume object) {
        return classes.get().find(object.spec().deviceClass()).stream()
                .map(NodeDeviceClass::volumeGroup)
                .toList();
    }

    private Optional<DeviceMapper.State> state(LvName name)
            throws IOException, InterruptedException {
        return deviceMapper.state(Grammar.deviceMapperName(name));
    }

    private static VolumeDevice device(LogicalVolume object, LvName name, DeviceMapper.State state)
            throws IOException {
        var node = node(name, state);
        boolean fresh = object.spec().source().isEmpty() || VolumeHealth.neverWritten(state);
        return new VolumeDevice(
                node, state.number(), BlockDevices.sizeBytes(node), state.readOnly(), fresh);
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
