package lvms.node.volume;

import lvms.api.LogicalVolume;
import lvms.api.Names;
import lvms.api.StatusCode;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.node.erasure.Marks;
import lvms.node.proof.Adoption;
import lvms.node.proof.Proofs;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds the logical volume of an object that was made again, for instance from a backup. Its UID is
 * a new one, but the volume has the name that the former UID gave it. Three things lead there: the
 * object's annotation, the tag of the volume, and the handle of the PersistentVolume, which is all
 * that TopoLVM's volumes have. They also tell that an object whose status was cleared had a volume.
 *
 * @param volumes the objects of this node
 */
record FormerVolumes(
        KubeClient kube, Informer volumes, VolumeStatusWriter writer, GroupLedgers groups) {
    private static final Logger LOG = System.getLogger(FormerVolumes.class.getName());

    /**
     * Finds it; empty if the object never had one. For a new claim this asks nobody: its object
     * says that nobody got the volume yet, and the tags are in the last report.
     *
     * @param likely names of groups to look at first
     * @throws VolumeRefused if it had one that is not here, or that may not be taken
     */
    Optional<LvName> find(LogicalVolume object, List<String> likely)
            throws ApiException, LvmException, VolumeRefused, InterruptedException {
        var id = object.formerId();
        if (id.isEmpty()) {
            var tagged = tagged(object, likely);
            if (tagged.isPresent()) {
                return tagged;
            }
            id = handle(object);
        }
        return id.isEmpty()
                ? Optional.empty()
                : Optional.of(checked(object, named(id.get(), likely)));
    }

    private LvName named(String id, Collection<String> likely)
            throws LvmException, VolumeRefused, InterruptedException {
        return groups.locate(id, likely)
                .orElseThrow(
                        () ->
                                new VolumeRefused(
                                        StatusCode.NOT_FOUND,
                                        "its logical volume "
                                                + id
                                                + " is in no volume group of this node; bring its"
                                                + " disks back, or delete this object"));
    }

    private Optional<LvName> tagged(LogicalVolume object, List<String> likely)
            throws LvmException, VolumeRefused, InterruptedException {
        for (var vg : likely) {
            var tag = Names.VOLUME_NAME_TAG + object.name();
            var names = groups.tagged(vg, tag, !isNew(object)); // an old one may just have come
            if (names.contains(object.uid())) {
                return Optional.empty(); // its own, which a cut pass left behind
            }
            if (names.size() > 1) {
                throw new VolumeRefused(
                        StatusCode.FAILED_PRECONDITION,
                        "these logical volumes have its tag: "
                                + String.join(", ", names)
                                + "; name the right one in the annotation "
                                + object.driver().volumeIdAnnotation());
            }
            if (names.size() == 1) {
                return Optional.of(checked(object, new LvName(vg, names.getFirst())));
            }
        }
        return Optional.empty();
    }

    /** Keeps in the object what its PersistentVolume says of it, which may be deleted later. */
    private Optional<String> handle(LogicalVolume object)
            throws ApiException, InterruptedException {
        if (isNew(object) || object.isSnapshot()) {
            return Optional.empty();
        }
        try {
            var handle =
                    kube.find(Types.PV, ObjectKey.cluster(object.name()))
                            .filter(
                                    pv ->
                                            pv.text("spec", "csi", "driver")
                                                    .filter(object.driver().name()::equals)
                                                    .isPresent())
                            .flatMap(pv -> pv.text("spec", "csi", "volumeHandle"))
                            .filter(id -> !id.isEmpty());
            if (handle.isPresent()) {
                writer.remember(object, handle.get());
            }
            return handle;
        } catch (ApiException.Forbidden e) { // roles of TopoLVM's chart
            LOG.log(Level.DEBUG, () -> "PersistentVolumes may not be read: " + e.getMessage());
            return Optional.empty();
        }
    }

    /** Returns whether the object says that nobody has got its volume yet. */
    private static boolean isNew(LogicalVolume object) {
        return object.object().annotation(object.driver().claimAnnotation()).isPresent();
    }

    private LvName checked(LogicalVolume object, LvName name)
            throws LvmException, VolumeRefused, InterruptedException {
        var there = groups.report(name.vg()).flatMap(report -> report.logicalVolume(name.lv()));
        var obstacle = Proofs.adopt(new Adoption(object.name(), name, there, holder(object, name)));
        if (obstacle.isPresent()) {
            throw new VolumeRefused(StatusCode.FAILED_PRECONDITION, obstacle.get());
        }
        if (there.filter(Marks::isHidden).isPresent()) {
            throw new VolumeRefused(
                    StatusCode.FAILED_PRECONDITION,
                    name + " was removed and is being erased, or was never given to anybody");
        }
        return name;
    }

    /** Returns another object that has this volume. */
    Optional<String> holder(LogicalVolume object, LvName name) {
        var byUid = volumes.byIndex(NodeVolumes.BY_UID, name.lv()).stream();
        var byId = volumes.byIndex(NodeVolumes.BY_VOLUME, name.lv()).stream();
        return Stream.concat(byUid, byId)
                .filter(other -> !other.uid().equals(object.uid()))
                .map(other -> other.name())
                .findFirst();
    }
}
