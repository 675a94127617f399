package lvms.operator.volume;

import lvms.api.Driver;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * Settings by which volumes are made.
 *
 * @param driver the driver
 * @param sizes size rules
 * @param defaultDeviceClass name of the default device class, where it is known
 */
public record VolumeSettings(
        Driver driver, SizeRules sizes, Supplier<Optional<String>> defaultDeviceClass) {
    /** TopoLVM's settings. */
    public static final VolumeSettings DEFAULT =
            new VolumeSettings(Driver.TOPOLVM, SizeRules.DEFAULT, Optional::empty);

    /**
     * Returns the name under which nodes report a device class: "no class given" and the default
     * class's own name are the same.
     */
    String canonicalClass(String deviceClass) {
        return deviceClass.isEmpty()
                ? defaultDeviceClass.get().orElse(Driver.DEFAULT_CLASS_KEY)
                : deviceClass;
    }
}
