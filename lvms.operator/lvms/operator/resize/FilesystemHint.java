package lvms.operator.resize;

import lvms.api.Driver;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.client.MergePatch;
import lvms.k8s.controller.Controller;
import lvms.k8s.controller.Reconciler;
import lvms.k8s.controller.Result;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.Condition;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Times;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.operator.claim.Claim;
import lvms.operator.claim.StorageClass;
import lvms.operator.informer.OperatorInformers;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Wakes kubelet to grow a filesystem: it looks at a pod when the pod changes, so the pods that use
 * the claim get an annotation. Also takes two finalizers of old releases off claims.
 */
public final class FilesystemHint implements Reconciler<ObjectKey> {
    private static final Set<String> OBSOLETE =
            Set.of(Driver.TOPOLVM.obsoleteClaimFinalizer(), Driver.LEGACY.obsoleteClaimFinalizer());

    private final KubeClient kube;
    private final OperatorInformers informers;
    private final InstantSource clock;

    FilesystemHint(KubeClient kube, OperatorInformers informers, InstantSource clock) {
        this.kube = kube;
        this.informers = informers;
        this.clock = clock;
    }

    /** Builds a controller that runs it for each claim; it is not started yet. */
    public static Controller<ObjectKey> controller(
            KubeClient kube,
            OperatorInformers informers,
            MetricsRegistry metrics,
            InstantSource clock) {
        return Controller.named("filesystem-hint", new FilesystemHint(kube, informers, clock))
                .watch(informers.claims())
                .filter(FilesystemHint::isDue)
                .watch(informers.storageClasses(), c -> informers.claimsOfClass(c.name()))
                .metrics(metrics)
                .build();
    }

    private static boolean isDue(Optional<KubeObject> before, Optional<KubeObject> after) {
        return after.isPresent()
                && (before.isEmpty()
                        || !before.get().sameAt(after.get(), "status", "conditions")
                        || !before.get().sameAt(after.get(), "metadata", "finalizers"));
    }

    @Override
    public Result reconcile(ObjectKey key) throws ApiException, InterruptedException {
        var claim = informers.claims().get(key);
        if (claim.isEmpty()) {
            return Result.done();
        }
        if (claim.get().finalizers().stream().anyMatch(OBSOLETE::contains)) {
            removeObsolete(claim.get());
        }
        var pending =
                claim.get()
                        .condition(ResizeCondition.FILESYSTEM_PENDING.type())
                        .filter(Condition::holds);
        var driver = driver(claim.get());
        if (pending.isPresent() && !claim.get().terminating() && driver.isPresent()) {
            wakePods(driver.get(), key, pending.get().lastTransitionTime());
        }
        return Result.done();
    }

    private Optional<Driver> driver(KubeObject claim) {
        return StorageClass.find(informers.storageClasses(), new Claim(claim).className())
                .flatMap(storageClass -> informers.drivers().named(storageClass.provisioner()));
    }

    private void removeObsolete(KubeObject claim) throws ApiException, InterruptedException {
        try {
            informers.claims().patch(MergePatch.of(claim).ifUnchanged().finalizers(needed(claim)));
        } catch (ApiException.Forbidden _) { // TopoLVM's role lets its controller update alone
            var whole = kube.get(Types.PVC, claim.key());
            var kept = ListTree.ofTexts(needed(whole));
            var written = kube.replace(Types.PVC, whole.with(kept, "metadata", "finalizers"));
            informers.claims().observed(written);
        }
    }

    private static List<String> needed(KubeObject claim) {
        return claim.finalizers().stream().filter(name -> !OBSOLETE.contains(name)).toList();
    }

    private void wakePods(Driver driver, ObjectKey claim, Instant since)
            throws ApiException, InterruptedException {
        for (var pod :
                kube.list(
                        Types.POD,
                        ListOptions.all().namespace(claim.namespace()),
                        object -> bare(driver, object))) {
            boolean told =
                    pod.annotation(driver.filesystemResizeRequestedAnnotation())
                            .flatMap(Times::read)
                            .map(time -> time.isAfter(since))
                            .orElse(false);
            if (uses(pod, claim.name()) && !told) {
                wake(driver, pod);
            }
        }
    }

    /** Only what is read here: all pods of the namespace are held at once. */
    private static KubeObject bare(Driver driver, KubeObject pod) {
        var name = driver.filesystemResizeRequestedAnnotation();
        var told = pod.annotation(name);
        var kept =
                pod.without("metadata", "annotations")
                        .without("spec", "containers")
                        .without("status");
        return told.map(time -> kept.with(time, "metadata", "annotations", name)).orElse(kept);
    }

    /** Returns whether a pod uses the claim, perhaps as a generic ephemeral volume. */
    public static boolean uses(KubeObject pod, String claim) {
        return claims(pod).contains(claim);
    }

    /** Returns the claims of a pod, with those of its generic ephemeral volumes. */
    public static List<String> claims(KubeObject pod) {
        return pod.objects("spec", "volumes").stream()
                .flatMap(volume -> claim(pod, volume).stream())
                .toList();
    }

    private static Optional<String> claim(KubeObject pod, ObjectTree volume) {
        return volume.text("persistentVolumeClaim", "claimName")
                .or(
                        () ->
                                volume.object("ephemeral")
                                        .map(
                                                _ ->
                                                        pod.name()
                                                                + "-"
                                                                + volume.text("name").orElse("")));
    }

    private void wake(Driver driver, KubeObject pod) throws ApiException, InterruptedException {
        try {
            annotate(pod, driver.filesystemResizeRequestedAnnotation(), clock.instant().toString());
        } catch (ApiException.NotFound _) {
            return; // the pod is gone, and so is the need to wake its kubelet
        }
    }

    private void annotate(KubeObject pod, String key, String value)
            throws ApiException, InterruptedException {
        try {
            kube.mergePatch(Types.POD, MergePatch.of(pod).annotation(key, value));
        } catch (ApiException.Conflict _) {
            return; // another pod of its name: it is gone
        } catch (
                ApiException.Forbidden _) { // as above; a pod that changed meanwhile is tried again
            var whole = kube.get(Types.POD, pod.key());
            kube.replace(Types.POD, whole.with(value, "metadata", "annotations", key));
        }
    }
}
