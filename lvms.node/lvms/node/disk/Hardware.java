package lvms.node.disk;

import lvms.lvm2.device.DeviceIdentity;
import lvms.lvm2.system.DeviceNumber;

import java.util.List;
import java.util.Map;

/**
 * What a device is, whatever is on it.
 *
 * @param links paths below {@code /dev/disk} that lead to it
 * @param rotational whether it is a spinning disk
 * @param model model; empty if unknown
 * @param serial serial number; empty if unknown
 * @param vendor vendor; empty if unknown
 * @param wwn world wide name; empty if unknown
 * @param parent kernel name of the device below it, such as {@code sda}; empty if there is none
 * @param number major and minor number, until the next boot
 * @param identity what identifies it wherever and whenever it is plugged in
 */
public record Hardware(
        List<String> links,
        boolean rotational,
        String model,
        String serial,
        String vendor,
        String wwn,
        String parent,
        DeviceNumber number,
        DeviceIdentity identity) {
    public static final Hardware UNKNOWN =
            new Hardware(
                    List.of(),
                    false,
                    "",
                    "",
                    "",
                    "",
                    "",
                    new DeviceNumber(0, 0),
                    new DeviceIdentity(Map.of()));

    public Hardware {
        links = List.copyOf(links);
    }
}
