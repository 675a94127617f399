package lvms.lvm2;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * LVM's own grammar of names, tags and sizes, checked before any command is run. Sources: lvm(8)
 * "Valid names", {@code lib/misc/lvm-string.c}, lvmthin(7).
 *
 * <p>Each method throws {@link IllegalArgumentException} that names the text and the rule.
 */
public final class Grammar {
    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9+_.][a-zA-Z0-9+_.-]*");
    private static final Pattern TAG = Pattern.compile("[a-zA-Z0-9_+./=!:&#-]+");
    private static final Pattern RESERVED =
            Pattern.compile(
                    "_(cdata|cmeta|corig|cpool|cvol|imeta|iorig|mimage|mlog|pmspare|rimage|rmeta"
                            + "|tdata|tmeta|vdata|vorigin|wcorig)");

    /** Udev writes other characters as {@code \\xNN}; LVM splits lists at commas. */
    private static final Pattern DEVICE =
            Pattern.compile("([a-zA-Z0-9#+.:=@_/~!%-]|\\\\x[0-9a-f]{2})+");

    private static final Pattern SETTING = Pattern.compile("[a-zA-Z0-9_]+(/[a-zA-Z0-9_]+)*");
    private static final Pattern UUID =
            Pattern.compile("[a-zA-Z0-9]{6}(-[a-zA-Z0-9]{4}){5}-[a-zA-Z0-9]{6}");

    private static final Pattern PV_UUID = Pattern.compile(UUID + "|[a-zA-Z0-9]{32}");

    /** Linux's PATH_MAX is 4096, including the final zero byte. */
    private static final int MAX_PATH = 4095;

    /** LVM's NAME_LEN is 128, including the final zero byte. */
    private static final int MAX_NAME = 127;

    /** A device-mapper name (DM_NAME_LEN 128) holds vg-lv, hyphens doubled, and a layer suffix. */
    private static final int MAX_DM_NAME = 127 - "-tpool".length();

    private static final int MAX_TAG = 1024;
    private static final long SECTOR = 512;

    private Grammar() {}

    /** Checks the name of a volume group. */
    public static void requireVgName(String name) {
        requireName("volume group", name);
    }

    /** Checks both names of a logical volume, and that a device-mapper name can hold both. */
    public static void requireLvName(LvName name) {
        boolean reserved =
                name.lv().startsWith("snapshot")
                        || name.lv().startsWith("pvmove")
                        || RESERVED.matcher(name.lv()).find();
        if (reserved) {
            throw new IllegalArgumentException(
                    "logical volume name is reserved by LVM: " + name.lv());
        }
        if (deviceMapperName(name).length() > MAX_DM_NAME) {
            throw new IllegalArgumentException(
                    "volume group and logical volume names together are too long: " + name);
        }
    }

    /** Returns the device-mapper name of a logical volume: hyphens doubled, joined by one. */
    public static String deviceMapperName(LvName name) {
        return name.vg().replace("-", "--") + '-' + name.lv().replace("-", "--");
    }

    /**
     * Returns the logical volume that a device-mapper name would be of, if LVM gave it: hyphens
     * inside of names are doubled. Empty for a layer, which has one more part.
     */
    public static Optional<LvName> volumeOf(String deviceMapperName) {
        var parts = deviceMapperName.replace("--", "\0").split("-", -1);
        if (parts.length != 2) {
            return Optional.empty();
        }
        var vg = parts[0].replace('\0', '-');
        var lv = parts[1].replace('\0', '-');
        return isName(vg) && isName(lv) ? Optional.of(new LvName(vg, lv)) : Optional.empty();
    }

    /** Checks a tag, written without the {@code @} that commands use to refer to it. */
    public static void requireTag(String tag) {
        if (!TAG.matcher(tag).matches() || tag.length() > MAX_TAG || tag.startsWith("-")) {
            throw new IllegalArgumentException("not a tag of LVM: \"" + tag + '"');
        }
    }

    /** Checks that a size in bytes is positive and a multiple of 512, the unit LVM counts in. */
    public static void requireSize(String what, long bytes) {
        if (bytes <= 0 || bytes % SECTOR != 0) {
            throw new IllegalArgumentException(
                    what + " is not a positive multiple of 512 bytes: " + bytes);
        }
    }

    /** Checks one word of a command line: printable ASCII without blanks or quotes. */
    public static void requireWord(String word) {
        boolean plain = word.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '\'' && c != '"');
        if (word.isEmpty() || !plain || word.startsWith("#")) {
            throw new IllegalArgumentException(
                    "not a word of a command line (printable ASCII, no blanks, no quotes): \""
                            + word
                            + '"');
        }
    }

    /** Checks the name of a setting of LVM, such as {@code devices/filter}. */
    public static void requireSetting(String name) {
        if (!SETTING.matcher(name).matches()) {
            throw new IllegalArgumentException("not a setting of LVM: \"" + name + '"');
        }
    }

    public static void requirePercent(int percent) {
        if (percent < 1 || percent > 100) {
            throw new IllegalArgumentException("a percentage is from 1 to 100, not " + percent);
        }
    }

    public static void requireDevices(List<Path> devices) {
        if (devices.isEmpty()) {
            throw new IllegalArgumentException("no devices");
        }
        devices.forEach(Grammar::requireDevice);
    }

    /** Checks a path below {@code /dev}, with only characters that udev keeps in link names. */
    public static void requireDevice(Path device) {
        var text = device.toString();
        boolean below =
                device.isAbsolute()
                        && device.equals(device.normalize())
                        && device.startsWith("/dev")
                        && device.getNameCount() > 1;
        if (!below || !DEVICE.matcher(text).matches() || text.length() > MAX_PATH) {
            throw new IllegalArgumentException("not a path below /dev: \"" + text + '"');
        }
    }

    /**
     * Checks a device as {@link #requireDevice} does, for a command that takes {@code PATH:0-9} as
     * a range of extents: links below {@code by-path} have colons, where LVM would split them.
     */
    public static void requireWholeDevice(Path device) {
        requireDevice(device);
        if (device.toString().indexOf(':') >= 0) {
            throw new IllegalArgumentException(
                    "LVM takes what follows a colon for a range of extents; use another name of"
                            + " this device: "
                            + device);
        }
    }

    /** Checks a UUID as LVM prints it, with hyphens. */
    public static void requireUuid(String uuid) {
        if (!UUID.matcher(uuid).matches()) {
            throw new IllegalArgumentException("not a UUID of LVM: \"" + uuid + '"');
        }
    }

    /** Checks the UUID of a physical volume, with or without hyphens. */
    public static void requirePvUuid(String uuid) {
        if (!PV_UUID.matcher(uuid).matches()) {
            throw new IllegalArgumentException(
                    "not the UUID of a physical volume: \"" + uuid + '"');
        }
    }

    static void requireChunkSize(OptionalLong bytes) {
        long min = 64L << 10;
        if (bytes.isPresent() && !within(bytes.getAsLong(), min, 1L << 30, min)) {
            throw new IllegalArgumentException(
                    "chunk size is not a multiple of 64 KiB up to 1 GiB: " + bytes.getAsLong());
        }
    }

    static void requirePoolMetadataSize(OptionalLong bytes) {
        if (bytes.isPresent() && !within(bytes.getAsLong(), 2L << 20, 16L << 30, SECTOR)) {
            throw new IllegalArgumentException(
                    "pool metadata size is not within 2 MiB to 16 GiB: " + bytes.getAsLong());
        }
    }

    static void requireStripes(OptionalInt stripes, OptionalLong stripeSizeBytes) {
        if (stripes.isPresent() && (stripes.getAsInt() < 1 || stripes.getAsInt() > 128)) {
            throw new IllegalArgumentException("stripes are not within 1 to 128: " + stripes);
        }
        long size = stripeSizeBytes.orElse(4096);
        if (Long.bitCount(size) != 1 || size < 4096) {
            throw new IllegalArgumentException(
                    "stripe size is not a power of two of at least 4 KiB: " + size);
        }
    }

    private static boolean within(long bytes, long min, long max, long unit) {
        return bytes >= min && bytes <= max && bytes % unit == 0;
    }

    /** Checks characters and length; names that LVM reserves are allowed. */
    public static void requireName(String what, String name) {
        if (!isName(name)) {
            throw new IllegalArgumentException("not a " + what + " name: \"" + name + '"');
        }
    }

    /** Returns whether LVM could have given this name. */
    public static boolean isName(String name) {
        boolean dots = name.equals(".") || name.equals("..");
        return NAME.matcher(name).matches() && !dots && name.length() <= MAX_NAME;
    }
}
