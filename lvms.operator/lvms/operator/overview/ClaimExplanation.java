package lvms.operator.overview;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.api.Names;
import lvms.api.StatusCode;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.Condition;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.Types;
import lvms.operator.claim.ClaimMark;
import lvms.operator.claim.StorageClass;
import lvms.operator.claim.VolumeNaming;
import lvms.operator.volume.SizeRules;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Why a claim waits, on which node, and who has to act. The first thing in the claim's way that is
 * missing is the answer.
 */
public final class ClaimExplanation {
    private static final String AUTHOR = "the author of the claim";
    private static final String STORAGE = "an administrator of the storage";
    private static final String CLUSTER = "an administrator of the cluster";
    private static final String LOOK_AGAIN = "nobody: look again in a minute";

    private final ClaimSurroundings around;
    private final Overview overview;
    private final NodeObstacles nodes;
    private final String maker;

    private ClaimExplanation(ClaimSurroundings around) {
        this.around = around;
        this.overview = around.overview();
        this.nodes = new NodeObstacles(overview);
        this.maker = overview.installation().maker();
    }

    /**
     * What is known.
     *
     * @param sections the answer, and the last Events
     * @param gaps what the caller may not read, one line each
     */
    public record Answer(List<Section> sections, List<String> gaps) {}

    /**
     * Explains a claim.
     *
     * @throws ApiException.NotFound if there is no such claim
     */
    public static Answer of(KubeClient kube, ObjectKey claim, InstantSource clock)
            throws ApiException, InterruptedException {
        var around = ClaimSurroundings.read(kube, claim, clock);
        return new Answer(
                List.of(
                        of(around).section(claim.toString()),
                        Explanation.events(around.events(), around.overview())),
                around.gaps());
    }

    static Explanation of(ClaimSurroundings around) {
        var claim = around.claim();
        var why = new ClaimExplanation(around);
        if (claim.object().terminating()) {
            return why.terminating();
        }
        return switch (claim.object().text("status", "phase").orElse("Pending")) {
            case "Bound" -> why.bound();
            case "Lost" ->
                    Explanation.waits(
                            "its PersistentVolume "
                                    + claim.volumeName()
                                    + " does not exist any more",
                            STORAGE + ": docs/bad-days.md, Objects that were lost");
            default -> claim.bound() ? why.chosen() : why.unbound();
        };
    }

    private Explanation terminating() {
        var pods = around.pods().stream().map(pod -> pod.key().toString()).toList();
        return pods.isEmpty()
                ? Explanation.waits(
                        "it is being deleted; finalizers: "
                                + String.join(", ", around.claim().object().finalizers()),
                        "whoever set these finalizers")
                : Explanation.waits(
                        "it is being deleted, and pods use it: " + String.join(", ", pods),
                        "whoever runs these pods: delete them");
    }

    /** A bound claim may still wait for its growth, or have its volume on a node that is away. */
    private Explanation bound() {
        var claim = around.claim();
        var volume =
                overview.persistentVolumes().stream()
                        .filter(pv -> pv.name().equals(claim.volumeName()))
                        .findFirst()
                        .flatMap(overview::volumeOf);
        var node = volume.map(v -> v.spec().nodeName());
        if (node.isPresent() && nodes.away(node.get()).isPresent()) {
            return Explanation.waits(
                            "its volume is there, but " + nodes.away(node.get()).get(), CLUSTER)
                    .on(node.get());
        }
        var answer = grows() ? growing(volume) : Explanation.fine("it is bound, and has its size");
        return node.map(answer::on).orElse(answer);
    }

    private boolean grows() {
        return around.claim()
                .object()
                .value("status", "capacity", "storage")
                .map(Quantity::parse)
                .filter(size -> size.bytes() < around.claim().requestedBytes())
                .isPresent();
    }

    private Explanation growing(Optional<LogicalVolume> volume) {
        var failure = volume.map(v -> v.status().message()).filter(m -> !m.isEmpty());
        var conditions =
                around.claim().object().conditions().stream()
                        .filter(Condition::holds)
                        .map(c -> c.type() + (c.message().isEmpty() ? "" : ": " + c.message()))
                        .collect(Collectors.joining("; "));
        boolean filesystem =
                around.claim().object().condition("FileSystemResizePending").isPresent();
        var who =
                filesystem
                        ? AUTHOR + ": the filesystem grows when a pod uses it"
                        : failure.isPresent() ? STORAGE : LOOK_AGAIN;
        return Explanation.waits(
                "it is bound, and grows: "
                        + failure.orElse(
                                conditions.isEmpty() ? maker + " has not begun yet" : conditions),
                who);
    }

    /** A person, or the scheduler with a volume that was there, named its PersistentVolume. */
    private Explanation chosen() {
        var name = around.claim().volumeName();
        return Explanation.waits(
                "it asks for PersistentVolume "
                        + name
                        + ", which does not exist, is not free, or does not fit it",
                AUTHOR + ", or whoever makes that PersistentVolume");
    }

    private Explanation unbound() {
        var name = around.claim().className();
        if (name.isEmpty()) {
            boolean byHand = around.claim().object().text("spec", "storageClassName").isPresent();
            return Explanation.waits(
                    byHand
                            ? "its storageClassName is empty, so nobody makes a volume for it"
                            : "it names no StorageClass, and the cluster has no default one",
                    AUTHOR);
        }
        var storageClass = around.storageClass();
        if (storageClass.isEmpty()) {
            return around.unread().contains(Types.STORAGE_CLASS)
                    ? Explanation.waits("you may not read its StorageClass " + name, CLUSTER)
                    : Explanation.waits("StorageClass " + name + " does not exist", AUTHOR);
        }
        var driver = storageClass.get().provisioner();
        if (!overview.drivers().serve(driver)) {
            return Explanation.waits(
                    "StorageClass " + name + " belongs to the driver " + driver + ", not to lvms",
                    "whoever runs " + driver);
        }
        return ofOurs(storageClass.get());
    }

    private Explanation ofOurs(StorageClass storageClass) {
        var node = around.claim().selectedNode();
        if (node.isEmpty() && storageClass.waitForFirstConsumer()) {
            return unscheduled(storageClass);
        }
        var begun = overview.volumes().stream().filter(this::isItsVolume).findFirst();
        return begun.map(this::begun)
                .orElseGet(
                        () ->
                                node.map(n -> notBegun(storageClass, n).on(n))
                                        .orElseGet(() -> notBegun(storageClass, "")));
    }

    private boolean isItsVolume(LogicalVolume volume) {
        var uid = around.claim().uid();
        return ClaimMark.of(volume.object(), volume.driver())
                .map(mark -> mark.uid().equals(uid))
                .orElseGet(() -> VolumeNaming.proves(volume.name(), uid));
    }

    private Explanation unscheduled(StorageClass storageClass) {
        if (around.pods().isEmpty()) {
            return around.unread().contains(Types.POD)
                    ? Explanation.waits(
                            "its StorageClass waits for the first pod; you may not see the pods",
                            AUTHOR)
                    : Explanation.waits(
                            "no pod uses it yet; its volume is made when the first one does",
                            AUTHOR + ", who makes a pod; nothing is wrong");
        }
        var pod = around.pods().getFirst();
        var said =
                pod.condition("PodScheduled")
                        .filter(condition -> !condition.holds())
                        .map(Condition::message)
                        .orElse("the scheduler has not looked at it yet");
        return Explanation.waits(
                "pod " + pod.key() + " has no node: " + said + "; " + room(storageClass),
                fitsSomewhere(storageClass)
                        ? "whoever wrote the pod: no node allows all that it asks for"
                        : STORAGE + ": no node has enough room");
    }

    private String deviceClass(StorageClass storageClass) {
        return storageClass.deviceClass(
                overview.drivers().named(storageClass.provisioner()).orElse(Driver.TOPOLVM));
    }

    private long wanted() {
        return around.claim().requestedBytes();
    }

    private String room(StorageClass storageClass) {
        var deviceClass = deviceClass(storageClass);
        var free =
                overview.nodes().stream()
                        .filter(n -> overview.free(n.name(), deviceClass).isPresent())
                        .map(
                                n ->
                                        n.name()
                                                + " "
                                                + (overview.closed(n.name(), deviceClass)
                                                        ? "gets no new volumes (annotation "
                                                                + Names.NO_NEW_VOLUMES_ANNOTATION
                                                                + ")"
                                                        : SizeRules.text(
                                                                overview.free(n.name(), deviceClass)
                                                                        .getAsLong())))
                        .limit(5)
                        .collect(Collectors.joining(", "));
        return SizeRules.text(wanted())
                + " requested of class "
                + deviceClass
                + ", free: "
                + (free.isEmpty() ? "no node reports this class" : free);
    }

    private boolean fitsSomewhere(StorageClass storageClass) {
        var deviceClass = deviceClass(storageClass);
        return overview.nodes().stream()
                .anyMatch(n -> overview.fits(n.name(), deviceClass, wanted()));
    }

    /** The operator has to write a LogicalVolume; a node is empty for any node. */
    private Explanation notBegun(StorageClass storageClass, String node) {
        boolean operator = overview.pods().stream().anyMatch(p -> p.isController() && p.ready());
        if (!operator && overview.knows(Types.POD)) {
            return Explanation.waits(maker + " is not ready: lvms doctor says why", CLUSTER);
        }
        var away = node.isEmpty() ? Optional.<String>empty() : nodes.away(node);
        if (away.isPresent()) {
            return Explanation.waits(away.get(), CLUSTER);
        }
        boolean fits =
                node.isEmpty()
                        ? fitsSomewhere(storageClass)
                        : overview.fits(node, deviceClass(storageClass), wanted());
        if (!fits && overview.knows(Types.NODE)) {
            return Explanation.waits("no room: " + room(storageClass), STORAGE);
        }
        return around.note("ProvisioningFailed")
                .map(note -> Explanation.waits(note, STORAGE))
                .orElseGet(() -> Explanation.waits(maker + " has not begun yet", LOOK_AGAIN));
    }

    /** The node has to make the volume, or the operator to hand it over. */
    private Explanation begun(LogicalVolume volume) {
        var node = volume.spec().nodeName();
        var answer =
                switch (volume.state()) {
                    case FAILED ->
                            Explanation.waits(
                                    "the node could not make its volume: "
                                            + volume.status().message(),
                                    volume.status().code() == StatusCode.RESOURCE_EXHAUSTED
                                            ? STORAGE + ": it lacks room"
                                            : STORAGE);
                    case PENDING -> making(volume, node);
                    case READY -> handingOver(volume);
                    case TERMINATING ->
                            Explanation.waits(
                                    "a volume that was begun for it is being removed first",
                                    LOOK_AGAIN);
                };
        return answer.on(node);
    }

    private Explanation making(LogicalVolume volume, String node) {
        return nodes.away(node)
                .map(reason -> Explanation.waits(reason, CLUSTER))
                .or(() -> broken(node, volume))
                .or(() -> told("SourceBeingFormatted"))
                .or(() -> told("VolumeZeroing"))
                .orElseGet(() -> Explanation.waits("the node is making its volume", LOOK_AGAIN));
    }

    private Optional<Explanation> told(String reason) {
        return around.note(reason).map(note -> Explanation.waits(note, LOOK_AGAIN));
    }

    private Optional<Explanation> broken(String node, LogicalVolume volume) {
        return nodes.broken(node, volume.spec().deviceClass())
                .map(reason -> Explanation.waits(reason, STORAGE));
    }

    private Explanation handingOver(LogicalVolume volume) {
        return overview.persistentVolumeOf(volume).isPresent()
                ? Explanation.waits(
                        "its PersistentVolume exists, and kube-controller-manager has to bind it",
                        CLUSTER)
                : Explanation.waits(
                        "its volume exists, and " + maker + " has to write its PersistentVolume",
                        LOOK_AGAIN);
    }
}
