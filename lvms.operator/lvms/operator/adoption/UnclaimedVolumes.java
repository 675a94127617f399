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
    private static final Driver DRIVER = Driver.TOPOLVM; // whose agents report them
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
                            + DRIVER.volumeIdAnnotation()
                            + "="
                            + volume);
        }
        var found = all().stream().filter(f -> f.volume().name().equals(volume)).toList();
        if (found.size() != 1) {
            throw new NotAdoptable(found.size() + " nodes report an unclaimed volume " + volume);
        }
        var name = as.isEmpty() ? owner(found.getFirst()) : as;
        write(found.getFirst(), name);
        return name;
    }

    private String owner(Found found) throws ApiException, NotAdoptable, InterruptedException {
        if (!found.volume().object().isEmpty()) {
            return found.volume().object();
        }
        return KnownVolumes.read(kube, drivers())
                .persistentVolume(found.volume().name())
                .map(KubeObject::name)
                .orElseThrow(
                        () ->
                                new NotAdoptable(
                                        "neither a tag nor a PersistentVolume says whose volume "
                                                + found.volume().name()
                                                + " is: add --as=NAME"));
    }

    /** All whose volumes these agents serve. */
    private Drivers drivers() throws ApiException, InterruptedException {
        return Drivers.inCluster(kube).ofGroup(DRIVER.group());
    }

    private void write(Found found, String name)
            throws ApiException, NotAdoptable, InterruptedException {
        var type = DRIVER.logicalVolumes();
        var id = found.volume().name();
        var there = kube.find(type, ObjectKey.cluster(name)).map(LogicalVolume::tolerant);
        if (there.isEmpty()) {
            create(found, name);
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
                            .annotation(DRIVER.volumeIdAnnotation(), id));
        }
    }

    private void create(Found found, String name) throws ApiException, InterruptedException {
        var id = found.volume().name();
        var content = contentOf(id);
        boolean snapshot = content.isPresent() || name.startsWith(SNAPSHOT);
        var annotations = new HashMap<>(Map.of(DRIVER.volumeIdAnnotation(), id));
        var source = content.flatMap(c -> c.text("spec", "source", "volumeHandle")).orElse("");
        if (!source.isEmpty()) {
            annotations.put(DRIVER.sourceVolumeAnnotation(), source);
        }
        var spec =
                new LogicalVolume.Spec(
                        name,
                        found.node(),
                        found.volume().size(),
                        found.deviceClass(),
                        "",
                        nameOf(source),
                        snapshot ? LogicalVolume.READ_ONLY : "");
        kube.create(DRIVER.logicalVolumes(), LogicalVolume.create(DRIVER, spec, annotations));
    }

    /** Returns the VolumeSnapshotContent whose snapshot a volume is. */
    private Optional<KubeObject> contentOf(String id) throws ApiException, InterruptedException {
        var type = Types.VOLUME_SNAPSHOT_CONTENT;
        if (!kube.serves(type)) {
            return Optional.empty();
        }
        var drivers = drivers();
        return kube.list(type, ListOptions.all()).items().stream()
                .filter(c -> drivers.serve(c.text("spec", "driver").orElse("")))
                .filter(c -> c.text("status", "snapshotHandle").orElse("").equals(id))
                .findFirst();
    }

    private String nameOf(String id) throws ApiException, InterruptedException {
        if (id.isEmpty()) {
            return "";
        }
        return kube.list(DRIVER.logicalVolumes(), ListOptions.all()).items().stream()
                .map(LogicalVolume::tolerant)
                .filter(volume -> volume.status().volumeId().equals(id))
                .map(LogicalVolume::name)
                .findFirst()
                .orElse("");
    }
}
