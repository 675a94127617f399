package lvms.operator.uninstall;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** The end of an installation, from whatever state it is in: first a plan, then its steps. */
public final class Uninstallation {
    private final KubeClient kube;
    private final String namespace;
    private final Wishes wishes;
    private final UninstallPlan plan;

    private Uninstallation(KubeClient kube, String namespace, Wishes wishes, UninstallPlan plan) {
        this.kube = kube;
        this.namespace = namespace;
        this.wishes = wishes;
        this.plan = plan;
    }

    /**
     * Reads what is left, and plans. Nothing is changed.
     *
     * @param kube with the caller's rights
     */
    public static Uninstallation plan(KubeClient kube, Wishes wishes)
            throws ApiException, InterruptedException {
        var reads = new Reads(kube);
        var namespace = InstalledNamespace.find(reads);
        var remains = new Survey(reads, namespace).read();
        return new Uninstallation(kube, namespace, wishes, UninstallPlan.of(remains, wishes));
    }

    /** Returns what a person has to do or say first; nothing is done while there is anything. */
    public List<String> obstacles() {
        return plan.obstacles();
    }

    /** Returns what will be done, one line for each step; none if nothing is left. */
    public List<String> steps() {
        return plan.steps().stream().map(Step::text).toList();
    }

    /**
     * Does all steps.
     *
     * @param patience for each object
     * @param progress gets a line for each step, and one now and then while a step waits
     * @throws IllegalStateException if there are obstacles
     * @throws StuckException if a step does not end in time
     */
    public void run(Duration patience, Consumer<String> progress)
            throws ApiException, StuckException, InterruptedException {
        if (!plan.obstacles().isEmpty()) {
            throw new IllegalStateException("there are obstacles: " + plan.obstacles());
        }
        var uninstaller = new Uninstaller(kube, namespace, wishes, patience, progress);
        for (var step : plan.steps()) {
            uninstaller.run(step);
        }
    }
}
