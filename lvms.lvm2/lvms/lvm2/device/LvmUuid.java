package lvms.lvm2.device;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The device-mapper UUID of a device of LVM: {@code LVM-}, the UUID of the group, that of the
 * volume, and the layer behind a hyphen. Nobody chooses any of it, while a volume of a name such as
 * {@code vm1-cow} may be anybody's.
 *
 * <p>Source: {@code build_dm_uuid} in {@code lib/misc/lvm-string.c}. Images and logs of RAID and
 * mirrors have no layer there; what tells them is their name, which LVM reserves.
 *
 * @param group UUID of the volume group, as reports print it
 * @param volume UUID of the logical volume, as reports print it
 * @param layer such as {@code cow}, {@code real}, {@code tpool}, {@code tdata}; empty for a volume
 *     that has no layer, as each that a person made
 */
public record LvmUuid(String group, String volume, String layer) {
    private static final String ID = "(.{6})(.{4})(.{4})(.{4})(.{4})(.{4})(.{6})";
    private static final int PARTS = 7;
    private static final Pattern OF_LVM = Pattern.compile("LVM-" + ID + ID + "(?:-(.+))?");

    /** Reads one; empty if another program made the device. */
    public static Optional<LvmUuid> of(String deviceMapperUuid) {
        return Optional.of(OF_LVM.matcher(deviceMapperUuid))
                .filter(Matcher::matches)
                .map(LvmUuid::read);
    }

    private static LvmUuid read(Matcher matcher) {
        var layer = matcher.group(2 * PARTS + 1);
        return new LvmUuid(id(matcher, 1), id(matcher, PARTS + 1), layer == null ? "" : layer);
    }

    private static String id(Matcher matcher, int first) {
        var parts = IntStream.range(first, first + PARTS).mapToObj(matcher::group).toList();
        return String.join("-", parts);
    }
}
