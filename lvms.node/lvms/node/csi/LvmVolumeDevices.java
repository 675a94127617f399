package lvms.node.csi;

import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.lvm2.device.DeviceMapper;
import lvms.node.activation.Activations;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.deviceclass.NodeDeviceClass.Provisioning.Thin;
import lvms.node.format.ContentMark;
import lvms.node.volume.GroupLedgers;
import lvms.node.volume.NewVolume;
import lvms.node.volume.VolumeHomes;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The devices of this node's LogicalVolumes. The volume's object, its device class and the last
 * report of the group say where a volume is; the device-mapper says whether it is healthy. So
 * kubelet's frequent questions start no LVM command.
 */
public final class LvmVolumeDevices implements VolumeDevices {
    private final KnownVolumes volumes;
    private final Supplier<DeviceClasses> classes;
    private final GroupLedgers groups;
    private final DeviceMapper deviceMapper;
    private final MappedVolumes mapped;
    private final Activations activations;

    public LvmVolumeDevices(
            KnownVolumes volumes,
            Supplier<DeviceClasses> classes,
            GroupLedgers groups,
            DeviceMapper deviceMapper) {
        this.volumes = volumes;
        this.classes = classes;
        this.groups = groups;
        this.deviceMapper = deviceMapper;
        mapped = new MappedVolumes(deviceMapper);
        activations = new Activations(groups);
    }

    @Override
    public void awaitKnown(Duration patience) throws InterruptedException {
        volumes.await(patience);
    }

    @Override
    public void require(VolumeId volume) throws VolumeException, InterruptedException {
        object(volume);
    }

    @Override
    public void requireHome(VolumeId volume, Optional<String> handedOut)
            throws VolumeException, LvmException, InterruptedException {
        var object = object(volume);
        var name = groups.locate(volume.text(), likely(object));
        // of a volume that is nowhere, people have to know whether its disks were replaced
        for (var vg : name.map(found -> List.of(found.vg())).orElseGet(() -> likely(object))) {
            requireHome(object, handedOut, vg);
        }
        if (name.isEmpty()) {
            throw missing(volume);
        }
    }

    private void requireHome(LogicalVolume object, Optional<String> handedOut, String vg)
            throws VolumeException, LvmException, InterruptedException {
        var mismatch =
                groups.uuid(vg).flatMap(uuid -> VolumeHomes.mismatch(object, handedOut, vg, uuid));
        if (mismatch.isPresent()) {
            throw new VolumeException(StatusCode.FAILED_PRECONDITION, mismatch.get());
        }
    }

    private LvName located(LogicalVolume object, VolumeId volume)
            throws VolumeException, LvmException, InterruptedException {
        return groups.locate(volume.text(), likely(object)).orElseThrow(() -> missing(volume));
    }

    private static VolumeException missing(VolumeId volume) {
        return new VolumeException(
                StatusCode.NOT_FOUND, "no volume group of this node has " + volume);
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
        var state = mapped.state(name);
        if (state.isEmpty() || state.get().suspended() || diskIsBack(name, state)) {
            awake(name, state.isPresent());
            state = mapped.state(name);
        }
        if (state.isEmpty() || state.get().suspended()) {
            throw new VolumeException(
                    StatusCode.INTERNAL, name + " has no working device after activation");
        }
        return MappedVolumes.device(name, state.get());
    }

    /**
     * The kernel's table leads to a disk as it was when the table was loaded. One that was pulled
     * out and plugged in again is another one to it, until the table is loaded anew.
     */
    private boolean diskIsBack(LvName name, Optional<DeviceMapper.State> state)
            throws LvmException, IOException, InterruptedException {
        return MappedVolumes.loss(state).isPresent()
                && groups.fresh(name.vg())
                        .flatMap(report -> report.logicalVolume(name.lv()))
                        .filter(volume -> volume.attributes().health().isEmpty())
                        .isPresent();
    }

    /**
     * A refresh waits for a running change, finishes an interrupted one, or finds a disk that is
     * back.
     */
    private void awake(LvName name, boolean loaded)
            throws VolumeException, LvmException, InterruptedException {
        try {
            if (loaded) {
                refresh(name);
            } else {
                activations.activate(name);
            }
        } catch (LvmException.NotFound e) {
            throw new VolumeException(StatusCode.NOT_FOUND, e.getMessage(), e);
        }
    }

    private void refresh(LvName name) throws LvmException, InterruptedException {
        var volumes = groups.limitedTo(name.vg()).volumes();
        var volume = volumes.identify(name);
        if (volume.isEmpty()) {
            throw new LvmException.NotFound(name + " is missing");
        }
        volumes.refresh(volume.get());
    }

    @Override
    public Optional<VolumeDevice> find(VolumeId volume)
            throws VolumeException, IOException, InterruptedException {
        var object = object(volume);
        for (var vg : likely(object)) {
            var name = new LvName(vg, volume.text());
            var state = mapped.state(name);
            if (state.isPresent()) {
                return Optional.of(MappedVolumes.device(name, state.get()));
            }
        }
        return mapped.find(volume); // the class may be gone
    }

    @Override
    public VolumePast past(VolumeId volume, boolean anew)
            throws VolumeException, LvmException, IOException, InterruptedException {
        var object = object(volume);
        var name = located(object, volume);
        var known = anew ? groups.limitedTo(name.vg()).volumes().find(name) : groups.volume(name);
        var lv = known.orElseThrow(() -> missing(volume));
        var deviceClass = classes.get().find(object.spec().deviceClass());
        boolean zeroed =
                deviceClass
                        .filter(c -> c.erasure().zeroes(NewVolume.isFilesystem(object)))
                        .isPresent();
        return mapped.past(object, name, ContentMark.of(lv.tags()), lv.created(), zeroed);
    }

    @Override
    public void mark(VolumeId volume, ContentMark mark)
            throws VolumeException, LvmException, IOException, InterruptedException {
        var name = located(object(volume), volume);
        var there = groups.volume(name).orElseThrow(() -> missing(volume)).identity();
        var volumes = groups.limitedTo(name.vg()).volumes();
        groups.retagged(volumes.changeTags(there, Set.of(mark.tag()), mark.others()));
    }

    @Override
    public void takePermission(VolumeId volume) throws VolumeException, InterruptedException {
        volumes.takePermission(volume);
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
        var own = mapped.trouble(name);
        if (own.isPresent()) {
            return own;
        }
        var pool = deviceClass.get().thin().map(Thin::pool);
        return pool.isEmpty()
                ? VolumeHealth.ofReport(groups.lastHealth(name))
                : VolumeHealth.ofPool(deviceMapper.thinPool(new LvName(vg, pool.get())));
    }

    private LogicalVolume object(VolumeId volume) throws VolumeException, InterruptedException {
        return volumes.find(volume);
    }

    private List<String> likely(LogicalVolume object) {
        return classes.get().find(object.spec().deviceClass()).stream()
                .map(NodeDeviceClass::volumeGroup)
                .toList();
    }
}
