package lvms.operator.uninstall;

import lvms.api.LvmCluster;
import lvms.api.Names;
import lvms.api.nativestor.TopolvmCluster;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Does the steps of a plan, one after the other. It may be cut anywhere: another plan finds what is
 * left.
 */
final class Uninstaller {
    private static final Set<String> CLUSTERS =
            Set.of(LvmCluster.TYPE.kind(), TopolvmCluster.TYPE.kind());
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration REPORT = Duration.ofSeconds(10);

    private final KubeClient kube;
    private final Reads reads;
    private final String namespace;
    private final Wishes wishes;
    private final Duration patience;
    private final Consumer<String> progress;

    Uninstaller(
            KubeClient kube,
            String namespace,
            Wishes wishes,
            Duration patience,
            Consumer<String> progress) {
        this.kube = kube;
        this.namespace = namespace;
        this.reads = new Reads(kube);
        this.wishes = wishes;
        this.patience = patience;
        this.progress = progress;
    }

    void run(Step step) throws ApiException, StuckException, InterruptedException {
        progress.accept(step.text());
        switch (step) {
            case Step.Delete(_, var items) -> {
                for (var item : items) {
                    await(item, () -> deleted(item));
                }
            }
            case Step.Release(_, var item) -> await(item, () -> released(item));
            case Step.Change change -> await(change.item(), () -> changed(change));
            case Step.Await(_, var items) -> awaitGone(items);
            case Step.Remove(_, var type, var key) -> {
                var present = reads.find(type, key).map(object -> new Item(type, object));
                if (present.isPresent()) {
                    await(present.get(), () -> deleted(present.get()));
                }
            }
            case Step.Quiet(_, var name) -> {
                for (var pods = podsOf(name); !pods.isEmpty(); pods = podsOf(name)) {
                    awaitGone(pods);
                }
            }
        }
    }

    private List<Item> podsOf(String name) throws ApiException, InterruptedException {
        return new Survey(reads, namespace)
                .podsOf(Set.of(name)).stream().filter(pod -> !wishes.lost(pod)).toList();
    }

    private void awaitGone(List<Item> items)
            throws ApiException, StuckException, InterruptedException {
        for (var item : items) {
            await(item, () -> find(item).isEmpty());
        }
    }

    private interface Attempt {
        boolean done() throws ApiException, InterruptedException;
    }

    /** The guard may not have seen yet that the last object is gone, so a refusal is repeated. */
    private void await(Item item, Attempt attempt)
            throws ApiException, StuckException, InterruptedException {
        long start = System.nanoTime();
        long report = start + REPORT.toNanos();
        var why = "it still exists";
        while (true) {
            try {
                if (attempt.done()) {
                    return;
                }
                why = find(item).map(Uninstaller::waitsFor).orElse(why);
            } catch (ApiException.Forbidden e) {
                if (!e.getMessage().contains("still exists")) {
                    throw e;
                }
                why = e.getMessage();
            } catch (ApiException.Conflict e) {
                why = e.getMessage();
            }
            forgetLostPods();
            long now = System.nanoTime();
            if (now - start > patience.toNanos()) {
                throw new StuckException(item.text() + ": " + why);
            }
            if (now > report) {
                report = now + REPORT.toNanos();
                progress.accept("  waiting for " + item.text() + ": " + why);
            }
            Thread.sleep(POLL);
        }
    }

    private Optional<KubeObject> find(Item item) throws ApiException, InterruptedException {
        return reads.find(item.type(), item.key())
                .filter(object -> object.uid().equals(item.object().uid()));
    }

    private static String waitsFor(KubeObject object) {
        return object.condition(Names.CONDITION_RESOURCES)
                .map(condition -> condition.message())
                .filter(_ -> CLUSTERS.contains(object.kind()))
                .orElseGet(
                        () ->
                                object.finalizers().isEmpty()
                                        ? "it still exists"
                                        : "finalizers " + String.join(", ", object.finalizers()));
    }

    private boolean deleted(Item item) throws ApiException, InterruptedException {
        var present = find(item);
        if (present.isPresent() && !present.get().terminating()) {
            kube.delete(item.type(), item.key(), DeleteOptions.uid(item.object().uid()));
        }
        return find(item).isEmpty();
    }

    private boolean released(Item item) throws ApiException, InterruptedException {
        var present = find(item);
        if (present.isEmpty()) {
            return true;
        }
        var now = present.get();
        if (!Marks.released(now)) {
            try {
                now = kube.mergePatch(item.type(), Marks.releasing(now));
            } catch (ApiException.NotFound _) {
                return true; // it was terminating
            }
        }
        // an agent that finds it terminating without the mark would erase its volume
        return Marks.released(now) && deleted(item);
    }

    private boolean changed(Step.Change change) throws ApiException, InterruptedException {
        var present = find(change.item());
        if (present.isPresent()) {
            try {
                kube.mergePatch(change.item().type(), change.change().apply(present.get()));
            } catch (ApiException.NotFound _) {
                return true;
            }
        }
        return true;
    }

    /** No kubelet of a lost node says that a pod has ended. */
    private void forgetLostPods() throws ApiException, InterruptedException {
        if (wishes.lostNodes().isEmpty()) {
            return;
        }
        var inside = ListOptions.all().namespace(namespace);
        for (var pod : reads.list(Types.POD, inside)) {
            if (pod.object().terminating() && wishes.lost(pod)) {
                kube.delete(
                        Types.POD,
                        pod.key(),
                        DeleteOptions.uid(pod.object().uid()).gracePeriodSeconds(0));
            }
        }
    }
}
