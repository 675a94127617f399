package lvms.lvm2.device;

import lvms.lvm2.system.DeviceNumber;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One block device, as sysfs shows it.
 *
 * @param kernelName name in sysfs, such as {@code sda1}
 * @param path device node, such as {@code /dev/sda1}; for device-mapper {@code /dev/dm-0}
 * @param number major and minor number
 * @param sequence a number that no other disk gets until the next boot ({@code diskseq}, kernel
 *     5.15), so it shows whether another disk has the name now; 0 if unknown
 * @param type kind of device
 * @param sizeBytes size in bytes; 0 for a loop device without a file
 * @param readOnly whether it is read only
 * @param removable whether the medium can be removed
 * @param rotational whether it is a spinning disk
 * @param model model, empty if unknown
 * @param vendor vendor, empty if unknown
 * @param serial serial number, empty if unknown
 * @param wwn world wide name, empty if unknown
 * @param state such as {@code running}, {@code live}, {@code suspended}; empty if unknown
 * @param partitionLabel name of a GPT partition, empty if there is none
 * @param parents kernel names of the devices below it: a partition's disk, the slaves of a
 *     device-mapper or md device
 * @param children kernel names of the devices on top of it: partitions and holders
 * @param holders kernel names of device-mapper and md devices that hold it
 * @param backingFile file of a loop device
 * @param dmName device-mapper name
 * @param dmUuid device-mapper UUID; LVM's start with {@code LVM-}
 * @param links names below {@code /dev/disk} and {@code /dev/mapper} that lead to it, sorted
 */
public record BlockDevice(
        String kernelName,
        Path path,
        DeviceNumber number,
        long sequence,
        DeviceType type,
        long sizeBytes,
        boolean readOnly,
        boolean removable,
        boolean rotational,
        String model,
        String vendor,
        String serial,
        String wwn,
        String state,
        String partitionLabel,
        List<String> parents,
        List<String> children,
        List<String> holders,
        Optional<Path> backingFile,
        Optional<String> dmName,
        Optional<String> dmUuid,
        List<Path> links) {
    public BlockDevice {
        parents = List.copyOf(parents);
        children = List.copyOf(children);
        holders = List.copyOf(holders);
        links = List.copyOf(links);
    }

    /** Returns whether something is on top of it: partitions, or a device that holds it. */
    public boolean hasChildren() {
        return !children.isEmpty();
    }

    /** Returns the paths that a mount or a person may call it by. */
    public Set<String> names() {
        var names = new HashSet<String>();
        names.add(path.toString());
        dmName.ifPresent(name -> names.add("/dev/mapper/" + name));
        links.forEach(link -> names.add(link.toString()));
        return names;
    }

    /** Returns whether its I/O is suspended. */
    public boolean suspended() {
        return state.equals("suspended");
    }
}
