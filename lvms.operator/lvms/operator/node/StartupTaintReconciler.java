package lvms.operator.node;

import static java.lang.System.Logger.Level.INFO;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.MergePatch;
import lvms.k8s.controller.ChangeFilter;
import lvms.k8s.controller.Controller;
import lvms.k8s.controller.Reconciler;
import lvms.k8s.controller.Result;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.operator.informer.OperatorInformers;

import java.util.Optional;

/** Takes the start-up taint off Nodes on which volumes are served. */
public final class StartupTaintReconciler implements Reconciler<ObjectKey> {
    private static final System.Logger LOG =
            System.getLogger(StartupTaintReconciler.class.getName());

    private final KubeClient kube;
    private final OperatorInformers informers;
    private final StartupTaint taint;

    private StartupTaintReconciler(
            KubeClient kube, OperatorInformers informers, StartupTaint taint) {
        this.kube = kube;
        this.informers = informers;
        this.taint = taint;
    }

    /** Builds a controller that runs it for each Node; it is not started yet. */
    public static Controller<ObjectKey> controller(
            KubeClient kube,
            OperatorInformers informers,
            StartupTaint taint,
            MetricsRegistry metrics) {
        var reconciler = new StartupTaintReconciler(kube, informers, taint);
        ChangeFilter tainted = (_, after) -> after.filter(taint::isOn).isPresent();
        return Controller.named("startup-taint", reconciler)
                .watch(informers.nodes())
                .filter(tainted)
                .watch(informers.csiNodes())
                .metrics(metrics)
                .build();
    }

    @Override
    public Result reconcile(ObjectKey key) throws ApiException, InterruptedException {
        if (mayGo(informers.nodes().get(key), informers.csiNodes().get(key))) {
            // Caches may be behind a Node that was made again, so the server has the last word.
            var now = kube.find(Types.NODE, key);
            if (mayGo(now, kube.find(Types.CSI_NODE, key))) {
                remove(now.get());
            }
        }
        return Result.done();
    }

    private boolean mayGo(Optional<KubeObject> node, Optional<KubeObject> csiNode) {
        return node.filter(taint::isOn)
                .filter(found -> StartupTaint.isServed(found, csiNode, informers.drivers()))
                .isPresent();
    }

    /** Somebody else may write the taints meanwhile: then the pass fails and is made again. */
    private void remove(KubeObject node) throws ApiException, InterruptedException {
        kube.mergePatch(
                Types.NODE,
                MergePatch.of(node).ifUnchanged().set(taint.without(node), "spec", "taints"));
        LOG.log(
                INFO,
                () ->
                        "volumes are served, so the start-up taint is removed node="
                                + node.name()
                                + " taint="
                                + taint.key());
    }
}
