package lvms.operator.snapshot;

import static java.lang.System.Logger.Level.DEBUG;

import lvms.api.Driver;
import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.api.snapshot.StoreSize;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;

import java.util.List;
import java.util.Map;

/**
 * What a VolumeSnapshotClass, or a VolumeGroupSnapshotClass, says about new snapshots: how much
 * room one of a thick volume gets. Secrets are for drivers that need some. As csi-snapshotter does,
 * parameters of Kubernetes' own prefix are checked all the same: whoever wrote one there expects
 * something of it. The deletion policy is in the content.
 *
 * @param type which of the two kinds
 * @param purposes what the secrets that it may name are for
 */
record SnapshotClass(ResourceType type, List<String> purposes) {
    private static final System.Logger LOG = System.getLogger(SnapshotClass.class.getName());
    private static final String RESERVED = "csi.storage.k8s.io/";
    private static final String NAME = "secret-name";
    private static final String NAMESPACE = "secret-namespace";

    static final SnapshotClass SINGLE =
            new SnapshotClass(
                    Types.VOLUME_SNAPSHOT_CLASS, List.of("snapshotter-", "snapshotter-list-"));

    static final SnapshotClass GROUP =
            new SnapshotClass(
                    Types.VOLUME_GROUP_SNAPSHOT_CLASS,
                    List.of("group-snapshotter-", "group-snapshotter-get-"));

    /**
     * Checks the class of a content; one that names none needs none.
     *
     * @return the room that it wants for a snapshot
     * @throws VolumeException FAILED_PRECONDITION if there is no such class, INVALID_ARGUMENT if it
     *     is for another driver or says what nobody could obey
     */
    StoreSize check(KubeClient kube, String name, Driver driver)
            throws VolumeException, ApiException, InterruptedException {
        if (name.isEmpty()) {
            return StoreSize.DEFAULT;
        }
        var found = kube.find(type, ObjectKey.cluster(name));
        if (found.isEmpty()) {
            throw new VolumeException(
                    StatusCode.FAILED_PRECONDITION, type.kind() + " " + name + " does not exist");
        }
        return check(found.get(), driver);
    }

    /**
     * Returns the room that a class wants for a snapshot that was begun: it goes on, whatever
     * became of the class.
     */
    StoreSize begun(KubeClient kube, String name, Driver driver)
            throws ApiException, InterruptedException {
        try {
            return check(kube, name, driver);
        } catch (VolumeException e) {
            LOG.log(DEBUG, () -> "the class of a snapshot has changed: " + e.getMessage());
            return StoreSize.DEFAULT;
        }
    }

    StoreSize check(KubeObject snapshotClass, Driver driver) throws VolumeException {
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
        for (var purpose : purposes) {
            requireBoth(snapshotClass, parameters, RESERVED + purpose);
        }
        try {
            return StoreSize.of(parameters);
        } catch (IllegalArgumentException e) {
            throw invalid(snapshotClass, "has " + e.getMessage());
        }
    }

    private boolean known(String key) {
        return purposes.stream().anyMatch(p -> key.equals(p + NAME) || key.equals(p + NAMESPACE));
    }

    private void requireBoth(
            KubeObject snapshotClass, Map<String, String> parameters, String prefix)
            throws VolumeException {
        if (parameters.containsKey(prefix + NAME) != parameters.containsKey(prefix + NAMESPACE)) {
            throw invalid(snapshotClass, "must set " + prefix + NAME + " and -namespace together");
        }
    }

    private VolumeException invalid(KubeObject snapshotClass, String text) {
        return new VolumeException(
                StatusCode.INVALID_ARGUMENT, type.kind() + " " + snapshotClass.name() + " " + text);
    }
}
