package lvms.node.volume;

import lvms.api.StatusCode;
import lvms.lvm2.LvcreateOptions;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.NodeDeviceClass;

import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * How a new volume is laid out on the disks.
 *
 * @param stripes number of stripes
 * @param stripeSizeBytes size of a stripe
 * @param options further options of lvcreate
 */
public record VolumeLayout(
        OptionalInt stripes, OptionalLong stripeSizeBytes, LvcreateOptions options) {
    /**
     * Chooses the layout. As in TopoLVM, an option class replaces all that the device class says
     * about the layout, stripes included.
     *
     * @throws VolumeRefused if there is no such option class, or an option is not allowed
     */
    public static VolumeLayout of(
            String optionClass, NodeDeviceClass deviceClass, DeviceClasses classes)
            throws VolumeRefused {
        if (!optionClass.isEmpty()) {
            return ofOptions(optionClass, classes);
        }
        var refusal = deviceClass.refusal();
        if (refusal.isPresent()) {
            throw refused("device class \"%s\": %s".formatted(deviceClass.name(), refusal.get()));
        }
        var options = LvcreateOptions.of(deviceClass.lvcreateOptions());
        if (deviceClass.striping().isEmpty()) {
            return new VolumeLayout(OptionalInt.empty(), OptionalLong.empty(), options);
        }
        var striping = deviceClass.striping().get();
        return new VolumeLayout(OptionalInt.of(striping.stripes()), striping.sizeBytes(), options);
    }

    private static VolumeLayout ofOptions(String optionClass, DeviceClasses classes)
            throws VolumeRefused {
        var words = classes.lvcreateOptions(optionClass);
        if (words.isEmpty()) {
            throw refused("this node has no lvcreate option class " + optionClass);
        }
        try {
            return new VolumeLayout(
                    OptionalInt.empty(), OptionalLong.empty(), LvcreateOptions.of(words.get()));
        } catch (IllegalArgumentException e) {
            throw refused(
                    "lvcreate option class \"%s\": %s".formatted(optionClass, e.getMessage()));
        }
    }

    private static VolumeRefused refused(String why) {
        return new VolumeRefused(StatusCode.INVALID_ARGUMENT, why);
    }
}
