package lvms.node.lvmd;

import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.ErasurePolicy;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.proof.NamedRemoval;
import lvms.node.proof.Proofs;
import lvms.node.volume.GroupLedgers;
import lvms.node.volume.VolumeOperations;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Removes volumes. TopoLVM's node takes NOT_FOUND as "removed already", so only a volume that is
 * nowhere on this node gets that answer. Otherwise a device class that was taken out of lvmd.yaml,
 * or a group whose disks are away, would orphan the volume forever.
 */
public final class Removal {
    /**
     * A name that TopoLVM gives: the UID of an object, which identifies one volume wherever it is.
     */
    private static final Pattern UID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    private final ClassVolumes volumes;
    private final GroupLedgers groups;
    private final VolumeOperations operations;

    public Removal(ClassVolumes volumes, GroupLedgers groups) {
        this.volumes = volumes;
        this.groups = groups;
        this.operations = new VolumeOperations(groups);
    }

    void remove(String name, String className) throws VolumeException, InterruptedException {
        var classes = volumes.known();
        var deviceClass = classes.find(className);
        var found = ClassVolumes.answered(() -> locate(name, deviceClass), StatusCode.UNKNOWN);
        if (found.isEmpty()) {
            throw absent(name, className, deviceClass);
        }
        requireOurs(found.get(), className, classes, deviceClass);
        var erasure = deviceClass.map(NodeDeviceClass::erasure).orElse(ErasurePolicy.NOTHING);
        volumes.inTurn(found.get().vg(), () -> removed(found.get(), erasure), StatusCode.UNKNOWN);
    }

    private Optional<LvName> locate(String name, Optional<NodeDeviceClass> deviceClass)
            throws LvmException, InterruptedException {
        if (deviceClass.isEmpty()) {
            return groups.locate(name, List.of());
        }
        var vg = deviceClass.get().volumeGroup();
        var report = groups.fresh(vg);
        if (report.isPresent() && report.get().logicalVolume(name).isPresent()) {
            return Optional.of(new LvName(vg, name));
        }
        return UID.matcher(name).matches() ? groups.locate(name, List.of(vg)) : Optional.empty();
    }

    private VolumeException absent(
            String name, String className, Optional<NodeDeviceClass> deviceClass)
            throws VolumeException, InterruptedException {
        if (deviceClass.isEmpty()) {
            return ClassVolumes.refused(
                    StatusCode.NOT_FOUND, "device-class not found: " + className);
        }
        var vg = deviceClass.get().volumeGroup();
        var report = ClassVolumes.answered(() -> groups.fresh(vg), StatusCode.UNKNOWN);
        if (report.isEmpty()) {
            return ClassVolumes.refused(
                    StatusCode.FAILED_PRECONDITION,
                    "volume group "
                            + vg
                            + " of device class "
                            + deviceClass.get().name()
                            + " is not on this node now, so its volumes cannot be removed:"
                            + " bring its disks back, or take the class out of lvmd.yaml");
        }
        return report.get().logicalVolume(name).isPresent()
                ? ClassVolumes.refused(StatusCode.UNAVAILABLE, name + " is there again")
                : ClassVolumes.notFound(name);
    }

    private static void requireOurs(
            LvName found,
            String className,
            DeviceClasses classes,
            Optional<NodeDeviceClass> deviceClass)
            throws VolumeException {
        boolean pool =
                classes.inVolumeGroup(found.vg()).stream()
                        .flatMap(c -> c.thin().stream())
                        .anyMatch(thin -> thin.pool().equals(found.lv()));
        boolean uid = UID.matcher(found.lv()).matches();
        var evidence = new NamedRemoval(found, className, deviceClass.isPresent(), uid, pool);
        var obstacle = Proofs.remove(evidence);
        if (obstacle.isPresent()) {
            throw ClassVolumes.refused(StatusCode.FAILED_PRECONDITION, obstacle.get());
        }
    }

    private LvName removed(LvName name, ErasurePolicy erasure)
            throws LvmException, lvms.node.volume.VolumeRefused, InterruptedException {
        operations.remove(name, erasure);
        return name;
    }
}
