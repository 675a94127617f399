package lvms.operator.takeover;

import lvms.api.Driver;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;
import lvms.k8s.tree.Tree;
import lvms.operator.topolvm.VolumeMove;
import lvms.operator.uninstall.Item;
import lvms.operator.uninstall.Reads;
import lvms.operator.uninstall.StuckException;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** Does steps. One that is cut is done again by the next try, which plans anew. */
final class Errands {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration REPORT = Duration.ofSeconds(10);

    private final KubeClient kube;
    private final Reads reads;
    private final Duration patience;
    private final Consumer<String> progress;

    Errands(KubeClient kube, Duration patience, Consumer<String> progress) {
        this.kube = kube;
        this.reads = new Reads(kube);
        this.patience = patience;
        this.progress = progress;
    }

    void run(Step step) throws ApiException, StuckException, InterruptedException {
        progress.accept(step.text());
        switch (step) {
            case Step.Note(_, var record) -> kube.apply(Types.CONFIG_MAP, record);
            case Step.Stop(_, var item) -> stop(item);
            case Step.Remove(_, var item) -> remove(item);
            case Step.Change change -> change(change);
            case Step.Move(_, var item) -> {
                var move = new VolumeMove(kube, Driver.LEGACY, Driver.TOPOLVM);
                await(item.text() + " is not moved", () -> move.moved(item.object()));
            }
            case Step.Restore(_, var item) -> {
                if (reads.find(item.type(), item.key()).isEmpty()) {
                    kube.create(item.type(), item.object());
                }
            }
            case Step.Ready(_, var item, var whose) ->
                    await(item.text() + " is not ready", () -> ready(item, whose));
        }
    }

    /** Whether something is over. */
    private interface Attempt {
        boolean done() throws ApiException, StuckException, InterruptedException;
    }

    private void await(String what, Attempt attempt)
            throws ApiException, StuckException, InterruptedException {
        long start = System.nanoTime();
        long report = start + REPORT.toNanos();
        while (!attempt.done()) {
            long now = System.nanoTime();
            if (now - start > patience.toNanos()) {
                throw new StuckException(what + " after " + patience.toSeconds() + " s");
            }
            if (now > report) {
                report = now + REPORT.toNanos();
                progress.accept("  waiting: " + what);
            }
            Thread.sleep(POLL);
        }
    }

    private void stop(Item item) throws ApiException, StuckException, InterruptedException {
        var present = find(item);
        if (present.isPresent()) {
            kube.mergePatch(
                    item.type(), MergePatch.of(present.get()).set(Tree.of(0), "spec", "replicas"));
            awaitPods(item);
        }
    }

    private void remove(Item item) throws ApiException, StuckException, InterruptedException {
        await(item.text() + " still exists", () -> removed(item));
        if (item.type() == Types.DAEMON_SET) {
            awaitPods(item);
        }
    }

    /** A guard that has just been deleted may be in force for a moment. */
    private boolean removed(Item item) throws ApiException, InterruptedException {
        var present = find(item);
        if (present.isPresent() && !present.get().terminating()) {
            try {
                kube.delete(item.type(), item.key(), DeleteOptions.uid(item.object().uid()));
            } catch (ApiException.Forbidden e) {
                if (!e.getMessage().contains("still exists")) {
                    throw e;
                }
            }
        }
        return find(item).isEmpty();
    }

    private void awaitPods(Item item) throws ApiException, StuckException, InterruptedException {
        var selected =
                ListOptions.all()
                        .namespace(item.object().namespace())
                        .labels(Workload.selector(item.object()));
        await(
                item.text() + " has pods",
                () ->
                        kube.list(Types.POD, selected).items().stream()
                                .allMatch(pod -> Workload.isOfAnother(pod, item.object())));
    }

    private void change(Step.Change change) throws ApiException, InterruptedException {
        var present = find(change.item());
        if (present.isPresent()) {
            kube.mergePatch(change.item().type(), change.change().apply(present.get()));
        }
    }

    private boolean ready(Item item, Program whose) throws ApiException, InterruptedException {
        return reads.find(item.type(), item.key())
                .filter(workload -> Program.of(workload) == whose)
                .filter(Workload::ready)
                .isPresent();
    }

    /** The very object that was planned for, not one that has taken its name. */
    private Optional<KubeObject> find(Item item) throws ApiException, InterruptedException {
        return reads.find(item.type(), item.key())
                .filter(object -> object.uid().equals(item.object().uid()));
    }
}
