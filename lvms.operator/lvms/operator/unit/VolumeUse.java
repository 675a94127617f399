package lvms.operator.unit;

import lvms.api.LogicalVolume;
import lvms.api.Names;
import lvms.api.StorageClassOptions.ReclaimPolicy;
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
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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

    /**
     * Returns which LogicalVolumes of the class are in the way on these nodes, empty if none is.
     * The server is asked, too, before nothing is.
     */
    public Optional<String> logicalVolumesOn(Candidate candidate, Predicate<String> nodes)
            throws ApiException, InterruptedException {
        var known = left(candidate, informers.everyLogicalVolume().toList(), nodes);
        return logicalVolumes(
                candidate, known.isEmpty() ? left(candidate, liveLogicalVolumes(), nodes) : known);
    }

    private List<LogicalVolume> left(
            Candidate candidate, List<LogicalVolume> volumes, Predicate<String> nodes) {
        return left(candidate, volumes, nodeNames()).stream()
                .filter(v -> nodes.test(v.spec().nodeName()))
                .toList();
    }

    private List<LogicalVolume> liveLogicalVolumes() throws ApiException, InterruptedException {
        var live = new ArrayList<LogicalVolume>();
        for (var type : informers.drivers().logicalVolumes()) { // drivers may share one
            live(type).stream().map(LogicalVolume::tolerant).forEach(live::add);
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
        var left = left(candidate, logicalVolumes, nodeNames());
        var theirs =
                left.stream()
                        .flatMap(v -> informers.persistentVolumesOf(v.status().volumeId()).stream())
                        .toList();
        return claims(candidate, claims, theirs)
                .or(() -> retainedVolumes(candidate, volumes, theirs))
                .or(() -> logicalVolumes(candidate, left));
    }

    private Set<String> nodeNames() {
        return informers.nodes().list().stream().map(KubeObject::name).collect(Collectors.toSet());
    }

    /**
     * Claims of the class's own StorageClass, and those that have a volume of it by another one.
     *
     * @param theirs PersistentVolumes of the class's LogicalVolumes
     */
    static Optional<String> claims(
            Candidate candidate, List<KubeObject> claims, List<KubeObject> theirs) {
        var names = theirs.stream().map(KubeObject::name).collect(Collectors.toSet());
        var using =
                claims.stream()
                        .filter(
                                c ->
                                        storageClass(c).equals(Names.classOf(candidate.name()))
                                                || c.text("spec", "volumeName")
                                                        .filter(names::contains)
                                                        .isPresent())
                        .map(c -> c.key().toString())
                        .toList();
        return text(candidate, "PersistentVolumeClaims", using);
    }

    private static String storageClass(KubeObject claim) {
        return claim.text("spec", "storageClassName")
                .or(() -> claim.annotation(OLD_CLASS_ANNOTATION))
                .orElse("");
    }

    /**
     * Volumes that outlive their claims because their class or a person wants it. Whoever reads
     * their names knows that there is data; a LogicalVolume alone does not tell.
     *
     * @param theirs PersistentVolumes of the class's LogicalVolumes
     */
    static Optional<String> retainedVolumes(
            Candidate candidate, List<KubeObject> volumes, List<KubeObject> theirs) {
        var ofClass =
                volumes.stream()
                        .filter(_ -> candidate.retain())
                        .filter(
                                v ->
                                        v.text("spec", "storageClassName")
                                                .filter(Names.classOf(candidate.name())::equals)
                                                .isPresent());
        var kept = Stream.concat(ofClass, theirs.stream().filter(VolumeUse::isRetained));
        return text(
                candidate,
                "retained PersistentVolumes",
                kept.map(KubeObject::name).distinct().toList());
    }

    private static boolean isRetained(KubeObject volume) {
        return volume.text("spec", "persistentVolumeReclaimPolicy")
                .filter(ReclaimPolicy.RETAIN.text()::equals)
                .isPresent();
    }

    static Optional<String> logicalVolumes(Candidate candidate, List<LogicalVolume> left) {
        return text(candidate, "LogicalVolumes", left.stream().map(LogicalVolume::name).toList());
    }

    // The nodes would refuse to remove a volume group with volumes; refusing here is sooner and
    // leaves the StorageClass in place. Nobody can remove the volumes of a node that is gone.
    static List<LogicalVolume> left(
            Candidate candidate, List<LogicalVolume> logicalVolumes, Set<String> nodes) {
        return logicalVolumes.stream()
                .filter(v -> nodes.contains(v.spec().nodeName()))
                .filter(v -> isIn(candidate, v.spec().deviceClass()))
                .toList();
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
