package lvms.tests.cluster.check;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.api.LogicalVolume;
import lvms.api.LvmCluster;
import lvms.k8s.object.KubeObject;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The objects of the API that have to do with volumes of ours. */
public record ClusterView(
        List<KubeObject> nodes,
        List<KubeObject> pods,
        List<KubeObject> claims,
        List<KubeObject> persistentVolumes,
        List<KubeObject> snapshotContents,
        List<KubeObject> storageClasses,
        List<KubeObject> capacities,
        List<LogicalVolume> logicalVolumes,
        List<LvmCluster> clusters) {
    static final Drivers OURS = Drivers.of(Driver.TOPOLVM, Driver.CONVERTED);

    /** Copies the lists; keeps what is of our drivers only. */
    public ClusterView {
        nodes = List.copyOf(nodes);
        pods = List.copyOf(pods);
        claims = List.copyOf(claims);
        persistentVolumes = ofOurs(persistentVolumes, "spec", "csi", "driver");
        snapshotContents = ofOurs(snapshotContents, "spec", "driver");
        storageClasses = ofOurs(storageClasses, "provisioner");
        capacities =
                capacities.stream()
                        .filter(
                                c ->
                                        OURS.all().stream()
                                                .map(Driver::topologyKey)
                                                .anyMatch(topologyOf(c)::containsKey))
                        .toList();
        logicalVolumes = List.copyOf(logicalVolumes);
        clusters = List.copyOf(clusters);
    }

    private static Map<String, String> topologyOf(KubeObject capacity) {
        return capacity.textMap("nodeTopology", "matchLabels");
    }

    private static List<KubeObject> ofOurs(List<KubeObject> objects, String... driver) {
        return objects.stream()
                .filter(object -> object.text(driver).filter(OURS::serve).isPresent())
                .toList();
    }

    /** Finds a LogicalVolume by the id of its volume. */
    Optional<LogicalVolume> byVolumeId(String id) {
        return logicalVolumes.stream().filter(lv -> lv.status().volumeId().equals(id)).findFirst();
    }

    Optional<KubeObject> persistentVolume(String name) {
        return persistentVolumes.stream().filter(pv -> pv.name().equals(name)).findFirst();
    }

    boolean hasNode(String name) {
        return nodes.stream().anyMatch(node -> node.name().equals(name));
    }

    /** Finds the pod of a UID on a node. */
    Optional<KubeObject> pod(String node, String uid) {
        return pods.stream()
                .filter(pod -> pod.uid().equals(uid))
                .filter(pod -> pod.text("spec", "nodeName").filter(node::equals).isPresent())
                .findFirst();
    }

    /** The id of the volume of a PersistentVolume. */
    static String handle(KubeObject persistentVolume) {
        return persistentVolume.text("spec", "csi", "volumeHandle").orElse("");
    }
}
