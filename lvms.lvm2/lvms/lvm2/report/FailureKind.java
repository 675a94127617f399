package lvms.lvm2.report;

import lvms.lvm2.LvmException;
import lvms.lvm2.engine.Command;
import lvms.lvm2.engine.Reply;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a failed command means. This is the only place that reads LVM's English: LVM has one status,
 * 5, for all of "not found", "busy", "exists" and "no space". The order matters: one failure prints
 * several messages, the cause first or last.
 */
public enum FailureKind {
    /** The command found nothing to change; of a size, LVM 2.03.17 and newer say it shorter. */
    NOTHING_TO_DO(
            "matches existing size|No size change|No data to move|Failed query for merging"
                    + " percentage|is not merging"),
    LOCK_BUSY(
            "Can't get lock for|flock failed: Resource temporarily unavailable"
                    + "|Failed to lock .*(busy|temporarily)|Cannot get (shared|exclusive) lock"
                    + "|Couldn't get .*lock|Failed to acquire .*lock|Global lock failed"),
    MISSING_DEVICE(
            "while PVs are missing|Cannot change VG \\S+ while PVs|with missing (PVs|physical)"
                    + "|Volume group \\S+ is partial|Couldn't find device with uuid"
                    + "|Refusing activation of partial LV|There are .* physical volumes? missing"),
    ALREADY_EXISTS(
            "Logical [Vv]olume \\S+ already exists|volume group called \\S+ already exists"
                    + "|already exists in volume group|already exists as logical volume"
                    + "|: already exists in filesystem"),
    OUT_OF_SPACE(
            "[Ii]nsufficient (free space|suitable|allocatable)|exceeds maximum metadata size"
                    + "|too large for circular buffer|reached threshold|[Nn]ot enough (free )?space"
                    + "|No space for .*metadata|Insufficient suitable|is above threshold"
                    + "|VG \\S+ metadata (too large|is full)|not enough free (data|metadata) space"
                    + "|[Ii]nsufficient space|No specified PVs have space available"
                    + "|Couldn't allocate areas array"), // 2.03.31: for no device, no memory
    NOT_FOUND(
            "Volume group \"?[^\"]+\"? not found|Failed to find logical volume"
                    + "|Failed to find physical volume|One or more specified logical volume\\(s\\)"
                    + "|[Nn]o device found for|Device \\S+ not found"
                    + "|Failed to find device|Snapshot origin LV \\S+ not found"
                    + "|Logical volume \\S+ not found|Thin pool LV \\S+ not found"
                    + "|Existing logical volume \\S+ not found|Pool LV \\S+ not found"
                    + "|Couldn't find (logical|volume)|Physical [Vv]olume \\S+ not found"
                    + "|Cannot find VG|Pool \\S+ not found|No PV found on device"),
    /** LVM could not read the group or device, so nobody knows what is there. */
    UNREADABLE("Cannot process (volume group|standalone physical volumes)"),
    IN_USE(
            "contains a filesystem in use|is used by another device|in use|Mounted filesystem"
                    + "|[Cc]an't open \\S+ exclusively|is already in volume group"
                    + "|still contains \\d+ logical volume|Can't remove final physical volume"
                    + "|signature detected|device is (mounted|partitioned)|is partitioned"
                    + "|has a signature|Cannot use \\S+: device|will remove \\d+ dependent"
                    + "|Device or resource busy|still in use|is open|is mounted"
                    + "|aborted\\.|not removed\\.|[Cc]ontains \\d+ logical volume"
                    + "|Can't reset|belongs to a volume group|Aborting|Aborted wiping|is being used"
                    + "|has (open|active) logical volumes|used by (a )?snapshot|is used by VG"),
    INVALID_ARGUMENT(
            "not valid|is invalid|[Ii]nvalid (argument|value)|unrecognized option"
                    + "|[Cc]annot be applied|is not a thin|must be|not supported"
                    + "|Please specify either size or extents|requires? (a )?thin"
                    + "|is reserved|[Uu]nsupported|Number of stripes"),
    UNAVAILABLE(
            "without using device-mapper kernel driver|device-mapper driver missing|Failure to"
                    + " communicate with kernel device-mapper|control: open failed|Cannot"
                    + " initialise|Failed to load config|kernel driver|required target .* not"
                    + " found|Target .* not supported by|thin-pool: Required device-mapper target"),
    /**
     * The thin pool in the kernel lacks the device that the metadata names, or cannot read a sector
     * of its metadata: the kernel has one error, ENODATA, for both.
     */
    NO_DEVICE("reload ioctl .*failed: No data available"),
    OTHER("");

    private static final Pattern READ_ERROR =
            Pattern.compile("Error reading device|Input/output error|Failed to read lvm info");
    private static final String STATUS_LINE = "Command failed with status code 5.";
    private static final Pattern NONE_COUNTED =
            Pattern.compile("\"0 physical volume[^/\"]* / 0 physical volume[^/\"]*\"");
    private static final Pattern NO_SUCH_LV =
            Pattern.compile("(Failed to find logical volume|(volume|LV|Pool) \\S+ not found in)");
    private static final int BAD_PARAMETERS = 3;
    private static final int FAILED = 5;
    private static final Pattern DEVICE_IS_THERE =
            Pattern.compile(
                    "Thin pool (\\S+) \\(\\d+:\\d+\\) already contain thin device with device_id"
                            + " (\\d{1,8})");
    private static final Pattern INCONSISTENT =
            Pattern.compile("Inconsistent metadata found for VG (\\S+?)\\.?$");
    private final Pattern text;

    FailureKind(String text) {
        this.text = Pattern.compile(text);
    }

    /**
     * Returns the pool in which LVM cannot repeat a creation that was cut short, if that is the
     * cause.
     */
    public static Optional<StuckPool> stuckPool(LvmException failure) {
        return Optional.of(DEVICE_IS_THERE.matcher(failure.getMessage()))
                .filter(Matcher::find)
                .map(found -> new StuckPool(found.group(1), Integer.parseInt(found.group(2))));
    }

    /** Returns the groups whose copies of the metadata differ, according to LVM's warnings. */
    public static Set<String> inconsistentGroups(List<String> warnings) {
        return warnings.stream()
                .map(INCONSISTENT::matcher)
                .filter(Matcher::find)
                .map(found -> found.group(1))
                .collect(Collectors.toSet());
    }

    /**
     * Judges a failure by LVM's status and its error messages. What was not found may be on a
     * device that could not be read; LVM says that it "cannot process" a group in both cases.
     */
    public static FailureKind of(int status, List<String> errors) {
        for (var kind : values()) {
            if (kind != OTHER && kind.isSaidIn(errors)) {
                return kind == NOT_FOUND && isDoubtful(errors) ? UNREADABLE : kind;
            }
        }
        return status == BAD_PARAMETERS ? INVALID_ARGUMENT : OTHER;
    }

    private static boolean isDoubtful(List<String> errors) {
        return errors.stream().anyMatch(error -> READ_ERROR.matcher(error).find())
                && !readTheGroup(errors);
    }

    /** Returns whether LVM has read a group, and missed only a volume in it. */
    public static boolean readTheGroup(List<String> errors) {
        return errors.stream().anyMatch(error -> NO_SUCH_LV.matcher(error).find());
    }

    private boolean isSaidIn(List<String> errors) {
        return errors.stream().anyMatch(error -> text.matcher(error).find());
    }

    /**
     * Returns whether a command ended before it did anything, for no reason that it told. With
     * {@code wait_for_locks=0} LVM gives up silently if the process that releases a lock removes
     * the lock's file between LVM's own open and flock (lvm-flock.c, {@code _do_flock}). Seen of
     * each command by losing its lock that way: a change that loses the global one prints nothing,
     * or that it counted no physical volume; a report prints no row; the program adds its status.
     *
     * @param errors what LVM said
     */
    public static boolean isSilent(Command command, Reply reply, List<String> errors) {
        return reply.status() == FAILED
                && errors.stream().allMatch(STATUS_LINE::equals)
                && (command.effect() == Command.Effect.READ
                        || reply.stdout().isBlank()
                        || NONE_COUNTED.matcher(reply.stdout()).find());
    }

    /** Makes the exception: the command, what LVM said, and its status. */
    public static LvmException exception(Command command, Reply reply, List<String> errors) {
        var said = errors.isEmpty() ? "no message" : String.join("; ", errors);
        var message = command + ": " + said + " (status " + reply.status() + ")";
        return switch (of(reply.status(), errors)) {
            case LOCK_BUSY -> new LvmException.LockBusy(message);
            case MISSING_DEVICE -> new LvmException.MissingDevice(message);
            case ALREADY_EXISTS -> new LvmException.AlreadyExists(message);
            case OUT_OF_SPACE -> new LvmException.OutOfSpace(message);
            case NOT_FOUND -> new LvmException.NotFound(message);
            case UNREADABLE -> new LvmException.Unreadable(message);
            case IN_USE -> new LvmException.InUse(message);
            case INVALID_ARGUMENT -> new LvmException.InvalidArgument(message);
            case UNAVAILABLE -> new LvmException.Unavailable(message, null);
            case NO_DEVICE, NOTHING_TO_DO, OTHER ->
                    new LvmException.CommandFailed(message, reply.status(), errors);
        };
    }
}
