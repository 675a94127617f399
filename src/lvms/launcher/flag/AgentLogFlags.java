package lvms.launcher.flag;

import lvms.log.LogWords;

import java.util.ArrayList;
import java.util.List;

/** The operator's flags that say how its node agents log, named as in LVMS. */
public final class AgentLogFlags {
    private static final String PREFIX = "vgmanager-";
    private static final String KLOG = "v";
    private static final String MODULES = "vmodule";
    private static final String ZAP = "zap-log-level";

    private AgentLogFlags() {}

    public static List<Flag> flags() {
        return List.of(
                flag(KLOG, "verbosity of the node agents as klog counts: 4 is debug"),
                flag(MODULES, "verbosity of parts of the node agents: pattern=number, ..."),
                flag(ZAP, "level of the node agents as zap says it: debug, info, error"));
    }

    private static Flag flag(String name, String meaning) {
        return new Flag(PREFIX + name, Flag.Kind.TEXT, "", meaning);
    }

    /** Returns the flags for an agent. A word that it would refuse is refused here. */
    public static List<String> read(Flags flags) throws UsageException {
        LogFlags.word(flags, PREFIX + KLOG, LogWords::klog, null);
        LogFlags.word(flags, PREFIX + MODULES, LogWords::vmodule, null);
        LogFlags.word(flags, PREFIX + ZAP, LogWords::zap, null);
        var words = new ArrayList<String>();
        for (var name : List.of(KLOG, MODULES, ZAP)) {
            var value = flags.text(PREFIX + name);
            if (!value.isEmpty()) {
                words.add("--" + name + "=" + value);
            }
        }
        return words;
    }
}
