package lvms.operator;

import lvms.api.Driver;
import lvms.k8s.object.ObjectKey;
import lvms.operator.volume.SizeRules;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * How the volume half of the operator works.
 *
 * @param sizes smallest sizes of volumes
 * @param defaultDeviceClass name of the default device class, where it is known; asked often, so it
 *     must not block
 * @param pod namespace and name of the pod of this process
 * @param version version that callers are told
 * @param sockets path of the CSI socket of each driver that has one
 * @param provisioner choices of the provisioner
 * @param nodes what is done about nodes
 */
public record VolumeOperatorSettings(
        SizeRules sizes,
        Supplier<Optional<String>> defaultDeviceClass,
        ObjectKey pod,
        String version,
        Map<Driver, Path> sockets,
        ProvisionerSettings provisioner,
        NodeSettings nodes) {
    /** Keeps a private copy. */
    public VolumeOperatorSettings {
        sockets = Map.copyOf(sockets);
    }

    /** Returns the settings of the operator: everything runs, with the usual sizes. */
    public static VolumeOperatorSettings of(ObjectKey pod, String version, Path socket) {
        return new VolumeOperatorSettings(
                SizeRules.DEFAULT,
                Optional::empty,
                pod,
                version,
                Map.of(Driver.TOPOLVM, socket),
                ProvisionerSettings.DEFAULT,
                NodeSettings.NONE);
    }

    /** The same with other choices of the provisioner. */
    public VolumeOperatorSettings provisioner(ProvisionerSettings choices) {
        return new VolumeOperatorSettings(
                sizes, defaultDeviceClass, pod, version, sockets, choices, nodes);
    }

    /** The same with other wishes about nodes. */
    public VolumeOperatorSettings nodes(NodeSettings wanted) {
        return new VolumeOperatorSettings(
                sizes, defaultDeviceClass, pod, version, sockets, provisioner, wanted);
    }
}
