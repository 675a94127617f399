package lvms.node.disk;

import java.util.List;

/**
 * What a device is, whatever is on it.
 *
 * @param links paths below {@code /dev/disk} that lead to it
 * @param rotational whether it is a spinning disk
 * @param model model; empty if unknown
 * @param serial serial number; empty if unknown
 */
public record Hardware(List<String> links, boolean rotational, String model, String serial) {
    public static final Hardware UNKNOWN = new Hardware(List.of(), false, "", "");

    public Hardware {
        links = List.copyOf(links);
    }
}
