package lvms.launcher.flag;

import static java.lang.System.Logger.Level.WARNING;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Flags that the programs of TopoLVM and LVMS take from their libraries or from Go itself. They are
 * accepted here too, so that their manifests start our program. Those of {@link LogFlags} have an
 * effect; the rest, about klog's files and headers, has none.
 */
public final class TopolvmFlags {
    private static final System.Logger LOG = System.getLogger("lvms");
    private static final List<String> SWITCHES =
            List.of(
                    "add_dir_header",
                    "alsologtostderr",
                    "logtostderr",
                    "one_output",
                    "skip_headers",
                    "skip_log_headers");
    private static final List<String> TEXTS =
            List.of(
                    "log_backtrace_at",
                    "log_dir",
                    "log_file",
                    "log_file_max_size",
                    "stderrthreshold");
    private static final String NOT_LISTED = "";

    /** The flag that says where a process tells of itself. */
    public static final Flag PROFILING =
            new Flag(
                    "profiling-bind-address",
                    Flag.Kind.ADDRESS,
                    "",
                    "address of /debug/threads and /debug/jfr: on loopback for all, elsewhere as"
                            + " /metrics; not served unless given");

    /** The flag of a program that needs no sidecars. */
    public static final Flag OWN_SIDECARS =
            new Flag(
                    "own-sidecars",
                    Flag.Kind.SWITCH,
                    "false",
                    "do the work of the standard sidecars too; none may run beside this then");

    /** Prints the version instead of doing anything. */
    public static final Flag VERSION =
            new Flag("version", Flag.Kind.SWITCH, "false", "print the version");

    /** The same, where {@code -v} does not say how much to log. */
    public static final Flag SHORT_VERSION =
            new Flag("v", Flag.Kind.SWITCH, "false", "print the version");

    private TopolvmFlags() {}

    public static boolean askVersion(List<Flag> known, Flags given) {
        return Stream.of(VERSION, SHORT_VERSION)
                .anyMatch(flag -> known.contains(flag) && given.on(flag.name()));
    }

    /** Returns the flags of the command, those of the log, and these. */
    public static List<Flag> and(Flag... own) {
        var all = new ArrayList<>(List.of(own));
        all.addAll(LogFlags.flags());
        all.add(PROFILING);
        SWITCHES.forEach(name -> all.add(new Flag(name, Flag.Kind.SWITCH, "", NOT_LISTED)));
        TEXTS.forEach(name -> all.add(new Flag(name, Flag.Kind.TEXT, "", NOT_LISTED)));
        return all;
    }

    /** Says which of those without effect were given. */
    public static void warn(Flags flags) {
        var given =
                Stream.concat(SWITCHES.stream(), TEXTS.stream())
                        .filter(name -> !flags.text(name).isEmpty())
                        .toList();
        if (!given.isEmpty()) {
            LOG.log(WARNING, () -> "flags without effect flags=" + given);
        }
    }
}
