package lvms.tests.cluster.workload;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.yaml.Yaml;

import java.util.Optional;

/**
 * A PersistentVolumeClaim.
 *
 * @param size requested bytes, such as {@code 64Mi}
 * @param volumeMode {@code Filesystem} or {@code Block}
 * @param accessMode such as {@code ReadWriteOnce}
 * @param source kind and name of the claim or snapshot that it is a copy of
 */
public record Claim(
        String name,
        String storageClass,
        String size,
        String volumeMode,
        String accessMode,
        Optional<Source> source) {
    /** What a claim is a copy of. */
    public record Source(String kind, String name) {}

    /** A filesystem that one node may have at a time. */
    public static Claim of(String name, String storageClass, String size) {
        return new Claim(name, storageClass, size, "Filesystem", "ReadWriteOnce", Optional.empty());
    }

    /** The same as a raw block volume. */
    public Claim block() {
        return new Claim(name, storageClass, size, "Block", accessMode, source);
    }

    /** The same with another access mode. */
    public Claim access(String mode) {
        return new Claim(name, storageClass, size, volumeMode, mode, source);
    }

    /** The same as a copy of a snapshot. */
    public Claim ofSnapshot(String snapshot) {
        var from = new Source("VolumeSnapshot", snapshot);
        return new Claim(name, storageClass, size, volumeMode, accessMode, Optional.of(from));
    }

    /** The same as a copy of another claim. */
    public Claim ofClaim(String claim) {
        var from = new Source("PersistentVolumeClaim", claim);
        return new Claim(name, storageClass, size, volumeMode, accessMode, Optional.of(from));
    }

    public KubeObject object(String namespace) {
        var spec =
                """
                storageClassName: %s
                volumeMode: %s
                accessModes: [%s]
                resources:
                  requests:
                    storage: %s
                """
                        .formatted(storageClass, volumeMode, accessMode, size);
        var object =
                KubeObject.create(Types.PVC, ObjectKey.of(namespace, name))
                        .with(Yaml.read(spec), "spec");
        if (source.isEmpty()) {
            return object;
        }
        object =
                object.with(source.get().kind(), "spec", "dataSource", "kind")
                        .with(source.get().name(), "spec", "dataSource", "name");
        return source.get().kind().equals("VolumeSnapshot")
                ? object.with("snapshot.storage.k8s.io", "spec", "dataSource", "apiGroup")
                : object;
    }
}
