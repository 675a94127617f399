package lvms.node.volume;

import lvms.api.LogicalVolume;
import lvms.api.Names;
import lvms.api.StatusCode;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
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
import java.util.stream.Collectors;

/**
 * Finds the logical volume of an object that was made again, for instance from a backup. Its UID is
 * a new one, but the volume has the name that the former UID gave it. Three things lead there: the
 * object's annotation, the tag of the volume, and the handle of the PersistentVolume, which is all
 * that TopoLVM's volumes have. They also tell that an object whose status was cleared had a volume.
 *
 * @param objects the objects of this node
 */
public record FormerVolumes(
        KubeClient kube, NodeVolumes objects, VolumeStatusWriter writer, Places places) {
    private static final Logger LOG = System.getLogger(FormerVolumes.class.getName());

    /** For objects of this node whose volumes may be in these places. */
    public static FormerVolumes of(KubeClient kube, NodeVolumes objects, Places places) {
        return new FormerVolumes(kube, objects, new VolumeStatusWriter(objects.informer()), places);
    }

    /** Where volumes may be: places are known by a name, such as that of a volume group. */
    public interface Places {
        /**
         * Finds a volume by its name.
         *
         * @param likely places to look at first
         */
        Optional<LvName> locate(String volume, Collection<String> likely)
                throws LvmException, VolumeRefused, InterruptedException;

        /**
         * Returns the volumes with a tag in one place.
         *
         * @param fresh whether a volume counts that may have come just now
         */
        List<LvName> tagged(String place, String tag, boolean fresh)
                throws LvmException, VolumeRefused, InterruptedException;

        /**
         * Says why an object must not get a volume.
         *
         * @param holder name of another object that has it
         */
        Optional<String> obstacle(LogicalVolume object, LvName volume, Optional<String> holder)
                throws LvmException, VolumeRefused, InterruptedException;
    }

    /** The volume groups of this node, as places where volumes of objects made again may be. */
    record Groups(GroupLedgers groups) implements Places {
        @Override
        public Optional<LvName> locate(String volume, Collection<String> likely)
                throws LvmException, InterruptedException {
            return groups.locate(volume, likely);
        }

        @Override
        public List<LvName> tagged(String vg, String tag, boolean fresh)
                throws LvmException, InterruptedException {
            return groups.tagged(vg, tag, fresh).stream().map(lv -> new LvName(vg, lv)).toList();
        }

        @Override
        public Optional<String> obstacle(
                LogicalVolume object, LvName volume, Optional<String> holder)
                throws LvmException, InterruptedException {
            var there =
                    groups.report(volume.vg()).flatMap(report -> report.logicalVolume(volume.lv()));
            return Proofs.adopt(new Adoption(object.name(), volume, there, holder))
                    .or(
                            () ->
                                    there.filter(Marks::isHidden)
                                            .map(
                                                    _ ->
                                                            volume
                                                                    + " was removed and is being"
                                                                    + " erased, or was never given"
                                                                    + " to anybody"));
        }
    }

    /**
     * Finds it; empty if the object never had one. For a new claim this asks nobody: its object
     * says that nobody got the volume yet, and the tags are in the last report.
     *
     * @param likely places to look at first
     * @throws VolumeRefused if it had one that is not here, or that may not be taken
     */
    public Optional<LvName> find(LogicalVolume object, List<String> likely)
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
        return places.locate(id, likely)
                .orElseThrow(
                        () ->
                                new VolumeRefused(
                                        StatusCode.NOT_FOUND,
                                        "its logical volume "
                                                + id
                                                + " is not on this node; bring its"
                                                + " disks back, or delete this object"));
    }

    private Optional<LvName> tagged(LogicalVolume object, List<String> likely)
            throws LvmException, VolumeRefused, InterruptedException {
        for (var place : likely) {
            var tag = Names.VOLUME_NAME_TAG + object.name();
            // an old one may just have come
            var found = places.tagged(place, tag, !isNew(object));
            if (found.stream().anyMatch(volume -> volume.lv().equals(object.uid()))) {
                return Optional.empty(); // its own, which a cut pass left behind
            }
            if (found.size() > 1) {
                throw new VolumeRefused(
                        StatusCode.FAILED_PRECONDITION,
                        "these logical volumes have its tag: "
                                + found.stream().map(LvName::lv).collect(Collectors.joining(", "))
                                + "; name the right one in the annotation "
                                + object.driver().volumeIdAnnotation());
            }
            if (found.size() == 1) {
                return Optional.of(checked(object, found.getFirst()));
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
        var obstacle = places.obstacle(object, name, objects.holder(object, name.lv()));
        if (obstacle.isPresent()) {
            throw new VolumeRefused(StatusCode.FAILED_PRECONDITION, obstacle.get());
        }
        return name;
    }
}
