package lvms.operator.adoption;

import lvms.api.Drivers;
import lvms.api.LogicalVolume;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The volumes of a cluster and what stands for them: those of the old driver, too, whose
 * LogicalVolumes are in our group once they were converted.
 *
 * @param drivers whose volumes may be there
 * @param objects LogicalVolumes of their groups
 * @param persistentVolumes PersistentVolumes of these drivers
 */
record KnownVolumes(
        Drivers drivers, List<LogicalVolume> objects, List<KubeObject> persistentVolumes) {
    static KnownVolumes read(KubeClient kube) throws ApiException, InterruptedException {
        return read(kube, Drivers.inCluster(kube));
    }

    static KnownVolumes read(KubeClient kube, Drivers drivers)
            throws ApiException, InterruptedException {
        var objects = new ArrayList<LogicalVolume>();
        for (var type : drivers.logicalVolumes()) {
            if (kube.serves(type)) {
                kube.list(type, ListOptions.all()).items().stream()
                        .map(LogicalVolume::tolerant)
                        .forEach(objects::add);
            }
        }
        var persistentVolumes =
                kube.list(Types.PV, ListOptions.all()).items().stream()
                        .filter(pv -> drivers.ofVolume(pv).isPresent())
                        .toList();
        return new KnownVolumes(drivers, List.copyOf(objects), persistentVolumes);
    }

    /** Returns the object of this name in the first of the groups that has one. */
    Optional<LogicalVolume> named(String name) {
        return objects.stream().filter(volume -> volume.name().equals(name)).findFirst();
    }

    /** Returns the name of the object that was handed out as a volume; empty if there is none. */
    String nameOf(String id) {
        return objects.stream()
                .filter(volume -> !id.isEmpty() && volume.status().volumeId().equals(id))
                .map(LogicalVolume::name)
                .findFirst()
                .orElse("");
    }

    /**
     * Returns the object that has a volume, see {@link LogicalVolume#withId}.
     *
     * @throws NotAdoptable if nothing tells which of several it is
     */
    Optional<LogicalVolume> object(String id) throws NotAdoptable {
        var found = LogicalVolume.withId(objects, id);
        if (found.size() > 1) {
            throw new NotAdoptable(
                    "LogicalVolumes "
                            + names(found.stream().map(LogicalVolume::name).toList())
                            + " all say that volume "
                            + id
                            + " is theirs: find out which one is wrong first");
        }
        return found.stream().findFirst();
    }

    /**
     * Requires that the volume which an object names is its own.
     *
     * @throws NotAdoptable if it is another object's, or nothing tells
     */
    void requireOwner(LogicalVolume object) throws NotAdoptable {
        var owner = object(object.volumeName()).map(LogicalVolume::uid).orElse("");
        if (!owner.equals(object.uid())) {
            throw new NotAdoptable(
                    "LogicalVolume "
                            + object.name()
                            + " names volume "
                            + object.volumeName()
                            + ", which is that of another LogicalVolume");
        }
    }

    /**
     * Returns the PersistentVolume of a volume, whatever its name and driver are.
     *
     * @throws NotAdoptable if there are several
     */
    Optional<KubeObject> persistentVolume(String id) throws NotAdoptable {
        var found =
                persistentVolumes.stream()
                        .filter(pv -> handle(pv).equals(id) && !id.isEmpty())
                        .toList();
        if (found.size() > 1) {
            throw new NotAdoptable(
                    "PersistentVolumes "
                            + names(found.stream().map(KubeObject::name).toList())
                            + " all have volume "
                            + id
                            + ": delete those that nobody uses first, with the policy Retain");
        }
        return found.stream().findFirst();
    }

    static String handle(KubeObject persistentVolume) {
        return persistentVolume.text("spec", "csi", "volumeHandle").orElse("");
    }

    private static String names(List<String> names) {
        return names.stream().sorted().collect(Collectors.joining(" and "));
    }
}
