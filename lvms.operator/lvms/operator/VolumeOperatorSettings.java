package lvms.operator;

import lvms.api.Driver;
import lvms.k8s.object.ObjectKey;
import lvms.operator.volume.SizeRules;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * How the control side of the driver works.
 *
 * @param driver the driver
 * @param sizes smallest sizes of volumes
 * @param defaultDeviceClass name of the default device class, where it is known; asked often, so it
 *     must not block
 * @param pod namespace and name of the pod of this process
 * @param version version to tell to callers
 * @param socket path of the CSI socket; empty for no socket
 * @param controllers whether the controllers run here too, or only the socket, for clusters that
 *     keep the standard sidecars
 */
public record VolumeOperatorSettings(
        Driver driver,
        SizeRules sizes,
        Supplier<Optional<String>> defaultDeviceClass,
        ObjectKey pod,
        String version,
        Optional<Path> socket,
        boolean controllers) {
    /** Returns the settings of the operator: everything runs, {@code topolvm.io}, usual sizes. */
    public static VolumeOperatorSettings of(ObjectKey pod, String version, Path socket) {
        return new VolumeOperatorSettings(
                Driver.TOPOLVM,
                SizeRules.DEFAULT,
                Optional::empty,
                pod,
                version,
                Optional.of(socket),
                true);
    }
}
