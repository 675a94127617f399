package lvms.operator.topolvm;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.operator.uninstall.StuckException;

import java.util.HashMap;
import java.util.Optional;

/**
 * Moves LogicalVolumes from the group of one driver to that of another. The copy is whole, status
 * included, before the original is let go. The original goes as that of a deleted Node does: with
 * the mark that tells node agents, TopoLVM's too, to leave LVM alone. Each call may be cut at any
 * point, and the next one goes on.
 *
 * @param from whose objects they are
 * @param to whose they become
 */
public record VolumeMove(KubeClient kube, Driver from, Driver to) {
    /**
     * Takes the steps that are left.
     *
     * @param planned the original as it was when the move was planned
     * @return whether the original is gone
     * @throws StuckException if an object of the name is another volume's
     */
    public boolean moved(KubeObject planned)
            throws ApiException, StuckException, InterruptedException {
        var present = original(planned);
        if (present.isEmpty()) {
            return true;
        }
        try {
            var volume = LogicalVolume.of(present.get());
            if (volume.object().terminating()) {
                requireLetGo(volume);
                return false; // somebody else's finalizer keeps it
            }
            copy(volume);
            letGo(volume.object());
        } catch (ApiException.Conflict | ApiException.NotFound _) {
            return false; // somebody changed it meanwhile, so the copy may lack that
        }
        return original(planned).isEmpty();
    }

    private Optional<KubeObject> original(KubeObject planned)
            throws ApiException, InterruptedException {
        return kube.find(from.logicalVolumes(), planned.key())
                .filter(object -> object.uid().equals(planned.uid()));
    }

    /** Whoever deletes a volume meanwhile wants its data removed, so nothing is copied. */
    private static void requireLetGo(LogicalVolume volume) throws StuckException {
        if (!volume.pendingDeletion()) {
            throw new StuckException(
                    "LogicalVolume "
                            + volume.name()
                            + " is being deleted: wait until it is gone, then repeat");
        }
    }

    private void copy(LogicalVolume volume)
            throws ApiException, StuckException, InterruptedException {
        var key = ObjectKey.cluster(volume.name());
        var copy = kube.find(to.logicalVolumes(), key);
        if (copy.isEmpty()) {
            copy = Optional.of(kube.create(to.logicalVolumes(), copyOf(volume)));
        }
        var known = LogicalVolume.of(copy.get());
        if (!isCopy(known, volume)) {
            throw new StuckException(clash(known));
        }
        if (known.spec().size().compareTo(volume.spec().size()) < 0) {
            var size = volume.spec().size().toString();
            kube.mergePatch(
                    to.logicalVolumes(), MergePatch.of(copy.get()).set(size, "spec", "size"));
        }
        if (known.status().volumeId().isEmpty()) {
            kube.mergePatchStatus(
                    to.logicalVolumes(), MergePatch.of(copy.get()).status(volume.status().json()));
        }
    }

    /** Returns whether an object of the new group is the copy of one of the old. */
    public static boolean isCopy(LogicalVolume copy, LogicalVolume volume) {
        var id = volume.status().volumeId();
        return copy.formerId().filter(id::equals).isPresent()
                && (copy.status().volumeId().isEmpty() || copy.status().volumeId().equals(id))
                && copy.spec().nodeName().equals(volume.spec().nodeName())
                && !copy.object().terminating();
    }

    /** Says why an object of the new group is in the way. */
    public static String clash(LogicalVolume other) {
        return ("LogicalVolume %s is in both groups, and the one of %s is another volume or is"
                        + " being deleted")
                .formatted(other.name(), other.driver().group());
    }

    private KubeObject copyOf(LogicalVolume volume) {
        var annotations = new HashMap<String, String>();
        for (var entry : volume.object().annotations().entrySet()) {
            annotations.put(renamed(entry.getKey()), entry.getValue());
        }
        annotations.put(to.volumeIdAnnotation(), volume.status().volumeId());
        var copy = LogicalVolume.create(to, volume.spec(), annotations);
        for (var label : volume.object().labels().entrySet()) {
            copy = copy.with(label.getValue(), "metadata", "labels", label.getKey());
        }
        return copy;
    }

    private String renamed(String key) {
        var prefix = from.group() + "/";
        return key.startsWith(prefix) ? to.group() + "/" + key.substring(prefix.length()) : key;
    }

    /** Mark and finalizer change in one patch, so that no agent sees one without the other. */
    private void letGo(KubeObject volume) throws ApiException, InterruptedException {
        var others =
                volume.finalizers().stream()
                        .filter(name -> !name.equals(from.volumeFinalizer()))
                        .toList();
        kube.mergePatch(
                from.logicalVolumes(),
                MergePatch.of(volume)
                        .ifUnchanged()
                        .annotation(from.pendingDeletionAnnotation(), "true")
                        .finalizers(others));
        kube.delete(from.logicalVolumes(), volume.key(), DeleteOptions.uid(volume.uid()));
    }
}
