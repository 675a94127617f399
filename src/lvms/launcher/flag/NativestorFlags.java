package lvms.launcher.flag;

import lvms.node.NativestorSettings;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** The node agent's flags for those who come from NativeStor: nothing, unless one is given. */
public final class NativestorFlags {
    private static final String DEVICES = "discover-devices";
    private static final String RAW_DEVICES = "raw-devices";
    private static final String LOOPS = "discover-loops";
    private static final String USUAL = "(?i)dm-[0-9]+,(?i)rbd[0-9]+,(?i)nbd[0-9]+";

    public static final List<Flag> ALL =
            List.of(
                    new Flag(
                            DEVICES,
                            Flag.Kind.SWITCH,
                            "false",
                            "publish the devices of this node as NativeStor does: RawDevices and"
                                    + " ConfigMap lvmdconfig-NODE; see docs/nativestor.md"),
                    new Flag(
                            RAW_DEVICES,
                            Flag.Kind.SWITCH,
                            "false",
                            "serve CSI driver nativestor.alauda.io, whose volumes are whole disks"
                                    + " and partitions; see docs/nativestor.md"),
                    new Flag(
                            LOOPS,
                            Flag.Kind.SWITCH,
                            "false",
                            "have loop devices among these, for development"));

    /** Devices whose events are not waited for. */
    public static final Variable BLACKLIST =
            new Variable(
                    "DISCOVER_DAEMON_UDEV_BLACKLIST",
                    false,
                    "regular expressions, joined by commas: kernel names of devices whose changes"
                            + " alone are published a minute later; else "
                            + USUAL);

    private NativestorFlags() {}

    /**
     * Reads flags and variable.
     *
     * @throws UsageException if an expression is none
     */
    public static NativestorSettings read(Flags flags, Environment environment)
            throws UsageException {
        return new NativestorSettings(
                flags.on(DEVICES),
                flags.on(RAW_DEVICES),
                flags.on(LOOPS),
                expressions(environment));
    }

    private static List<Pattern> expressions(Environment environment) throws UsageException {
        var text = environment.variables().getOrDefault(BLACKLIST.name(), USUAL);
        var expressions = new ArrayList<Pattern>();
        for (var expression : text.split(",")) {
            try {
                if (!expression.isBlank()) {
                    expressions.add(Pattern.compile(expression.strip()));
                }
            } catch (PatternSyntaxException e) {
                throw new UsageException(
                        "environment variable %s: \"%s\" is not a regular expression: %s"
                                .formatted(BLACKLIST.name(), expression, e.getDescription()));
            }
        }
        return expressions;
    }
}
