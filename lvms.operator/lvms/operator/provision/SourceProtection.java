package lvms.operator.provision;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.controller.Reconciler;
import lvms.k8s.controller.Result;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.operator.claim.Claim;
import lvms.operator.informer.OperatorInformers;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Takes the protection off claims and snapshots from which nothing is being copied any more.
 *
 * <p>A pass is due whenever a claim that names a source changes, and for a snapshot after it was
 * protected; at the start the snapshots are listed once, for claims that went away while nobody
 * watched.
 */
final class SourceProtection {
    private final KubeClient kube;
    private final OperatorInformers informers;
    private final ReferenceGrants grants;

    SourceProtection(KubeClient kube, OperatorInformers informers, ReferenceGrants grants) {
        this.kube = kube;
        this.informers = informers;
        this.grants = grants;
    }

    Reconciler<ObjectKey> claims() {
        return this::releaseClaim;
    }

    Reconciler<ObjectKey> snapshots() {
        return this::releaseSnapshot;
    }

    /** Returns the claims whose protection a change of this claim may end. */
    static List<ObjectKey> sourceClaims(KubeObject object) {
        var keys = new ArrayList<ObjectKey>();
        keys.add(object.key());
        source(object)
                .filter(Claim.DataSource::isClaim)
                .ifPresent(source -> keys.add(source.key(object.key())));
        return keys;
    }

    /** Returns the snapshots whose protection a change of this claim may end. */
    static List<ObjectKey> sourceSnapshots(KubeObject object) {
        return source(object).filter(Claim.DataSource::isSnapshot).stream()
                .map(source -> source.key(object.key()))
                .toList();
    }

    private static Optional<Claim.DataSource> source(KubeObject object) {
        return new Claim(object).dataSource();
    }

    /** Returns the snapshots that carry our finalizer. */
    List<ObjectKey> protectedSnapshots() throws ApiException, InterruptedException {
        return kube
                .list(
                        Types.VOLUME_SNAPSHOT,
                        ListOptions.all(),
                        snapshot -> snapshot.without("metadata", "annotations"))
                .items()
                .stream()
                .filter(snapshot -> snapshot.finalizers().contains(DataSources.RESTORING))
                .map(KubeObject::key)
                .toList();
    }

    private Result releaseClaim(ObjectKey key) throws ApiException, InterruptedException {
        var claim = informers.claims().get(key);
        if (claim.isPresent()
                && claim.get().terminating()
                && claim.get().finalizers().contains(DataSources.CLONING)
                && !wanted(key, Claim.DataSource::isClaim)) {
            remove(Types.PVC, claim.get(), DataSources.CLONING);
        }
        return Result.done();
    }

    private Result releaseSnapshot(ObjectKey key) throws ApiException, InterruptedException {
        if (!wanted(key, Claim.DataSource::isSnapshot)) {
            var snapshot = kube.find(Types.VOLUME_SNAPSHOT, key);
            if (snapshot.isPresent()
                    && snapshot.get().finalizers().contains(DataSources.RESTORING)) {
                remove(Types.VOLUME_SNAPSHOT, snapshot.get(), DataSources.RESTORING);
            }
        }
        return Result.done();
    }

    private void remove(ResourceType type, KubeObject object, String finalizer)
            throws ApiException, InterruptedException {
        kube.removeFinalizer(type, object, finalizer);
    }

    /** A claim that may not have the source does not keep it either. */
    private boolean wanted(ObjectKey key, Predicate<Claim.DataSource> kind)
            throws ApiException, InterruptedException {
        for (var object : informers.claims().list()) {
            var claim = new Claim(object);
            var source =
                    claim.dataSource().filter(kind).filter(s -> s.key(claim.key()).equals(key));
            if (!claim.bound() && source.isPresent() && grants.allow(claim, source.get())) {
                return true;
            }
        }
        return false;
    }
}
