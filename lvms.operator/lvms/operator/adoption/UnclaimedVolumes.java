package lvms.operator.adoption;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.api.LogicalVolume;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.UnclaimedVolume;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The volumes of all nodes that no LogicalVolume names, as the nodes report them, and the way back.
 * Adopting one writes a LogicalVolume whose annotation names the volume; the node does the rest,
 * and proves that no other object has it.
 *
 * @param kube with the rights of the person who asks
 */
public record UnclaimedVolumes(KubeClient kube) {
    private static final String SNAPSHOT = "snapshot-"; // so the objects of snapshots are named

    /** A volume of a node, in a device class. */
    public record Found(String node, String deviceClass, UnclaimedVolume volume) {}

    /** Lists them. */
    public List<Found> all() throws ApiException, InterruptedException {
        var found = new ArrayList<Found>();
        for (var object : kube.list(LvmVolumeGroupNodeStatus.TYPE, ListOptions.all()).items()) {
            var status = LvmVolumeGroupNodeStatus.of(object);
            for (var group : status.volumeGroups()) {
                for (var volume : group.unclaimed()) {
                    found.add(new Found(status.node(), group.deviceClass(), volume));
                }
            }
        }
        return found;
    }

    /**
     * Gives a volume an object.
     *
     * @param volume its name in LVM
     * @param as name of the object; empty for the one that its tag or its PersistentVolume names
     * @return name of the object
     * @throws NotAdoptable if there is no such volume, or nothing says whose it is
     */
    public String adopt(String volume, String as)
            throws ApiException, NotAdoptable, InterruptedException {
        if (!kube.serves(LvmVolumeGroupNodeStatus.TYPE)) {
            throw new NotAdoptable(
                    "TopoLVM's programs report no volumes without an object: create LogicalVolume "
                            + (as.isEmpty() ? "NAME" : as)
                            + " with its node, class and size, and with annotation "
                            + Driver.TOPOLVM.volumeIdAnnotation()
                            + "="
                            + volume);
        }
        var found = all().stream().filter(f -> f.volume().name().equals(volume)).toList();
        if (found.size() != 1) {
            throw new NotAdoptable(found.size() + " nodes report an unclaimed volume " + volume);
        }
        var known = KnownVolumes.read(kube, Drivers.servedByAgent(kube));
        var content = contentOf(known.drivers(), volume);
        var name = as.isEmpty() ? owner(found.getFirst(), known) : as;
        write(found.getFirst(), content, known, driver(volume, name, content, known), name);
        return name;
    }

    private static String owner(Found found, KnownVolumes known) throws NotAdoptable {
        if (!found.volume().object().isEmpty()) {
            return found.volume().object();
        }
        return known.persistentVolume(found.volume().name())
                .map(KubeObject::name)
                .orElseThrow(
                        () ->
                                new NotAdoptable(
                                        "neither a tag nor a PersistentVolume says whose volume "
                                                + found.volume().name()
                                                + " is: add --as=NAME"));
    }

    /** What names the volume says whose it is, and so in which group its object is looked for. */
    private static Driver driver(
            String volume, String name, Optional<KubeObject> content, KnownVolumes known)
            throws NotAdoptable {
        var drivers = known.drivers();
        return known.persistentVolume(volume)
                .flatMap(drivers::ofVolume)
                .or(() -> content.flatMap(c -> drivers.named(c.text("spec", "driver").orElse(""))))
                .or(() -> known.named(name).map(LogicalVolume::driver))
                .orElse(Driver.TOPOLVM);
    }

    private void write(
            Found found,
            Optional<KubeObject> content,
            KnownVolumes known,
            Driver driver,
            String name)
            throws ApiException, NotAdoptable, InterruptedException {
        var type = driver.logicalVolumes();
        var id = found.volume().name();
        var there = kube.find(type, ObjectKey.cluster(name)).map(LogicalVolume::tolerant);
        if (there.isEmpty()) {
            kube.create(type, object(found, content, known, driver, name));
        } else if (!there.get().status().volumeId().isEmpty()) {
            throw new NotAdoptable(
                    "LogicalVolume "
                            + name
                            + " has the volume "
                            + there.get().status().volumeId()
                            + ": add --as=NAME with another name");
        } else {
            kube.mergePatch(
                    type,
                    MergePatch.of(there.get().object())
                            .annotation(driver.volumeIdAnnotation(), id));
        }
    }

    private static KubeObject object(
            Found found,
            Optional<KubeObject> content,
            KnownVolumes known,
            Driver driver,
            String name) {
        boolean snapshot = content.isPresent() || name.startsWith(SNAPSHOT);
        var annotations = new HashMap<>(Map.of(driver.volumeIdAnnotation(), found.volume().name()));
        var source = content.flatMap(c -> c.text("spec", "source", "volumeHandle")).orElse("");
        if (!source.isEmpty()) {
            annotations.put(driver.sourceVolumeAnnotation(), source);
        }
        var spec =
                new LogicalVolume.Spec(
                        name,
                        found.node(),
                        found.volume().size(),
                        found.deviceClass(),
                        "",
                        known.nameOf(source),
                        snapshot ? LogicalVolume.READ_ONLY : "");
        return LogicalVolume.create(driver, spec, annotations);
    }

    /** Returns the VolumeSnapshotContent whose snapshot a volume is. */
    private Optional<KubeObject> contentOf(Drivers drivers, String id)
            throws ApiException, InterruptedException {
        var type = Types.VOLUME_SNAPSHOT_CONTENT;
        if (!kube.serves(type)) {
            return Optional.empty();
        }
        return kube.list(type, ListOptions.all()).items().stream()
                .filter(c -> drivers.serve(c.text("spec", "driver").orElse("")))
                .filter(c -> c.text("status", "snapshotHandle").orElse("").equals(id))
                .findFirst();
    }
}
