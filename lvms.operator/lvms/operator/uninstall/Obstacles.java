package lvms.operator.uninstall;

import lvms.api.LogicalVolume;
import lvms.k8s.object.Types;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What a person has to do or say first. Pure.
 *
 * @param remains what is left
 * @param wishes what was said
 */
record Obstacles(Remains remains, Wishes wishes) {
    private static final String KEEP_DISKS = "; or add --disks=keep, which leaves it as it is";
    private static final String KEEP =
            "; or add --disks=keep, which leaves the volume groups on the disks";

    List<String> all() {
        var found = new ArrayList<String>();
        found.addAll(volumesInUse());
        found.addAll(snapshots());
        found.addAll(nodes());
        found.addAll(unknownNames());
        if (!wishes.keep()) {
            found.addAll(waitingClaims());
            found.addAll(retained());
            found.addAll(unbound());
            found.addAll(orphans());
            remains.nativeStor().unerased().forEach(text -> found.add(text + KEEP_DISKS));
            found.addAll(nobodyToFinish());
        }
        return found;
    }

    private boolean named(Item volume) {
        return wishes.volumes().contains(volume.name());
    }

    private List<String> volumesInUse() {
        var found = new ArrayList<String>();
        for (var volume : remains.volumes()) {
            var pods = remains.usersOf(volume);
            var claim = remains.claimOf(volume);
            if (!pods.isEmpty()) {
                found.add(
                        "pods use volume "
                                + volume.name()
                                + ", delete them first: "
                                + String.join(", ", pods));
            } else if (claim.isPresent() && !named(volume) && !goes(claim.get())) {
                found.add(
                        "claim "
                                + claim.get().key()
                                + " holds volume "
                                + volume.name()
                                + ": delete the claim first, or add --volumes="
                                + volume.name()
                                + " to remove the volume with its claim");
            }
        }
        return found;
    }

    private static boolean goes(Item claim) {
        return claim.object().terminating();
    }

    private List<String> snapshots() {
        return remains.contents().stream()
                .filter(content -> !content.object().terminating())
                .map(
                        content ->
                                content.text()
                                        + " keeps a snapshot: delete VolumeSnapshot "
                                        + content.object()
                                                .text("spec", "volumeSnapshotRef", "namespace")
                                                .orElse("")
                                        + "/"
                                        + content.object()
                                                .text("spec", "volumeSnapshotRef", "name")
                                                .orElse("")
                                        + " or the content first")
                .toList();
    }

    private List<String> nodes() {
        var readiness = remains.readiness();
        var found = new ArrayList<String>();
        for (var node : remains.nodesInUse()) {
            boolean down = readiness.containsKey(node) && !readiness.get(node);
            if (down && !wishes.lostNodes().contains(node)) {
                found.add(
                        "node "
                                + node
                                + " is not ready: wait until it is, or add --lost-nodes="
                                + node
                                + " if it does not come back; its disks stay as they are");
            }
        }
        for (var node : wishes.lostNodes()) {
            if (readiness.getOrDefault(node, false)) {
                found.add("node " + node + " is ready: it is not lost, take it off --lost-nodes");
            }
        }
        return found;
    }

    private List<String> unknownNames() {
        return wishes.volumes().stream()
                .filter(
                        name ->
                                remains.volumes().stream().noneMatch(v -> v.name().equals(name))
                                        && remains.logicalVolumes().stream()
                                                .noneMatch(v -> v.name().equals(name)))
                .sorted()
                .map(
                        name ->
                                "--volumes="
                                        + name
                                        + ": there is neither a PersistentVolume nor a"
                                        + " LogicalVolume of this name")
                .toList();
    }

    private List<String> waitingClaims() {
        return remains.claims().stream()
                .filter(Predicate.not(Obstacles::goes))
                .filter(
                        claim ->
                                remains.volumes().stream()
                                        .noneMatch(v -> remains.claimOf(v).equals(found(claim))))
                .map(
                        claim ->
                                "claim "
                                        + claim.key()
                                        + " waits for a volume of lvms: delete it first")
                .toList();
    }

    private static Optional<Item> found(Item item) {
        return Optional.of(item);
    }

    private List<String> retained() {
        return remains.volumes().stream()
                .filter(volume -> remains.claimOf(volume).isEmpty() && !named(volume))
                .filter(Obstacles::isRetained)
                .map(
                        volume ->
                                volume.text()
                                        + " is retained: add --volumes="
                                        + volume.name()
                                        + " to remove it with its data")
                .toList();
    }

    private List<String> unbound() {
        return remains.volumes().stream()
                .filter(volume -> remains.isUnbound(volume) && !named(volume))
                .filter(Predicate.not(Obstacles::isRetained))
                .map(
                        volume ->
                                volume.text()
                                        + " has no claim: add --volumes="
                                        + volume.name()
                                        + " to remove it with its data")
                .toList();
    }

    static boolean isRetained(Item volume) {
        return !volume.object()
                .text("spec", "persistentVolumeReclaimPolicy")
                .orElse("")
                .equals("Delete");
    }

    private List<String> orphans() {
        return remains.orphans().stream()
                .filter(Predicate.not(this::named))
                .map(
                        item ->
                                item.text()
                                        + " on node "
                                        + volume(item).spec().nodeName()
                                        + " has neither a PersistentVolume nor a snapshot: add"
                                        + " --volumes="
                                        + item.name()
                                        + " to remove it with its data")
                .toList();
    }

    private static LogicalVolume volume(Item item) {
        return Remains.volume(item);
    }

    /** Disks are blanked by node agents, and those are run by the operator for a cluster. */
    private List<String> nobodyToFinish() {
        var unfinished = remains.unfinished();
        if (unfinished.isEmpty()) {
            return List.of();
        }
        if (remains.doom().isPresent()) {
            return List.of(
                    remains.doom().get()
                            + ", so no node agent can blank the disks; add --disks=keep. To blank"
                            + " them after that: "
                            + apply()
                            + ", apply the LVMCluster again, whose agents find the volume groups"
                            + " by name and tag, and uninstall once more");
        }
        var missing = new ArrayList<>(remains.missing());
        missing.addAll(remains.nativeStor().missing());
        if (!missing.isEmpty()) {
            var first = missing.getFirst();
            return List.of(
                    "the operator cannot finish without "
                            + first.type().kind()
                            + " "
                            + first.key().name()
                            + (missing.size() == 1
                                    ? ""
                                    : " and " + (missing.size() - 1) + " more objects")
                            + ": "
                            + apply()
                            + ", and uninstall once more"
                            + KEEP);
        }
        if (stopped()) {
            return List.of(
                    "the operator has no replicas: kubectl scale deployment/lvms-operator"
                            + " --replicas=1 --namespace="
                            + remains.namespace()
                            + KEEP);
        }
        if (!obeysNativeStor()) {
            return List.of(
                    remains.nativeStor().clusters().getFirst().text()
                            + " cannot end while the operator runs without --nativestor: "
                            + apply()
                            + ", and uninstall once more"
                            + KEEP);
        }
        return remains.clusters().isEmpty() && remains.nativeStor().clusters().isEmpty()
                ? List.of(
                        unfinished.getFirst().text()
                                + " is left without an LVMCluster or TopolvmCluster, so no node"
                                + " agent works: apply the cluster again, and uninstall once more"
                                + KEEP)
                : List.of();
    }

    private boolean obeysNativeStor() {
        return remains.nativeStor().clusters().isEmpty()
                || remains.installed().stream()
                        .filter(item -> item.type() == Types.DEPLOYMENT)
                        .flatMap(
                                item ->
                                        item
                                                .object()
                                                .objects("spec", "template", "spec", "containers")
                                                .stream())
                        .anyMatch(container -> container.texts("args").contains("--nativestor"));
    }

    private String apply() {
        var folder =
                remains.nativeStor().clusters().isEmpty()
                        ? Manifests.folder(remains.namespace())
                        : Manifests.nativeStorFolder(remains.namespace());
        return "kubectl apply -k " + folder + "/guard && kubectl apply -k " + folder;
    }

    private boolean stopped() {
        return remains.installed().stream()
                .filter(item -> item.type() == Types.DEPLOYMENT)
                .anyMatch(item -> item.object().number("spec", "replicas").orElse(1) == 0);
    }
}
