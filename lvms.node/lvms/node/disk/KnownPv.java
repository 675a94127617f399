package lvms.node.disk;

import lvms.lvm2.PhysicalVolume;

import java.util.Optional;

/**
 * A physical volume that LVM reports, with the device it is on.
 *
 * @param pv LVM's report
 * @param kernelName path by the kernel's name; empty if LVM's name leads to no device
 * @param sequence which disk it was on, as in {@link NodeDevice#sequence()}
 */
public record KnownPv(PhysicalVolume pv, Optional<String> kernelName, long sequence) {
    public boolean isOn(NodeDevice device) {
        return kernelName.filter(device.kernelName()::equals).isPresent();
    }

    public boolean isIn(String volumeGroup) {
        return pv.vgName().equals(volumeGroup);
    }
}
