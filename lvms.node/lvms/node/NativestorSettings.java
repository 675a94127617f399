package lvms.node;

import java.util.List;
import java.util.regex.Pattern;

/**
 * What an agent does for those who come from NativeStor.
 *
 * @param inventory whether it publishes the devices of its node: a ConfigMap, and RawDevices
 * @param rawDevices whether it serves the driver of raw devices, for which RawDevices are kept too
 * @param loops whether loop devices are among them
 * @param excluded kernel names of devices that alone are no reason to publish anything soon
 */
public record NativestorSettings(
        boolean inventory, boolean rawDevices, boolean loops, List<Pattern> excluded) {
    /** Nothing. */
    public static final NativestorSettings NONE =
            new NativestorSettings(false, false, false, List.of());

    public NativestorSettings {
        excluded = List.copyOf(excluded);
    }
}
