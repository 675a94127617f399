package lvms.node.volume;

import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.lvm2.LvmException;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where volumes are recorded to be, and where they are. A group that has the recorded UUID is the
 * right one, whichever machine its disks are in now: a node that was rebuilt around its disks goes
 * on. A group of the same name with another UUID is not, although its volumes may have the right
 * names: it may be a copy. Any thread may ask.
 */
public final class VolumeHomes {
    /** Value of the annotation that says: the disks are lost for good. */
    private static final String NO_GROUP = "none";

    /** What a person does about a group that is not there. */
    static final String GIVING_UP =
            " bring its disks back; if they are lost for good, annotate the LogicalVolume with "
                    + LogicalVolume.Home.ACCEPTED_ANNOTATION
                    + "="
                    + NO_GROUP;

    private final KubeClient kube;
    private final String node;
    private final Uuids groups;
    private volatile String nodeUid = "";
    private volatile boolean kept;

    /** Says which UUID a group has. */
    interface Uuids {
        /** Returns the UUID of a group; empty if it is not on this machine, or not known. */
        Optional<String> uuid(String vg) throws LvmException, InterruptedException;
    }

    private VolumeHomes(KubeClient kube, String node, Uuids groups, boolean recorded) {
        this.kube = kube;
        this.node = node;
        this.groups = groups;
        kept = recorded;
    }

    /** For groups of this process's LVM. */
    VolumeHomes(KubeClient kube, String node, GroupLedgers groups) {
        this(kube, node, groups::uuid, true);
    }

    /** For volumes whose groups somebody else knows: nothing is recorded, and what is stays. */
    public static VolumeHomes notKnown(KubeClient kube, String node) {
        return new VolumeHomes(kube, node, _ -> Optional.empty(), false);
    }

    /** Returns the UID of this node's Node object; empty if there is none. */
    String nodeUid() throws ApiException, InterruptedException {
        return nodeUid.isEmpty() ? askForNodeUid() : nodeUid;
    }

    /** At the start all volumes are looked at at once, and one of them asks for all. */
    private synchronized String askForNodeUid() throws ApiException, InterruptedException {
        if (nodeUid.isEmpty()) {
            nodeUid =
                    kube.find(Types.NODE, ObjectKey.cluster(node)).map(KubeObject::uid).orElse("");
        }
        return nodeUid;
    }

    /** Returns what is to be recorded of a volume that is in a group. */
    Optional<LogicalVolume.Home> of(String vg)
            throws ApiException, LvmException, InterruptedException {
        var uuid = groups.uuid(vg);
        return uuid.isEmpty()
                ? Optional.empty()
                : Optional.of(new LogicalVolume.Home(uuid.get(), nodeUid()));
    }

    /** Returns whether something is to be recorded that the object does not say yet. */
    boolean unrecorded(LogicalVolume volume) throws ApiException, InterruptedException {
        var uid = nodeUid();
        return kept
                && volume.status()
                        .home()
                        .filter(home -> uid.isEmpty() || home.nodeUid().equals(uid))
                        .isEmpty();
    }

    /** Returns whether a failure is one of {@link #mismatch}. */
    static boolean isMismatch(LogicalVolume volume) {
        return volume.status().message().startsWith(beginning(volume));
    }

    private static String beginning(LogicalVolume volume) {
        return "volume " + volume.name() + " is in the volume group with UUID ";
    }

    /** Notes what the server made of a status: one with TopoLVM's definition drops these fields. */
    void answered(LogicalVolume written) {
        kept = written.status().home().isPresent();
    }

    /**
     * Lets nothing be done to a volume in a group that is not the one that it was made in.
     *
     * @throws VolumeRefused FAILED_PRECONDITION, naming both
     */
    void require(LogicalVolume volume, String vg)
            throws LvmException, VolumeRefused, InterruptedException {
        var mismatch =
                groups.uuid(vg).flatMap(uuid -> mismatch(volume, Optional.empty(), vg, uuid));
        if (mismatch.isPresent()) {
            throw new VolumeRefused(StatusCode.FAILED_PRECONDITION, mismatch.get());
        }
    }

    /** Returns whether a person has said that no group has the volume any more. */
    static boolean isGivenUp(LogicalVolume volume) {
        return volume.object()
                .annotation(LogicalVolume.Home.ACCEPTED_ANNOTATION)
                .filter(NO_GROUP::equals)
                .isPresent();
    }

    /**
     * Requires that a volume whose class is gone is not in the group that was recorded for it.
     *
     * @throws VolumeRefused FAILED_PRECONDITION if that group is not on this machine
     */
    void requireGone(LogicalVolume volume, GroupLedgers ledgers)
            throws LvmException, VolumeRefused, InterruptedException {
        var home = volume.status().home().map(LogicalVolume.Home::groupUuid);
        if (home.isEmpty()) {
            return;
        }
        var name = ledgers.named(home.get());
        if (name.isEmpty()) {
            throw new VolumeRefused(
                    StatusCode.FAILED_PRECONDITION,
                    "the volume group with UUID "
                            + home.get()
                            + " is not on this node now, so the volume in it cannot be removed;"
                            + GIVING_UP);
        }
        var there = ledgers.fresh(name.get());
        if (there.flatMap(report -> report.logicalVolume(volume.volumeName())).isPresent()) {
            throw NodeStorage.isBack(volume);
        }
    }

    /**
     * Says why a group is not the one that has a volume; empty if it is, or nothing was recorded.
     *
     * @param handedOut UUID of the group in the PersistentVolume
     * @param vg name of the group
     * @param uuid its UUID
     */
    public static Optional<String> mismatch(
            LogicalVolume volume, Optional<String> handedOut, String vg, String uuid) {
        var accepted = volume.object().annotation(LogicalVolume.Home.ACCEPTED_ANNOTATION);
        if (accepted.filter(uuid::equals).isPresent()) {
            return Optional.empty();
        }
        var recorded = volume.status().home();
        return Stream.concat(
                        recorded.map(LogicalVolume.Home::groupUuid).stream(), handedOut.stream())
                .filter(expected -> !expected.equals(uuid))
                .findFirst()
                .map(
                        expected ->
                                beginning(volume)
                                        + recorded.filter(r -> r.groupUuid().equals(expected))
                                                .map(LogicalVolume.Home::toString)
                                                .orElse(expected)
                                        + ", but "
                                        + vg
                                        + " on node "
                                        + volume.spec().nodeName()
                                        + " has UUID "
                                        + uuid
                                        + ": bring the volume's disks back; if "
                                        + vg
                                        + " is right, or the disks are lost for good, annotate the"
                                        + " LogicalVolume with "
                                        + LogicalVolume.Home.ACCEPTED_ANNOTATION
                                        + "="
                                        + uuid);
    }
}
