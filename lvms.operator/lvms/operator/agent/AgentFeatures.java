package lvms.operator.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What the node agents do beyond the usual, if somebody asks for it.
 *
 * @param discoverDevices whether they publish the devices of their nodes as NativeStor does
 * @param rawDevices whether they serve the driver of raw devices
 * @param discoverLoops whether loop devices are among them
 * @param eventBlacklist regular expressions, separated by commas: kernel names of devices whose
 *     changes alone are published late; empty for NativeStor's own
 * @param oldDriver whether they find the old driver's CSIDriver when they start, and serve it
 */
public record AgentFeatures(
        boolean discoverDevices,
        boolean rawDevices,
        boolean discoverLoops,
        String eventBlacklist,
        boolean oldDriver) {
    /** Nothing. */
    public static final AgentFeatures NONE = new AgentFeatures(false, false, false, "", false);

    /** The agents' variable with the expressions, which is NativeStor's. */
    public static final String BLACKLIST = "DISCOVER_DAEMON_UDEV_BLACKLIST";

    public AgentFeatures {
        Objects.requireNonNull(eventBlacklist, "eventBlacklist");
    }

    /** Returns the same, and what else is asked for. */
    public AgentFeatures and(boolean discover, boolean raw, boolean old) {
        return new AgentFeatures(
                discoverDevices || discover,
                rawDevices || raw,
                discoverLoops,
                eventBlacklist,
                oldDriver || old);
    }

    /** Returns the flags of an agent that does it. */
    public List<String> flags() {
        var flags = new ArrayList<String>();
        if (discoverDevices) {
            flags.add("--discover-devices");
        }
        if (rawDevices) {
            flags.add("--raw-devices");
        }
        if (discoverLoops) {
            flags.add("--discover-loops");
        }
        return flags;
    }

    /** Returns the environment variables of an agent that does it. */
    public Map<String, String> variables() {
        return eventBlacklist.isEmpty() ? Map.of() : Map.of(BLACKLIST, eventBlacklist);
    }
}
