package lvms.node.rawdevice;

import static java.lang.System.Logger.Level.WARNING;

import lvms.api.nativestor.NodeObjects;
import lvms.api.nativestor.RawDevice;
import lvms.api.nativestor.RawVolume;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.client.MergePatch;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ObjectTree;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes RawDevices again that somebody has deleted although a volume has or had the disk. What this
 * process has seen it remembers; what was deleted while no agent ran is in the PersistentVolumes.
 *
 * <p>The agent has no cache of PersistentVolumes, since all of them would be in it. It asks for
 * them when it starts, before it makes the object of a disk that is new to it, and right before
 * somebody gets a disk.
 */
final class LostObjects {
    private static final System.Logger LOG = System.getLogger(LostObjects.class.getName());

    /** What said how far something was, or answered somebody. */
    private static final Set<String> PASSING =
            Set.of(
                    RawDevice.CONTENT,
                    RawDevice.LEFT,
                    RawDevice.CONFIRMED,
                    RawDevice.ERASED,
                    RawDevice.ERASURE_FAILURE,
                    RawDevice.REFUSAL);

    private final KubeClient kube;
    private final String node;
    private final Informer informer;
    private final Map<String, RawDevice> deleted = new ConcurrentHashMap<>();
    private volatile List<RawVolume> inDoubt = List.of(); // the groups look at it, too
    private volatile boolean asked;

    /**
     * @param informer the RawDevices of the node
     */
    LostObjects(KubeClient kube, String node, Informer informer) {
        this.kube = kube;
        this.node = node;
        this.informer = informer;
    }

    /** Takes note of a change of a RawDevice. */
    void changed(Optional<KubeObject> before, Optional<KubeObject> after) {
        var was = before.map(RawDevice::of).filter(RawDevice::held);
        var now = after.map(RawDevice::of);
        if (now.filter(RawDevice::held).isPresent()) {
            deleted.remove(now.get().name());
        } else if (was.isPresent() && isLoss(was.get(), now)) {
            deleted.put(was.get().name(), was.get());
        }
    }

    /** A device that is given back keeps its mark until it is erased. */
    private boolean isLoss(RawDevice was, Optional<RawDevice> now) {
        return was.spec().nodeName().equals(node)
                && (was.allocated() && was.used()
                        || now.isEmpty()
                        || !now.get().object().uid().equals(was.object().uid()));
    }

    /** Returns what is known without a question. */
    RawLedger known(List<RawDevice> objects) {
        return new RawLedger(node, objects, List.copyOf(deleted.values()), inDoubt);
    }

    /** Asks for the PersistentVolumes. */
    RawLedger ask(List<RawDevice> objects) throws ApiException, InterruptedException {
        var volumes =
                kube.list(Types.PV, ListOptions.all(), LostObjects::bare).items().stream()
                        .filter(RawVolume::is)
                        .map(RawVolume::new)
                        .toList();
        return new RawLedger(node, objects, List.copyOf(deleted.values()), volumes);
    }

    /** Others' volumes may be large, and all of them are held at once. */
    private static KubeObject bare(KubeObject volume) {
        return RawVolume.is(volume) ? volume : KubeObject.create(Types.PV, volume.key());
    }

    /** Makes the next pass ask. */
    void askAgain() {
        asked = false;
    }

    /**
     * Makes again what is lost.
     *
     * @param objects the objects
     * @param present the devices of the node
     * @param more whether a device is new
     * @return whether other devices than before may be somebody's
     */
    boolean restore(List<RawDevice> objects, List<PresentDevice> present, boolean more)
            throws ApiException, InterruptedException {
        var before = inDoubt;
        var ledger = known(objects);
        if (more || !asked || !inDoubt.isEmpty()) {
            ledger = ask(objects);
            inDoubt = ledger.inDoubt(present);
            asked = true;
        }
        for (var lost : ledger.lost(present)) {
            restore(lost);
        }
        return !names(inDoubt).equals(names(before));
    }

    private static List<String> names(List<RawVolume> volumes) {
        return volumes.stream().map(RawVolume::name).sorted().toList();
    }

    private void restore(RawDevice lost) throws ApiException, InterruptedException {
        var found = kube.find(RawDevice.TYPE, lost.object().key()).map(RawDevice::of);
        if (found.isEmpty()) {
            informer.create(again(lost));
            LOG.log(
                    WARNING,
                    () ->
                            "raw device made again, since its object was deleted name=%s path=%s%s"
                                    .formatted(lost.name(), lost.spec().realPath(), volume(lost)));
        } else if (!found.get().spec().nodeName().equals(node)) {
            deleted.remove(lost.name()); // it says so itself
        } else if (found.get().held()) { // only its label was taken off
            informer.patch(
                    MergePatch.of(found.get().object())
                            .label(RawDevice.NODE_LABEL, NodeObjects.labelValue(node)));
        } else {
            informer.patch(marked(found.get(), lost));
            LOG.log(
                    WARNING,
                    () ->
                            "raw device had lost its volume name=%s%s"
                                    .formatted(lost.name(), volume(lost)));
        }
    }

    private static String volume(RawDevice device) {
        return device.volume().map(name -> " volume=" + name).orElse("");
    }

    private static String content(RawDevice lost) {
        return lost.allocated() ? RawDevice.RESTORED : RawDevice.USED;
    }

    private static KubeObject again(RawDevice lost) {
        var object =
                RawDevice.create(
                                lost.name(),
                                lost.spec().unavailable(lost.spec().reason()),
                                lost.identity())
                        .with(content(lost), "metadata", "annotations", RawDevice.CONTENT);
        for (var annotation : lost.object().annotations().entrySet()) {
            if (!PASSING.contains(annotation.getKey())) {
                object =
                        object.with(
                                annotation.getValue(),
                                "metadata",
                                "annotations",
                                annotation.getKey());
            }
        }
        return object;
    }

    /** Of an object that was made as that of a new disk, perhaps of another one. */
    private static MergePatch marked(RawDevice made, RawDevice lost) {
        var patch =
                MergePatch.of(made.object())
                        .ifUnchanged()
                        .annotation(RawDevice.CONTENT, content(lost))
                        .withoutAnnotation(RawDevice.LEFT)
                        .withoutAnnotation(RawDevice.CONFIRMED)
                        .withoutAnnotation(RawDevice.ERASED)
                        .withoutAnnotation(RawDevice.REFUSAL);
        if (!lost.identity().isEmpty()) {
            patch = patch.annotation(RawDevice.IDENTITY, RawDevice.text(lost.identity()));
        }
        patch =
                lost.tenancy().isPresent()
                        ? patch.annotation(RawDevice.TENANCY, lost.tenancy().get().text())
                        : patch.withoutAnnotation(RawDevice.TENANCY);
        return lost.volume().isPresent()
                ? patch.annotation(RawDevice.VOLUME, lost.volume().get())
                : patch;
    }

    /** Gives what was made again to its volume, also after a process that ended in between. */
    void giveAgain(List<RawDevice> objects) throws ApiException, InterruptedException {
        for (var object : objects) {
            if (object.restored() && !object.allocated()) {
                informer.patchStatus(
                        MergePatch.of(object.object())
                                .ifUnchanged()
                                .status(ObjectTree.builder().put("name", object.name()).build()));
            }
        }
    }
}
