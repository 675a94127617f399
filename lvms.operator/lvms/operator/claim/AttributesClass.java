package lvms.operator.claim;

import lvms.api.Driver;
import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.api.attribute.VolumeAttributes;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;

import java.util.Map;
import java.util.Optional;

/**
 * A VolumeAttributesClass. It is read when a claim names one and never followed: its parameters are
 * immutable, and most clusters have none.
 *
 * @param driver name of the driver that it is for
 */
public record AttributesClass(String driver, Map<String, String> parameters) {
    /** Reads the class of this name from the server; empty also if it serves no such type. */
    public static Optional<AttributesClass> find(KubeClient kube, String name)
            throws ApiException, InterruptedException {
        return name.isEmpty()
                ? Optional.empty()
                : kube.find(Types.VOLUME_ATTRIBUTES_CLASS, ObjectKey.cluster(name))
                        .map(
                                object ->
                                        new AttributesClass(
                                                object.text("driverName").orElse(""),
                                                object.textMap("parameters")));
    }

    /**
     * Returns the attributes that a class gives.
     *
     * @param name name of the class
     * @param found the class, if it exists
     * @throws VolumeException FAILED_PRECONDITION if it does not exist, INVALID_ARGUMENT if it is
     *     for another driver or names what cannot be changed
     */
    public static VolumeAttributes attributes(
            String name, Optional<AttributesClass> found, Driver driver) throws VolumeException {
        if (found.isEmpty()) {
            throw new VolumeException(
                    StatusCode.FAILED_PRECONDITION,
                    "VolumeAttributesClass " + name + " does not exist");
        }
        if (!found.get().driver().equals(driver.name())) {
            throw new VolumeException(
                    StatusCode.INVALID_ARGUMENT,
                    "VolumeAttributesClass %s is for driver %s, not %s"
                            .formatted(name, found.get().driver(), driver.name()));
        }
        try {
            return VolumeAttributes.of(driver, found.get().parameters());
        } catch (VolumeException e) {
            throw new VolumeException(
                    e.code(), "VolumeAttributesClass " + name + ": " + e.getMessage(), e);
        }
    }
}
