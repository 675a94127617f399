package lvms.operator.provision;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.JsonPatch;
import lvms.k8s.client.KubeClient;
import lvms.k8s.controller.Reconciler;
import lvms.k8s.controller.Result;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.operator.claim.Claim;
import lvms.operator.claim.ClaimMark;
import lvms.operator.claim.Retries;
import lvms.operator.claim.StorageClass;
import lvms.operator.informer.Caches;
import lvms.operator.volume.Origin;
import lvms.operator.volume.Progress;
import lvms.operator.volume.VolumeRequest;
import lvms.operator.volume.VolumeService;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Gives claims their volumes.
 *
 * <p>A pass never waits: it writes the next object and returns; the change of that object brings
 * the next pass. The LogicalVolume carries the claim's mark until the PersistentVolume is written,
 * so a process that is killed in between leaves nothing that the next one would not find.
 */
final class ClaimReconciler implements Reconciler {
    private static final System.Logger LOG = System.getLogger(ClaimReconciler.class.getName());

    /** A node agent that is replaced is not registered for some seconds: nobody need act. */
    private static final int PASSING_TRIES = 4;

    private final KubeClient kube;
    private final Caches caches;
    private final VolumeService volumes;
    private final Driver driver;
    private final Reporter reporter;
    private final InstantSource clock;
    private final String identity;
    private final ClaimPlan plan;
    private final DataSources sources;
    private final OrphanedVolumes strays;
    private final Retries retries;
    private final UnschedulableClaims starved;

    ClaimReconciler(
            KubeClient kube,
            Caches caches,
            VolumeService volumes,
            Driver driver,
            Reporter reporter,
            InstantSource clock,
            String identity,
            UnschedulableClaims starved) {
        this.kube = kube;
        this.caches = caches;
        this.volumes = volumes;
        this.driver = driver;
        this.reporter = reporter;
        this.clock = clock;
        this.identity = identity;
        this.plan = new ClaimPlan(driver, caches);
        this.sources = new DataSources(kube, caches, driver);
        this.strays = new OrphanedVolumes(kube, volumes, driver);
        this.retries = new Retries(clock);
        this.starved = starved;
    }

    @Override
    public Result reconcile(ObjectKey key)
            throws ApiException, InterruptedException, VolumeException {
        var found = caches.claims().get(key).map(Claim::new);
        strays.removeAllBut(key, found.map(Claim::uid).orElse(""));
        if (found.isEmpty() || !found.get().volumeName().isEmpty()) {
            forget(key);
        }
        return found.isPresent() ? reconcile(found.get()) : Result.done();
    }

    private Result reconcile(Claim claim)
            throws ApiException, InterruptedException, VolumeException {
        var storageClass = caches.storageClass(claim.className());
        var written = caches.volumes().get(ObjectKey.cluster(claim.targetVolume()));
        if (written.isPresent()) {
            settle(claim); // the binder's turn
            return Result.done();
        }
        if (claim.object().terminating() && claim.volumeName().isEmpty()) {
            for (var volume : volumes.store().ofClaim(claim.key())) {
                strays.discard(volume);
            }
            return Result.done();
        }
        if (!ClaimPlan.due(claim, storageClass, driver)) {
            return Result.done();
        }
        return attempt(claim, storageClass.orElseThrow());
    }

    private void settle(Claim claim) throws ApiException, InterruptedException {
        for (var volume : volumes.store().ofClaim(claim.key())) {
            volumes.store().settle(volume);
        }
    }

    private Result attempt(Claim claim, StorageClass storageClass)
            throws ApiException, InterruptedException {
        var signature = signature(claim, storageClass);
        var pause = retries.remaining(claim.key().toString(), signature);
        if (pause.isPositive()) {
            return Result.requeueAfter(pause);
        }
        try {
            provision(claim, storageClass);
            return Result.done();
        } catch (VolumeException e) {
            return failed(claim, signature, e);
        } catch (ApiException e) {
            reporter.failed(claim, e.getMessage());
            throw e;
        }
    }

    /** What a try depends on: if it changes, another try need not wait. */
    private String signature(Claim claim, StorageClass storageClass) {
        return String.join(
                " ",
                claim.uid(),
                storageClass.uid(),
                claim.selectedNode().orElse(""),
                Boolean.toString(claim.selectedNode().map(caches::registered).orElse(true)),
                Long.toString(claim.requestedBytes()));
    }

    private void provision(Claim claim, StorageClass storageClass)
            throws VolumeException, ApiException, InterruptedException {
        ClaimPlan.check(claim);
        var parameters = ClassParameters.of(storageClass, claim, driver);
        Optional<Origin> origin = Optional.empty();
        var source = claim.dataSource();
        if (source.isPresent()) {
            if (!source.get().isClaim() && !source.get().isSnapshot()) {
                reporter.populated(claim, source.get().kind());
                return;
            }
            origin = Optional.of(sources.resolve(claim, source.get()));
        }
        var request = plan.request(claim, storageClass, parameters, origin);
        if (misplaced(claim, request)) {
            return;
        }
        if (volumes.store().find(claim.targetVolume()).isEmpty()) {
            reporter.started(claim);
        }
        if (volumes.create(request) instanceof Progress.Finished<LogicalVolume>(var volume)) {
            handOut(claim, storageClass, parameters, volume);
        }
    }

    /** Removes a volume that was begun on another node than the scheduler wants by now. */
    private boolean misplaced(Claim claim, VolumeRequest request)
            throws VolumeException, ApiException, InterruptedException {
        var begun = volumes.store().find(claim.targetVolume());
        boolean misplaced =
                begun.isPresent()
                        && begun.get().state() != LogicalVolume.State.TERMINATING
                        && ClaimMark.of(begun.get().object(), driver).isPresent()
                        && !request.placement().allows(begun.get().spec().nodeName());
        if (misplaced) {
            strays.discard(begun.get());
        }
        return misplaced;
    }

    /**
     * Writes the PersistentVolume. Under the policy Retain the mark goes first: no later start may
     * take a volume that was in use for one that was never handed out.
     */
    private void handOut(
            Claim claim,
            StorageClass storageClass,
            ClassParameters parameters,
            LogicalVolume volume)
            throws VolumeException, ApiException, InterruptedException {
        boolean retain = !storageClass.reclaimPolicy().equals("Delete");
        if (retain) {
            volumes.store().settle(volume);
        }
        var content =
                VolumeContent.of(
                        driver,
                        claim,
                        storageClass,
                        parameters,
                        volume,
                        volumes.capacities().topologyOf(volume.spec().nodeName()),
                        identity);
        caches.volumes().observed(write(content));
        reporter.succeeded(claim, seconds(volume));
        if (!retain) {
            volumes.store().settle(volume);
        }
        forget(claim.key());
    }

    private double seconds(LogicalVolume volume) {
        return Math.max(0, Duration.between(volume.created(), clock.instant()).toMillis() / 1e3);
    }

    private KubeObject write(KubeObject content)
            throws ApiException, InterruptedException, VolumeException {
        try {
            return kube.create(Types.PV, content);
        } catch (ApiException.AlreadyExists _) {
            var present = kube.get(Types.PV, content.key());
            if (!present.sameAt(content, "spec", "csi", "volumeHandle")
                    || !present.sameAt(content, "spec", "claimRef", "uid")) {
                throw new VolumeException(
                        StatusCode.ALREADY_EXISTS,
                        "PersistentVolume " + content.name() + " belongs to something else");
            }
            return present;
        }
    }

    private Result failed(Claim claim, String signature, VolumeException failure)
            throws ApiException, InterruptedException {
        var key = claim.key().toString();
        int tries = retries.failed(key, signature, failure.code() == StatusCode.INVALID_ARGUMENT);
        boolean passing = failure.code() == StatusCode.UNAVAILABLE && tries <= PASSING_TRIES;
        LOG.log(
                passing ? DEBUG : WARNING,
                () ->
                        "claim not provisioned claim="
                                + claim.key()
                                + " code="
                                + failure.code()
                                + " reason="
                                + failure.getMessage());
        if (!passing) {
            reporter.failed(claim, failure.getMessage());
        }
        if (failure.code() == StatusCode.RESOURCE_EXHAUSTED) {
            if (claim.selectedNode().isPresent() && claim.dataSource().isEmpty()) {
                reschedule(claim, claim.selectedNode().get());
                return Result.done();
            }
            starved.add(claim);
        }
        return Result.requeueAfter(retries.remaining(key, signature));
    }

    /** Gives the claim back to the scheduler, unless that has chosen anew in the meantime. */
    private void reschedule(Claim claim, String node) throws ApiException, InterruptedException {
        var path = new String[] {"metadata", "annotations", Claim.SELECTED_NODE};
        var patch = JsonPatch.create().test(node, path).remove(path);
        try {
            caches.claims().observed(kube.jsonPatch(Types.PVC, claim.key(), patch));
        } catch (ApiException.NotFound | ApiException.Conflict | ApiException.Invalid e) {
            LOG.log(DEBUG, () -> "claim changed, its node stays claim=" + claim.key() + " " + e);
        }
    }

    private void forget(ObjectKey claim) {
        retries.clear(claim.toString());
        starved.remove(claim);
    }

    /** Lets a claim be tried again at once. */
    void retry(ObjectKey claim) {
        retries.clear(claim.toString());
    }
}
