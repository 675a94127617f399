package lvms.node.volume;

import lvms.api.StatusCode;
import lvms.lvm2.LvcreateOptions;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.NodeDeviceClass;

import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * How a new volume is laid out on the disks.
 *
 * @param stripes number of stripes
 * @param stripeSizeBytes size of a stripe
 * @param options further options of lvcreate
 */
public record VolumeLayout(
        OptionalInt stripes, OptionalLong stripeSizeBytes, LvcreateOptions options) {
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,10})([bBsSkKmMgGtTpPeE]?)[bB]?");

    /**
     * Chooses the layout. As in TopoLVM, an option class replaces all that the device class says
     * about the layout, stripes included.
     *
     * @throws VolumeRefused if there is no such option class
     * @throws IllegalArgumentException if an option is not allowed
     */
    public static VolumeLayout of(
            String optionClass, NodeDeviceClass deviceClass, DeviceClasses classes)
            throws VolumeRefused {
        if (!optionClass.isEmpty()) {
            var words =
                    classes.lvcreateOptions(optionClass)
                            .orElseThrow(
                                    () ->
                                            new VolumeRefused(
                                                    StatusCode.INVALID_ARGUMENT,
                                                    "this node has no lvcreate option class "
                                                            + optionClass));
            return new VolumeLayout(
                    OptionalInt.empty(), OptionalLong.empty(), LvcreateOptions.of(words));
        }
        var options = LvcreateOptions.of(deviceClass.lvcreateOptions());
        if (deviceClass.striping().isEmpty()) {
            return new VolumeLayout(OptionalInt.empty(), OptionalLong.empty(), options);
        }
        var striping = deviceClass.striping().get();
        var size = striping.stripeSize().map(VolumeLayout::bytes);
        return new VolumeLayout(
                OptionalInt.of(striping.stripes()),
                size.isPresent() ? OptionalLong.of(size.get()) : OptionalLong.empty(),
                options);
    }

    /** Reads a stripe size as {@code lvcreate -I} does: kibibytes unless a unit is given. */
    static long bytes(String text) {
        var matcher = SIZE.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not a stripe size: " + text);
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "b", "B" -> number;
            case "s", "S" -> number * 512;
            case "m", "M" -> number << 20;
            case "g", "G" -> number << 30;
            case "t", "T", "p", "P", "e", "E" ->
                    throw new IllegalArgumentException("stripe size is too large: " + text);
            default -> number << 10;
        };
    }
}
