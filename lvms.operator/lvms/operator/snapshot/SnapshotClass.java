package lvms.operator.snapshot;

import lvms.api.Driver;
import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;

import java.util.Map;
import java.util.Set;

/**
 * What a VolumeSnapshotClass says about new snapshots. No parameter changes one, since a snapshot
 * lies in the thin pool of its volume; secrets are for drivers that need some. As csi-snapshotter
 * does, parameters of Kubernetes' own prefix are checked all the same: whoever wrote one there
 * expects something of it. The deletion policy is in the VolumeSnapshotContent.
 */
final class SnapshotClass {
    private static final String RESERVED = "csi.storage.k8s.io/";
    private static final String NAME = "secret-name";
    private static final String NAMESPACE = "secret-namespace";
    private static final Set<String> PURPOSES = Set.of("snapshotter-", "snapshotter-list-");

    private SnapshotClass() {}

    /**
     * Checks the class of a content; one that names none needs none.
     *
     * @throws VolumeException FAILED_PRECONDITION if there is no such class, INVALID_ARGUMENT if it
     *     is for another driver or says what nobody could obey
     */
    static void check(KubeClient kube, String name, Driver driver)
            throws VolumeException, ApiException, InterruptedException {
        if (name.isEmpty()) {
            return;
        }
        var found = kube.find(Types.VOLUME_SNAPSHOT_CLASS, ObjectKey.cluster(name));
        if (found.isEmpty()) {
            throw new VolumeException(
                    StatusCode.FAILED_PRECONDITION,
                    "VolumeSnapshotClass " + name + " does not exist");
        }
        check(found.get(), driver);
    }

    static void check(KubeObject snapshotClass, Driver driver) throws VolumeException {
        var served = snapshotClass.text("driver").orElse("");
        if (!served.equals(driver.name())) {
            throw invalid(snapshotClass, "is for driver " + served + ", not " + driver.name());
        }
        var parameters = snapshotClass.textMap("parameters");
        for (var key : parameters.keySet()) {
            if (key.startsWith(RESERVED) && !known(key.substring(RESERVED.length()))) {
                throw invalid(
                        snapshotClass,
                        "has the unknown parameter "
                                + key
                                + "; the prefix "
                                + RESERVED
                                + " is reserved");
            }
        }
        for (var purpose : PURPOSES) {
            requireBoth(snapshotClass, parameters, RESERVED + purpose);
        }
    }

    private static boolean known(String key) {
        return PURPOSES.stream().anyMatch(p -> key.equals(p + NAME) || key.equals(p + NAMESPACE));
    }

    private static void requireBoth(
            KubeObject snapshotClass, Map<String, String> parameters, String prefix)
            throws VolumeException {
        if (parameters.containsKey(prefix + NAME) != parameters.containsKey(prefix + NAMESPACE)) {
            throw invalid(snapshotClass, "must set " + prefix + NAME + " and -namespace together");
        }
    }

    private static VolumeException invalid(KubeObject snapshotClass, String text) {
        return new VolumeException(
                StatusCode.INVALID_ARGUMENT,
                "VolumeSnapshotClass " + snapshotClass.name() + " " + text);
    }
}
