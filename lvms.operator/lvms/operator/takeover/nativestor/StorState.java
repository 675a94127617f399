package lvms.operator.takeover.nativestor;

import lvms.api.LogicalVolume;
import lvms.api.listing.LoopState;
import lvms.api.nativestor.ListedDevice;
import lvms.api.nativestor.NodeStorageState;
import lvms.api.nativestor.RawDevice;
import lvms.api.nativestor.TopolvmCluster;
import lvms.k8s.object.KubeObject;
import lvms.operator.topolvm.LvmdFile;
import lvms.operator.topolvmcluster.rule.StorageRules;
import lvms.operator.uninstall.Item;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What NativeStor's objects tell. Pure: the same objects give the same answer.
 *
 * @param namespace where its operator is
 * @param clusters its TopolvmClusters
 * @param files ConfigMaps of the nodes with their lvmd.yaml
 * @param volumes its LogicalVolumes
 * @param nodes names of the Nodes
 * @param jobs Jobs that make or remove volume groups
 * @param rawDevices its RawDevices
 */
public record StorState(
        String namespace,
        List<TopolvmCluster> clusters,
        List<Item> files,
        List<LogicalVolume> volumes,
        Set<String> nodes,
        List<Item> jobs,
        List<KubeObject> rawDevices) {
    private static final String NODE_OF_FILE = "node-name";

    /** What TopoLVM's fork of the releases 2.0 to 2.2 wrote on a snapshot. */
    private static final String SNAPSHOT_OF_FORK = "topolvm.cybozu.com/snapshot-source-volume";

    public StorState {
        clusters = List.copyOf(clusters);
        files = List.copyOf(files);
        volumes = List.copyOf(volumes);
        nodes = Set.copyOf(nodes);
        jobs = List.copyOf(jobs);
        rawDevices = List.copyOf(rawDevices);
    }

    /** Returns whether a definition of the type serves the version that we know. */
    public static boolean isServed(KubeObject definition) {
        return definition.objects("spec", "versions").stream()
                .anyMatch(
                        version ->
                                version.text("name")
                                                .filter(TopolvmCluster.TYPE.version()::equals)
                                                .isPresent()
                                        && version.flag("served").orElse(false));
    }

    static boolean isJob(KubeObject job) {
        return job.name().startsWith("topolvm-prepare-vg-")
                || job.name().startsWith("topolvm-clean-");
    }

    /** Returns what a person has to do first. */
    public List<String> obstacles() {
        var found = new ArrayList<String>();
        amount(found);
        for (var cluster : clusters) {
            cluster(cluster, found);
        }
        for (var job : jobs) {
            if (StorLeftOvers.isActive(job)) {
                found.add(job.text() + " is at work on a node: wait until it has ended");
            }
        }
        if (clusters.size() == 1) {
            listed().forEach(classes -> found.addAll(classes.missing()));
            orphans(found);
        }
        lostNodes(found);
        return found;
    }

    private void amount(List<String> found) {
        if (clusters.isEmpty()) {
            found.add(
                    "there is no TopolvmCluster in namespace "
                            + namespace
                            + ": nothing of NativeStor is in use there");
        } else if (clusters.size() > 1) {
            found.add(
                    clusters.size()
                            + " TopolvmClusters are in namespace "
                            + namespace
                            + ": NativeStor serves the oldest one alone; delete the others");
        }
    }

    private static void cluster(TopolvmCluster cluster, List<String> found) {
        var name = "TopolvmCluster " + cluster.object().key();
        if (cluster.object().terminating()) {
            found.add(name + " is being deleted: let NativeStor finish, and create it again");
        }
        for (var error : StorageRules.check(cluster.spec().storage()).errors()) {
            found.add(name + ": our operator would refuse it: " + error);
        }
        for (var node : cluster.status().nodes()) {
            for (var failed : node.failClasses()) {
                found.add(
                        ("%s: class \"%s\" of node %s has failed (%s): mend it, or take it out of"
                                        + " the spec")
                                .formatted(
                                        name, failed.className(), node.node(), failed.message()));
            }
        }
    }

    /** A volume whose class nobody asks for would be served by nobody. */
    private void orphans(List<String> found) {
        var storage = clusters.getFirst().spec().storage();
        for (var volume : volumes) {
            var spec = volume.spec();
            if (!ListedOnNode.of(storage, spec.nodeName()).has(spec.deviceClass())) {
                found.add(
                        "LogicalVolume "
                                + volume.name()
                                + " is in class \""
                                + spec.deviceClass()
                                + "\" of node "
                                + spec.nodeName()
                                + ", which the TopolvmCluster does not have: add it to the spec as"
                                + " it is on the node");
            }
        }
    }

    private void lostNodes(List<String> found) {
        var lost = new TreeSet<String>();
        for (var volume : volumes) {
            if (!nodes.contains(volume.spec().nodeName())) {
                lost.add(volume.spec().nodeName());
            }
        }
        for (var node : lost) {
            found.add(
                    "Node "
                            + node
                            + " does not exist, and LogicalVolumes are on it: bring it back, or"
                            + " delete their claims and then them");
        }
    }

    private List<ClassesOfNode> listed() {
        var storage = clusters.getFirst().spec().storage();
        var all = new ArrayList<ClassesOfNode>();
        for (var file : files) {
            var node = file.object().annotation(NODE_OF_FILE).orElse("");
            if (LvmdFile.isFile(file)) {
                all.add(new ClassesOfNode(file, node, ListedOnNode.of(storage, node)));
            }
        }
        return all;
    }

    /** Returns what a person should know. */
    public List<String> notes() {
        var notes = new ArrayList<String>();
        if (clusters.size() == 1) {
            listed().forEach(classes -> notes.addAll(classes.differences()));
            for (var node : clusters.getFirst().status().nodes()) {
                group(node, notes);
                loops(node, notes);
            }
        }
        notes.add(volumes.size() + " LogicalVolumes stay in their group, on " + nodesOfVolumes());
        long copies =
                volumes.stream()
                        .filter(v -> v.object().annotation(SNAPSHOT_OF_FORK).isPresent())
                        .count();
        if (copies > 0) {
            notes.add(copies + " of them are snapshots of NativeStor's own TopoLVM");
        }
        var used = rawDevices.stream().map(RawDevice::of).filter(RawDevice::allocated).toList();
        if (!used.isEmpty()) {
            notes.add(
                    used.size()
                            + " RawDevices have volumes: they are served while RAW_DEVICE_ENABLE"
                            + " is true or the operator has --raw-devices");
        }
        return notes;
    }

    /** Returns what NativeStor would not know after a way back, or would do by itself. */
    public List<String> unknownToNativeStor() {
        var notes = new ArrayList<String>();
        for (var cluster : clusters) {
            var storage = cluster.spec().storage();
            for (var node : storage.deviceClasses().orElse(List.of())) {
                made(ListedOnNode.of(storage, node.nodeName()), node.nodeName(), notes);
            }
            if (storage.useAllDevices()) {
                notes.add(
                        "with useAllDevices NativeStor deletes each volume group without volumes"
                                + " when its operator starts, and makes it again");
            }
        }
        long copies = volumes.stream().filter(v -> !v.spec().source().isEmpty()).count();
        if (copies > 0) {
            notes.add(
                    copies
                            + " LogicalVolumes are snapshots or copies: NativeStor keeps them as"
                            + " volumes, takes no further ones, and may delete a volume together"
                            + " with its snapshots");
        }
        notes.add("NativeStor does not erase a raw device that comes back");
        return notes;
    }

    private void made(ListedOnNode listed, String node, List<String> notes) {
        var known =
                listed().stream()
                        .filter(file -> file.node().equals(node))
                        .flatMap(file -> file.names().stream())
                        .toList();
        for (var wanted : listed.classes()) {
            if (!known.contains(wanted.className())) {
                notes.add(
                        ("node %s: NativeStor does not know class %s, and says \"create failed vg"
                                        + " existing\" if ours has made its volume group")
                                .formatted(node, wanted.className()));
            }
        }
    }

    private String nodesOfVolumes() {
        var on = new TreeSet<String>();
        volumes.forEach(volume -> on.add(volume.spec().nodeName()));
        return on.isEmpty() ? "no node" : String.join(", ", on);
    }

    private void loops(NodeStorageState node, List<String> notes) {
        var storage = clusters.getFirst().spec().storage();
        if (!storage.useLoop()) {
            return;
        }
        for (var listed : ListedOnNode.of(storage, node.node()).classes()) {
            for (var device : listed.devices()) {
                if (device.loop()) {
                    loop(node, device)
                            .ifPresent(
                                    what ->
                                            notes.add(
                                                    "node %s: loop device \"%s\" of class %s %s"
                                                            .formatted(
                                                                    node.node(),
                                                                    device.name(),
                                                                    listed.className(),
                                                                    what)));
                }
            }
        }
    }

    /** Its file has a random name, which only the status has. */
    private static Optional<String> loop(NodeStorageState node, ListedDevice device) {
        var file =
                node.loops().stream()
                        .filter(state -> state.name().equals(device.name()))
                        .filter(LoopState::hadFile)
                        .map(state -> "keeps its file " + state.file())
                        .findFirst();
        return device.auto()
                ? file.or(() -> Optional.of("has no file in the status: a new one is made"))
                : file;
    }

    /** What is not successful in the status was not made by NativeStor, and is not adopted. */
    private static void group(NodeStorageState node, List<String> notes) {
        for (var made : node.successClasses()) {
            notes.add(
                    "node %s: class %s keeps volume group %s"
                            .formatted(node.node(), made.className(), made.vgName()));
        }
    }
}
