package lvms.launcher.flag;

import lvms.k8s.object.Quantity;
import lvms.operator.volume.SizeRules;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** TopoLVM's flags of the smallest volumes; each has an effect here. */
public final class AllocationFlags {
    private static final String PREFIX = "minimum-allocation-";
    private static final String BLOCK = "block";
    private static final List<String> FILESYSTEMS = List.of("ext4", "xfs", "btrfs");
    private static final Map<String, String> DEFAULTS =
            Map.of(BLOCK, "8Mi", "ext4", "32Mi", "xfs", "300Mi", "btrfs", "200Mi");

    private AllocationFlags() {}

    public static List<Flag> flags() {
        var flags = new ArrayList<Flag>();
        flags.add(flag(BLOCK, "smallest volume with volumeMode Block; negative for none"));
        FILESYSTEMS.forEach(
                type ->
                        flags.add(
                                flag(
                                        type,
                                        "smallest volume with " + type + "; negative for none")));
        return flags;
    }

    private static Flag flag(String of, String meaning) {
        return new Flag(PREFIX + of, Flag.Kind.TEXT, DEFAULTS.get(of), meaning);
    }

    public static SizeRules read(Flags flags) throws UsageException {
        var filesystems = new HashMap<String, Long>();
        for (var type : FILESYSTEMS) {
            filesystems.put(type, bytes(flags, type));
        }
        return new SizeRules(bytes(flags, BLOCK), filesystems);
    }

    private static long bytes(Flags flags, String of) throws UsageException {
        var text = flags.text(PREFIX + of);
        try {
            return Math.max(0, Quantity.parse(text).bytes());
        } catch (IllegalArgumentException e) {
            throw new UsageException(
                    "flag --" + PREFIX + of + "=" + text + ": must be a size such as 32Mi");
        }
    }
}
