package lvms.operator.overview;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ObjectTree;
import lvms.operator.claim.Claim;
import lvms.operator.claim.StorageClass;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A claim and what is around it.
 *
 * @param claim the claim
 * @param classes all StorageClasses
 * @param pods pods that use the claim and have not ended
 * @param events Events on the claim, the latest first
 * @param overview the rest of the cluster
 * @param unread kinds that the caller may not read
 * @param gaps what is missing here, one line each
 */
record ClaimSurroundings(
        Claim claim,
        List<StorageClass> classes,
        List<KubeObject> pods,
        List<KubeObject> events,
        Overview overview,
        Set<ResourceType> unread,
        List<String> gaps) {
    private static final Set<String> ENDED = Set.of("Succeeded", "Failed");

    /**
     * Reads them.
     *
     * @throws ApiException.NotFound if there is no such claim
     */
    static ClaimSurroundings read(KubeClient kube, ObjectKey key, InstantSource clock)
            throws ApiException, InterruptedException {
        var claim = new Claim(kube.get(Types.PVC, key));
        var reads = new TolerantReads(kube);
        var inside = ListOptions.all().namespace(key.namespace());
        var classes = reads.list(Types.STORAGE_CLASS, ListOptions.all(), StorageClass::of);
        var pods =
                reads.list(Types.POD, inside).stream()
                        .filter(pod -> !ENDED.contains(pod.text("status", "phase").orElse("")))
                        .filter(pod -> uses(pod, key.name()))
                        .toList();
        var events =
                reads.list(Types.EVENT, inside).stream()
                        .filter(
                                event ->
                                        event.text("regarding", "uid")
                                                .orElse("")
                                                .equals(claim.uid()))
                        .sorted(Comparator.comparing(ClaimSurroundings::time).reversed())
                        .toList();
        var overview = Overview.read(kube, clock);
        var unread = new HashSet<>(reads.unread());
        unread.addAll(overview.unread());
        var gaps = Stream.concat(reads.gaps().stream(), overview.gaps().stream());
        return new ClaimSurroundings(
                claim, classes, pods, events, overview, unread, gaps.distinct().toList());
    }

    private static boolean uses(KubeObject pod, String claim) {
        return pod.objects("spec", "volumes").stream()
                .anyMatch(
                        volume ->
                                volume.text("persistentVolumeClaim", "claimName")
                                        .or(() -> ephemeral(pod, volume))
                                        .filter(claim::equals)
                                        .isPresent());
    }

    private static Optional<String> ephemeral(KubeObject pod, ObjectTree volume) {
        return volume.object("ephemeral")
                .map(_ -> pod.name() + "-" + volume.text("name").orElse(""));
    }

    static Instant time(KubeObject event) {
        return event.time("series", "lastObservedTime")
                .or(() -> event.time("deprecatedLastTimestamp"))
                .or(() -> event.time("eventTime"))
                .or(event::creationTimestamp)
                .orElse(Instant.EPOCH);
    }

    Optional<StorageClass> storageClass() {
        return classes.stream().filter(c -> c.name().equals(claim.className())).findFirst();
    }

    /** The note of the latest Event for this reason. */
    Optional<String> note(String reason) {
        return events.stream()
                .filter(event -> event.text("reason").orElse("").equals(reason))
                .flatMap(event -> event.text("note").stream())
                .findFirst();
    }
}
