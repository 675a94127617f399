package lvms.operator.provision;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import lvms.api.Driver;
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
import lvms.operator.backend.Backends;
import lvms.operator.backend.BegunVolume;
import lvms.operator.backend.VolumeBackend;
import lvms.operator.claim.AttributesClass;
import lvms.operator.claim.Claim;
import lvms.operator.claim.Retries;
import lvms.operator.claim.StorageClass;
import lvms.operator.claim.VolumeNaming;
import lvms.operator.informer.OperatorInformers;
import lvms.operator.volume.Origin;
import lvms.operator.volume.Progress;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Gives claims their volumes.
 *
 * <p>A pass never waits: it writes the next object and returns; the change of that object brings
 * the next pass. The object of the volume carries the claim's mark until the PersistentVolume is
 * written, so a process that is killed in between leaves nothing that the next one would not find.
 */
final class ClaimReconciler implements Reconciler<ObjectKey> {
    private static final System.Logger LOG = System.getLogger(ClaimReconciler.class.getName());
    private static final int MOST_OF_NAME = 253; // what annotations stand for in templates

    /** A node agent that is replaced is not registered for some seconds: nobody has to act. */
    private static final int PASSING_TRIES = 4;

    private final KubeClient kube;
    private final OperatorInformers informers;
    private final Backends backends;
    private final Reporter reporter;
    private final InstantSource clock;
    private final ClaimPlan.Nodes nodes;
    private final HandOver handOver;
    private final DataSources sources;
    private final OrphanedVolumes orphans;
    private final Retries retries;
    private final UnschedulableClaims unschedulable;
    private final ClaimVolumes volumes;
    private final String defaultFsType;

    ClaimReconciler(
            KubeClient kube,
            OperatorInformers informers,
            Backends backends,
            Reporter reporter,
            InstantSource clock,
            String identity,
            DataSources sources,
            UnschedulableClaims unschedulable,
            VolumeNaming naming,
            String defaultFsType) {
        this.kube = kube;
        this.informers = informers;
        this.backends = backends;
        this.reporter = reporter;
        this.clock = clock;
        this.nodes = new CachedNodes(informers);
        this.handOver = new HandOver(kube, informers, backends, identity);
        this.sources = sources;
        this.orphans = new OrphanedVolumes(kube, backends, handOver);
        this.retries = new Retries(clock);
        this.unschedulable = unschedulable;
        this.volumes = new ClaimVolumes(informers, backends, naming);
        this.defaultFsType = defaultFsType;
    }

    private record CachedNodes(OperatorInformers informers) implements ClaimPlan.Nodes {
        @Override
        public Optional<KubeObject> named(String name) {
            return informers.nodes().get(ObjectKey.cluster(name));
        }

        @Override
        public boolean registered(Driver driver, String node) {
            return informers.registered(driver, node);
        }

        @Override
        public List<KubeObject> all() {
            return informers.nodes().list();
        }
    }

    @Override
    public Result reconcile(ObjectKey key)
            throws ApiException, InterruptedException, VolumeException {
        var found = informers.claims().get(key).map(Claim::new);
        orphans.removeAllBut(key, found.map(Claim::uid).orElse(""));
        if (found.isEmpty() || found.get().bound()) {
            forget(key);
        }
        return found.isPresent() ? reconcile(volumes.named(found.get())) : Result.done();
    }

    private Result reconcile(Claim claim)
            throws ApiException, InterruptedException, VolumeException {
        var around = around(claim);
        switch (ClaimPlan.of(withAnnotations(claim, around), around)) {
            case ClaimPlan.Converged(var reason) ->
                    LOG.log(DEBUG, () -> "claim left alone claim=" + claim.key() + " " + reason);
            case ClaimPlan.HandedOver() -> { // the binder's turn
                handOver.finish(claim);
                orphans.discardAllBut(claim, claim.targetVolume());
            }
            case ClaimPlan.Abandoned() -> orphans.discardAllBut(claim, claim.volumeName());
            case ClaimPlan.Misplaced(var driver, var begun) ->
                    orphans.discard(backends.of(driver), begun);
            case ClaimPlan.Populated(var kind) -> reporter.populated(claim, kind);
            case ClaimPlan.Refused(var signature, var failure) -> {
                return attempt(
                        claim,
                        signature,
                        () -> {
                            throw failure;
                        });
            }
            case ClaimPlan.Provision plan -> {
                return attempt(claim, plan.signature(), () -> provision(claim, plan));
            }
        }
        return Result.done();
    }

    /** Templates of the class may name any annotation; the cache has none that only they read. */
    private Claim withAnnotations(Claim claim, ClaimPlan.Surroundings around)
            throws ApiException, InterruptedException {
        var names = around.storageClass().map(ClassParameters::annotations).orElse(Set.of());
        if (names.isEmpty() || claim.bound() || !informers.drivers().serve(claim.provisioner())) {
            return claim;
        }
        var live = kube.find(Types.PVC, claim.key());
        var object = claim.object();
        for (var name : names) {
            var value =
                    live.flatMap(l -> l.annotation(name)).filter(v -> v.length() <= MOST_OF_NAME);
            if (value.isPresent()) {
                object = object.with(value.get(), "metadata", "annotations", name);
            }
        }
        return new Claim(object, claim.targetVolume());
    }

    private ClaimPlan.Surroundings around(Claim claim) throws ApiException, InterruptedException {
        var backend = backends.named(claim.provisioner());
        boolean due = !claim.bound() && informers.drivers().serve(claim.provisioner());
        return new ClaimPlan.Surroundings(
                informers.drivers(),
                StorageClass.find(informers.storageClasses(), claim.className())
                        .map(found -> ClassParameters.withFsType(found, defaultFsType)),
                due ? AttributesClass.find(kube, claim.attributesClassName()) : Optional.empty(),
                volumes.handedOver(claim),
                backend.flatMap(b -> volumes.begun(b, claim)),
                backend.flatMap(b -> b.objection(claim)),
                nodes);
    }

    /** A try to serve a claim. */
    private interface Try {
        void run() throws VolumeException, ApiException, InterruptedException;
    }

    private Result attempt(Claim claim, String signature, Try work)
            throws ApiException, InterruptedException {
        var pause = retries.remaining(claim.key().toString(), signature);
        if (pause.isPositive()) {
            return Result.requeueAfter(pause);
        }
        try {
            work.run();
            return Result.done();
        } catch (VolumeException e) {
            return failed(claim, signature, e);
        } catch (ApiException e) {
            reporter.failed(claim, e.getMessage());
            throw e;
        }
    }

    private void provision(Claim claim, ClaimPlan.Provision plan)
            throws VolumeException, ApiException, InterruptedException {
        var backend = backends.of(plan.driver());
        var begun = volumes.begun(backend, claim);
        var origin = origin(backend, claim, plan, begun);
        if (begun.isEmpty()) {
            reporter.started(claim);
        }
        if (backend.create(plan.request(claim, origin))
                        instanceof Progress.Converged<BegunVolume>(var volume)
                && handOver.write(claim, plan, volume)) {
            reporter.succeeded(claim, volume.begun().map(this::secondsSince));
            forget(claim.key());
        }
    }

    private Optional<Origin> origin(
            VolumeBackend backend,
            Claim claim,
            ClaimPlan.Provision plan,
            Optional<BegunVolume> begun)
            throws VolumeException, ApiException, InterruptedException {
        if (claim.dataSource().isEmpty()) {
            return Optional.empty();
        }
        var source = claim.dataSource().get();
        var copying =
                backend.copying()
                        .orElseThrow(
                                () ->
                                        new VolumeException(
                                                StatusCode.INVALID_ARGUMENT,
                                                "volumes of "
                                                        + backend.driver().name()
                                                        + " are not copied: the claim must not"
                                                        + " name a data source"));
        var copy = begun.filter(volume -> !volume.source().isEmpty());
        if (copy.isPresent()) {
            return Optional.of(DataSources.ofCopy(copying.sourceId(copy.get()), source));
        }
        long bytes = copying.bytes(plan.request(claim, Optional.empty()));
        return Optional.of(sources.resolve(backend.driver(), claim, bytes, source));
    }

    private double secondsSince(Instant begun) {
        return Math.max(0, Duration.between(begun, clock.instant()).toMillis() / 1e3);
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
            unschedulable.add(claim);
        }
        return Result.requeueAfter(retries.remaining(key, signature));
    }

    /** Gives the claim back to the scheduler, unless it has chosen again in the meantime. */
    private void reschedule(Claim claim, String node) throws ApiException, InterruptedException {
        var path = new String[] {"metadata", "annotations", Claim.SELECTED_NODE};
        var patch = JsonPatch.create().test(node, path).remove(path);
        try {
            informers.claims().observed(kube.jsonPatch(Types.PVC, claim.key(), patch));
        } catch (ApiException.NotFound | ApiException.Conflict | ApiException.Invalid e) {
            LOG.log(DEBUG, () -> "claim changed, its node stays claim=" + claim.key() + " " + e);
        }
    }

    private void forget(ObjectKey claim) {
        retries.clear(claim.toString());
        unschedulable.remove(claim);
    }

    /** Lets a claim be tried again at once. */
    void retry(ObjectKey claim) {
        retries.clear(claim.toString());
    }
}
