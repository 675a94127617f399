package lvms.operator.provision;

import lvms.api.Driver;
import lvms.api.Names;
import lvms.api.VolumeException;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.controller.Reconciler;
import lvms.k8s.controller.Result;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.operator.backend.Backends;
import lvms.operator.backend.VolumeBackend;
import lvms.operator.informer.OperatorInformers;
import lvms.operator.volume.Progress;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Deletes the volumes of released PersistentVolumes, and keeps the finalizer that stops anybody
 * from deleting such an object before its volume.
 */
final class ReclaimReconciler implements Reconciler<ObjectKey> {
    private final KubeClient kube;
    private final OperatorInformers informers;
    private final Backends backends;
    private final Reporter reporter;

    private final Map<ObjectKey, Reclaim> begun = new ConcurrentHashMap<>();

    /**
     * A deletion, until the cache shows that the PersistentVolume is gone.
     *
     * @param uid of the PersistentVolume
     * @param nanos when it was begun, on the clock of {@link System#nanoTime}
     * @param seen whether a pass saw the object of the volume, so that the cache shows its end
     * @param ended whether all has been sent, so that only the cache is behind
     */
    private record Reclaim(String uid, long nanos, boolean seen, boolean ended) {
        static Reclaim now(KubeObject volume) {
            return new Reclaim(volume.uid(), System.nanoTime(), false, false);
        }

        Reclaim withSeen() {
            return new Reclaim(uid, nanos, true, ended);
        }

        Reclaim withEnd() {
            return new Reclaim(uid, nanos, seen, true);
        }

        double seconds() {
            return (System.nanoTime() - nanos) / 1e9;
        }
    }

    /** What a PersistentVolume asks for. */
    enum Need {
        NOTHING,
        FINALIZER,
        NO_FINALIZER,
        RECLAIM
    }

    ReclaimReconciler(
            KubeClient kube, OperatorInformers informers, Backends backends, Reporter reporter) {
        this.kube = kube;
        this.informers = informers;
        this.backends = backends;
        this.reporter = reporter;
    }

    static Need need(KubeObject volume, Driver driver) {
        if (!volume.text("spec", "csi", "driver").orElse("").equals(driver.name())) {
            return Need.NOTHING;
        }
        boolean guarded = volume.finalizers().contains(VolumeContent.FINALIZER);
        if (!volume.text("spec", "persistentVolumeReclaimPolicy").orElse("").equals("Delete")) {
            return guarded ? Need.NO_FINALIZER : Need.NOTHING;
        }
        var phase = volume.text("status", "phase").orElse("");
        if (phase.equals("Bound")) {
            return guarded || volume.terminating() ? Need.NOTHING : Need.FINALIZER;
        }
        if (!phase.equals("Released")) { // its claim did not go, so its volume stays
            return guarded && volume.terminating() ? Need.NO_FINALIZER : Need.NOTHING;
        }
        var maker = volume.annotation(Names.PROVISIONED_BY_ANNOTATION);
        boolean ours = maker.isPresent() ? maker.get().equals(driver.name()) : guarded;
        return ours && (guarded || !volume.terminating()) ? Need.RECLAIM : Need.NOTHING;
    }

    /** Whether a volume asks for anything, which it seldom does. */
    boolean concerns(KubeObject volume) {
        return backend(volume).filter(b -> need(volume, b.driver()) != Need.NOTHING).isPresent();
    }

    private Optional<VolumeBackend> backend(KubeObject volume) {
        return volume.text("spec", "csi", "driver").flatMap(backends::named);
    }

    @Override
    public Result reconcile(ObjectKey key) throws ApiException, InterruptedException {
        var found = informers.persistentVolumes().get(key);
        var backend = found.flatMap(this::backend);
        if (backend.isEmpty()) {
            begun.remove(key);
            return Result.done();
        }
        var volume = found.get();
        return switch (need(volume, backend.get().driver())) {
            case NOTHING -> Result.done();
            case FINALIZER -> {
                informers.persistentVolumes().addFinalizer(volume, VolumeContent.FINALIZER);
                yield Result.done();
            }
            case NO_FINALIZER -> {
                removeFinalizer(volume);
                yield Result.done();
            }
            case RECLAIM -> reclaim(backend.get(), volume);
        };
    }

    private Result reclaim(VolumeBackend backend, KubeObject volume)
            throws ApiException, InterruptedException {
        var reclaim =
                begun.compute(
                        volume.key(),
                        (_, last) ->
                                last != null && last.uid().equals(volume.uid())
                                        ? last
                                        : Reclaim.now(volume));
        if (reclaim.ended() && !volume.finalizers().contains(VolumeContent.FINALIZER)) {
            return Result.done();
        }
        try {
            if (backend.reclaim(volume, reclaim.seen()) instanceof Progress.Pending) {
                begun.put(volume.key(), reclaim.withSeen());
                return Result.done(); // a change of the volume's object brings the next pass
            }
        } catch (VolumeException e) {
            reporter.deleteFailed(volume, e.getMessage());
            return Result.requeue();
        }
        removeFinalizer(volume);
        if (!volume.terminating()) {
            kube.delete(Types.PV, volume.key(), DeleteOptions.uid(volume.uid()));
        }
        if (!reclaim.ended()) {
            begun.put(volume.key(), reclaim.withEnd());
            reporter.deleted(volume, reclaim.seconds());
        }
        return Result.done();
    }

    private void removeFinalizer(KubeObject volume) throws ApiException, InterruptedException {
        kube.removeFinalizer(Types.PV, volume, VolumeContent.FINALIZER)
                .ifPresent(informers.persistentVolumes()::observed);
    }
}
