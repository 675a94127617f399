package lvms.tests.cluster.check;

import static lvms.tests.cluster.check.Disagreement.Kind.DIFFERENT;
import static lvms.tests.cluster.check.Disagreement.Kind.DUPLICATE;
import static lvms.tests.cluster.check.Disagreement.Kind.LEAKED;
import static lvms.tests.cluster.check.Disagreement.Kind.LOST;
import static lvms.tests.cluster.check.Disagreement.Kind.UNFINISHED;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Quantity;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/** Claims, PersistentVolumes, snapshots and LogicalVolumes refer to each other. */
final class ObjectRules {
    private final ClusterView cluster;
    private final List<Disagreement> found = new ArrayList<>();

    private ObjectRules(ClusterView cluster) {
        this.cluster = cluster;
    }

    static List<Disagreement> check(ClusterView cluster) {
        var rules = new ObjectRules(cluster);
        cluster.persistentVolumes().forEach(rules::persistentVolume);
        cluster.snapshotContents().forEach(rules::snapshotContent);
        cluster.claims().forEach(rules::claim);
        rules.everyVolumeIsUsedOnce();
        return rules.found;
    }

    private void persistentVolume(KubeObject object) {
        var place = "PersistentVolume " + object.name();
        if (object.terminating()) {
            add(UNFINISHED, place, "is terminating");
        }
        var volume = cluster.byVolumeId(ClusterView.handle(object));
        if (volume.isEmpty()) {
            add(LOST, place, "no LogicalVolume has the id " + ClusterView.handle(object));
            return;
        }
        if (!nodesOf(object).equals(List.of(volume.get().spec().nodeName()))) {
            add(
                    DIFFERENT,
                    place,
                    "is for " + nodesOf(object) + ", lies on " + volume.get().spec().nodeName());
        }
        long size = volume.get().status().currentSize().map(Quantity::bytes).orElse(0L);
        var capacity = object.value("spec", "capacity", "storage").map(Quantity::parse);
        if (capacity.isEmpty() || capacity.get().bytes() > size) {
            add(DIFFERENT, place, "promises " + capacity + ", its volume has " + size + " bytes");
        }
        boundOrRetained(object, place);
    }

    private void boundOrRetained(KubeObject object, String place) {
        boolean retain =
                object.text("spec", "persistentVolumeReclaimPolicy")
                        .filter("Retain"::equals)
                        .isPresent();
        var phase = object.text("status", "phase").orElse("");
        if (!phase.equals("Bound") && !phase.equals("Available") && !retain) {
            add(UNFINISHED, place, "is " + phase);
        }
        var uid = object.text("spec", "claimRef", "uid").orElse("");
        boolean claimed = cluster.claims().stream().anyMatch(claim -> claim.uid().equals(uid));
        if (phase.equals("Bound") && !claimed) {
            add(LEAKED, place, "its claim is gone");
        }
    }

    private static List<String> nodesOf(KubeObject volume) {
        return volume.objects("spec", "nodeAffinity", "required", "nodeSelectorTerms").stream()
                .map(KubeObject::of)
                .flatMap(term -> term.objects("matchExpressions").stream())
                .map(KubeObject::of)
                .filter(e -> e.text("key").filter(topologyKey(volume)::equals).isPresent())
                .flatMap(e -> e.list("values").stream())
                .map(value -> value.asText())
                .toList();
    }

    private static String topologyKey(KubeObject volume) {
        return new Driver(volume.text("spec", "csi", "driver").orElseThrow()).topologyKey();
    }

    private void snapshotContent(KubeObject content) {
        var place = "VolumeSnapshotContent " + content.name();
        if (content.terminating()) {
            add(UNFINISHED, place, "is terminating");
        }
        var handle = content.text("status", "snapshotHandle");
        if (handle.isEmpty()) {
            add(UNFINISHED, place, "has no snapshot: " + content.object("status", "error"));
            return;
        }
        if (cluster.byVolumeId(handle.get()).isEmpty()) {
            add(LOST, place, "no LogicalVolume has the id " + handle.get());
        }
    }

    private void claim(KubeObject claim) {
        boolean bound = claim.text("status", "phase").filter("Bound"::equals).isPresent();
        if (!ofOurs(claim)) {
            return;
        }
        var place = "PersistentVolumeClaim " + claim.key();
        if (claim.terminating()) {
            add(UNFINISHED, place, "is terminating");
        } else if (bound
                && cluster.persistentVolume(claim.text("spec", "volumeName").orElse(""))
                        .isEmpty()) {
            add(LOST, place, "its PersistentVolume is gone");
        }
    }

    private boolean ofOurs(KubeObject claim) {
        return cluster.storageClasses().stream()
                .anyMatch(c -> claim.text("spec", "storageClassName").orElse("").equals(c.name()));
    }

    private void everyVolumeIsUsedOnce() {
        var handles = new HashSet<String>();
        var ids = new ArrayList<String>();
        cluster.persistentVolumes().forEach(pv -> ids.add(ClusterView.handle(pv)));
        cluster.snapshotContents()
                .forEach(c -> c.text("status", "snapshotHandle").ifPresent(ids::add));
        for (var id : ids) {
            if (!handles.add(id)) {
                add(DUPLICATE, "volume " + id, "two objects refer to it");
            }
        }
        for (var volume : cluster.logicalVolumes()) {
            if (!handles.contains(volume.status().volumeId())) {
                add(LEAKED, "LogicalVolume " + volume.name(), "nothing refers to it");
            }
        }
        onceEach(cluster.logicalVolumes());
    }

    private void onceEach(List<LogicalVolume> volumes) {
        var seen = new HashSet<String>();
        for (var volume : volumes) {
            var id = volume.status().volumeId();
            if (!id.isEmpty() && !seen.add(id)) {
                add(DUPLICATE, "LogicalVolume " + volume.name(), "another one has the id " + id);
            }
        }
    }

    private void add(Disagreement.Kind kind, String place, String text) {
        found.add(new Disagreement(kind, place, text));
    }
}
