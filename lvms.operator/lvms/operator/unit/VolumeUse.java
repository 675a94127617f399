package lvms.operator.unit;

import lvms.api.LogicalVolume;
import lvms.api.Names;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.operator.informer.OperatorInformers;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What keeps a device class from being removed.
 *
 * @param kube asks the server
 * @param informers all claims, PersistentVolumes, LogicalVolumes and nodes
 */
public record VolumeUse(KubeClient kube, OperatorInformers informers) {
    private static final String OLD_CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";
    private static final int NAMED = 5;

    /**
     * A device class that is to be removed.
     *
     * @param name its name
     * @param retain whether its volumes outlive their claims
     * @param isDefault whether volumes that name no class are in it
     */
    public record Candidate(String name, boolean retain, boolean isDefault) {}

    /**
     * Returns what is in the way, empty if nothing is.
     *
     * <p>The informers answer first, since people may take days to delete their volumes. If these
     * say that nothing is left, the server is asked too.
     */
    public Optional<String> blocking(Candidate candidate)
            throws ApiException, InterruptedException {
        var known =
                blocking(
                        candidate,
                        informers.claims().list(),
                        informers.persistentVolumes().list(),
                        informers.everyLogicalVolume().toList());
        if (known.isPresent()) {
            return known;
        }
        return blocking(
                candidate,
                live(Types.PVC),
                candidate.retain() ? live(Types.PV) : List.of(),
                liveLogicalVolumes());
    }

    private List<LogicalVolume> liveLogicalVolumes() throws ApiException, InterruptedException {
        var live = new ArrayList<LogicalVolume>();
        for (var driver : informers.drivers().all()) {
            live(driver.logicalVolumes()).stream().map(LogicalVolume::tolerant).forEach(live::add);
        }
        return live;
    }

    private List<KubeObject> live(ResourceType type) throws ApiException, InterruptedException {
        return kube.list(type, ListOptions.all(), VolumeUse::bare).items();
    }

    /** Others' claims and volumes may be large, and all of them are held at once. */
    private static KubeObject bare(KubeObject object) {
        var oldClass = object.annotation(OLD_CLASS_ANNOTATION);
        var kept =
                object.without("metadata", "annotations")
                        .without("metadata", "managedFields")
                        .without("metadata", "labels");
        return oldClass.map(c -> kept.with(c, "metadata", "annotations", OLD_CLASS_ANNOTATION))
                .orElse(kept);
    }

    private Optional<String> blocking(
            Candidate candidate,
            List<KubeObject> claims,
            List<KubeObject> volumes,
            List<LogicalVolume> logicalVolumes) {
        return claims(candidate, claims)
                .or(() -> retainedVolumes(candidate, volumes))
                .or(() -> logicalVolumes(candidate, logicalVolumes, nodeNames()));
    }

    private Set<String> nodeNames() {
        return informers.nodes().list().stream().map(KubeObject::name).collect(Collectors.toSet());
    }

    static Optional<String> claims(Candidate candidate, List<KubeObject> claims) {
        var using =
                claims.stream()
                        .filter(c -> storageClass(c).equals(Names.classOf(candidate.name())))
                        .map(c -> c.key().toString())
                        .toList();
        return text(candidate, "PersistentVolumeClaims", using);
    }

    private static String storageClass(KubeObject claim) {
        return claim.text("spec", "storageClassName")
                .or(() -> claim.annotation(OLD_CLASS_ANNOTATION))
                .orElse("");
    }

    static Optional<String> retainedVolumes(Candidate candidate, List<KubeObject> volumes) {
        if (!candidate.retain()) {
            return Optional.empty();
        }
        var kept =
                volumes.stream()
                        .filter(
                                v ->
                                        v.text("spec", "storageClassName")
                                                .filter(Names.classOf(candidate.name())::equals)
                                                .isPresent())
                        .map(KubeObject::name)
                        .toList();
        return text(candidate, "PersistentVolumes that are retained", kept);
    }

    // The nodes would refuse to remove a volume group with volumes; refusing here is sooner and
    // leaves the StorageClass in place. Nobody can remove the volumes of a node that is gone.
    static Optional<String> logicalVolumes(
            Candidate candidate, List<LogicalVolume> logicalVolumes, Set<String> nodes) {
        var left =
                logicalVolumes.stream()
                        .filter(v -> nodes.contains(v.spec().nodeName()))
                        .filter(v -> isIn(candidate, v.spec().deviceClass()))
                        .map(LogicalVolume::name)
                        .toList();
        return text(candidate, "LogicalVolumes", left);
    }

    private static boolean isIn(Candidate candidate, String deviceClass) {
        return deviceClass.isEmpty() ? candidate.isDefault() : deviceClass.equals(candidate.name());
    }

    private static Optional<String> text(Candidate candidate, String what, List<String> names) {
        if (names.isEmpty()) {
            return Optional.empty();
        }
        var some = new ArrayList<>(names.stream().sorted().limit(NAMED).toList());
        if (names.size() > NAMED) {
            some.add("and " + (names.size() - NAMED) + " more");
        }
        return Optional.of(
                what
                        + " of device class "
                        + candidate.name()
                        + " have to be deleted first: "
                        + String.join(", ", some));
    }
}
