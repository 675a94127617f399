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
import lvms.operator.informer.OperatorInformers;
import lvms.operator.volume.Progress;
import lvms.operator.volume.VolumeService;
import lvms.operator.volume.VolumeServices;

import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Deletes the volumes of released PersistentVolumes, and keeps the finalizer that stops anybody
 * from deleting such an object before its volume.
 */
final class ReclaimReconciler implements Reconciler {
    private final KubeClient kube;
    private final OperatorInformers informers;
    private final VolumeServices services;
    private final Reporter reporter;

    /**
     * When a deletion was begun, on the clock of {@link System#nanoTime}; empty once it has been
     * counted, until the cache shows that the object is gone: a pass before that repeats the end.
     */
    private final Map<ObjectKey, OptionalLong> begun = new ConcurrentHashMap<>();

    /** What a PersistentVolume asks for. */
    enum Need {
        NOTHING,
        FINALIZER,
        NO_FINALIZER,
        RECLAIM
    }

    ReclaimReconciler(
            KubeClient kube,
            OperatorInformers informers,
            VolumeServices services,
            Reporter reporter) {
        this.kube = kube;
        this.informers = informers;
        this.services = services;
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

    @Override
    public Result reconcile(ObjectKey key) throws ApiException, InterruptedException {
        var found = informers.persistentVolumes().get(key);
        var service = found.flatMap(v -> v.text("spec", "csi", "driver")).flatMap(services::named);
        if (service.isEmpty()) {
            begun.remove(key);
            return Result.done();
        }
        var volume = found.get();
        return switch (need(volume, service.get().driver())) {
            case NOTHING -> Result.done();
            case FINALIZER -> {
                informers.persistentVolumes().addFinalizer(volume, VolumeContent.FINALIZER);
                yield Result.done();
            }
            case NO_FINALIZER -> {
                removeFinalizer(volume);
                yield Result.done();
            }
            case RECLAIM -> reclaim(service.get(), volume);
        };
    }

    private Result reclaim(VolumeService volumes, KubeObject volume)
            throws ApiException, InterruptedException {
        var handle = volume.text("spec", "csi", "volumeHandle").orElse("");
        var start = begun.computeIfAbsent(volume.key(), _ -> OptionalLong.of(System.nanoTime()));
        try {
            if (volumes.delete(handle) instanceof Progress.Pending
                    || hidden(volumes, volume, handle)) {
                return Result.done(); // the deletion of the LogicalVolume brings the next pass
            }
        } catch (VolumeException e) {
            reporter.deleteFailed(volume, e.getMessage());
            return Result.requeue();
        }
        removeFinalizer(volume);
        if (!volume.terminating()) {
            kube.delete(Types.PV, volume.key(), DeleteOptions.uid(volume.uid()));
        }
        begun.put(volume.key(), OptionalLong.empty());
        start.ifPresent(nanos -> reporter.deleted(volume, (System.nanoTime() - nanos) / 1e9));
        return Result.done();
    }

    /** Returns whether the volume exists although the cache did not show it; now it does. */
    private boolean hidden(VolumeService volumes, KubeObject volume, String handle)
            throws ApiException, InterruptedException, VolumeException {
        var present = volumes.store().read(volume.name());
        return present.isPresent()
                && present.get().status().volumeId().equals(handle)
                && volumes.delete(present.get()) instanceof Progress.Pending;
    }

    private void removeFinalizer(KubeObject volume) throws ApiException, InterruptedException {
        kube.removeFinalizer(Types.PV, volume, VolumeContent.FINALIZER)
                .ifPresent(informers.persistentVolumes()::observed);
    }
}
