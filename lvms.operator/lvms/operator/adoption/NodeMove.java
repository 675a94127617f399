package lvms.operator.adoption;

import lvms.api.Drivers;
import lvms.api.LogicalVolume;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.Condition;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ObjectTree;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Takes up the volumes of a node whose disks are in another one now, or which has another name now.
 * A volume moves only if the other node has its volume group, by UUID, and the volume in it.
 *
 * <p>Each step may be cut, and the same call goes on: the object of a volume names its new node in
 * the same write that notes what its PersistentVolume has to become.
 */
public final class NodeMove {
    private final KubeClient kube;
    private final Drivers drivers;
    private final String from;
    private final KubeObject target;
    private final List<Volume> volumes;
    private final List<String> obstacles;

    /**
     * A volume that moves, or whose move was cut.
     *
     * @param object its LogicalVolume
     * @param persistentVolume its PersistentVolume, empty for a snapshot, or while it is replaced
     */
    private record Volume(LogicalVolume object, Optional<KubeObject> persistentVolume) {}

    private NodeMove(
            KubeClient kube,
            Drivers drivers,
            String from,
            KubeObject target,
            List<Volume> volumes,
            List<String> obstacles) {
        this.kube = kube;
        this.drivers = drivers;
        this.from = from;
        this.target = target;
        this.volumes = volumes;
        this.obstacles = obstacles;
    }

    /**
     * Reads what there is to move; changes nothing.
     *
     * @param kube with the rights of the person who asks
     * @param from the node that the objects name
     * @param to the node that has the disks
     * @param lvm what {@code lvms volumes --local -o=json} says on that node, which proves it
     * @throws NotAdoptable if one of the nodes cannot be what it is said to be
     */
    public static NodeMove plan(KubeClient kube, String from, String to, ObjectTree lvm)
            throws ApiException, NotAdoptable, InterruptedException {
        requireAway(kube, from, to);
        var target =
                kube.find(Types.NODE, ObjectKey.cluster(to))
                        .orElseThrow(() -> new NotAdoptable("there is no node " + to));
        var there = GroupsOnNode.of(lvm);
        var known = KnownVolumes.read(kube);
        var volumes = new ArrayList<Volume>();
        var obstacles = new ArrayList<String>();
        for (var object : known.objects()) {
            boolean pending = PendingVolume.isOf(object, to);
            if (!pending && !object.spec().nodeName().equals(from)) {
                continue;
            }
            if (!pending) {
                there.obstacle(object, to).ifPresent(obstacles::add);
            }
            try {
                volumes.add(volume(known, object));
            } catch (NotAdoptable e) {
                obstacles.add(e.getMessage());
            }
        }
        if (volumes.isEmpty() && obstacles.isEmpty()) {
            throw new NotAdoptable("no LogicalVolume names node " + from);
        }
        return new NodeMove(kube, known.drivers(), from, target, volumes, obstacles);
    }

    /** Two nodes that both serve a volume would be one too many. */
    private static void requireAway(KubeClient kube, String from, String to)
            throws ApiException, NotAdoptable, InterruptedException {
        if (from.equals(to)) {
            throw new NotAdoptable("the volumes of " + from + " are there already");
        }
        var node = kube.find(Types.NODE, ObjectKey.cluster(from));
        if (node.flatMap(n -> n.condition("Ready")).filter(Condition::holds).isPresent()) {
            throw new NotAdoptable(
                    "node " + from + " is Ready: only the volumes of a node that is away can move");
        }
    }

    private static Volume volume(KnownVolumes known, LogicalVolume object) throws NotAdoptable {
        known.requireOwner(object);
        return new Volume(
                object,
                object.isSnapshot()
                        ? Optional.empty()
                        : known.persistentVolume(object.volumeName()));
    }

    /** Returns what will be done, one line for each volume. */
    public List<String> lines() {
        return volumes.stream().map(this::line).toList();
    }

    private String line(Volume volume) {
        var home = volume.object().status().home().map(LogicalVolume.Home::groupUuid);
        return "LogicalVolume "
                + volume.object().name()
                + home.map(uuid -> ", in the volume group with UUID " + uuid + ",").orElse("")
                + " moves from node "
                + from
                + " to "
                + target.name()
                + volume.persistentVolume()
                        .map(pv -> " with its PersistentVolume" + nameOf(pv, volume.object()))
                        .orElse("");
    }

    private static String nameOf(KubeObject persistentVolume, LogicalVolume object) {
        var name = persistentVolume.name();
        return name.equals(object.name()) ? "" : " " + name;
    }

    /** Returns why nothing is done, one line each. */
    public List<String> obstacles() {
        return List.copyOf(obstacles);
    }

    /**
     * Does it.
     *
     * @param patience how long a PersistentVolume may take to go before its successor is made
     * @throws NotAdoptable if there are obstacles, or a PersistentVolume does not go
     */
    public void run(Duration patience) throws ApiException, NotAdoptable, InterruptedException {
        if (!obstacles.isEmpty()) {
            throw new NotAdoptable(obstacles.getFirst());
        }
        for (var volume : volumes) {
            new PendingVolume(kube, drivers, target, patience)
                    .move(volume.object(), volume.persistentVolume());
        }
    }
}
