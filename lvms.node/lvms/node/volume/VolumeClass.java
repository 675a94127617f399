package lvms.node.volume;

import lvms.api.LogicalVolume;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.ErasurePolicy;
import lvms.node.deviceclass.NodeDeviceClass;

import java.util.List;
import java.util.Optional;

/**
 * What the device class of a LogicalVolume says.
 *
 * @param found empty if the class was removed; its volumes stay until they are deleted
 */
record VolumeClass(Optional<NodeDeviceClass> found) {
    static VolumeClass of(LogicalVolume volume, DeviceClasses classes) {
        return new VolumeClass(classes.find(volume.spec().deviceClass()));
    }

    ErasurePolicy erasure() {
        return found.map(NodeDeviceClass::erasure).orElse(ErasurePolicy.NOTHING);
    }

    /** Where the volume is looked for first. */
    List<String> volumeGroups() {
        return found.stream().map(NodeDeviceClass::volumeGroup).toList();
    }
}
