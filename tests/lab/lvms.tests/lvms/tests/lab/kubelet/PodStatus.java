package lvms.tests.lab.kubelet;

import static lvms.tests.lab.standin.Trees.list;
import static lvms.tests.lab.standin.Trees.object;

import lvms.k8s.object.Condition;
import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** The status that kubelet writes for a pod. */
final class PodStatus {
    private PodStatus() {}

    /** What is known of one container. */
    record ContainerState(
            String name,
            String image,
            boolean running,
            boolean ready,
            int exitCode,
            int restarts,
            Instant since) {
        ObjectTree json() {
            var since = since().truncatedTo(ChronoUnit.SECONDS).toString();
            var state =
                    running
                            ? object("running", object("startedAt", since))
                            : exitCode < 0
                                    ? object("waiting", object("reason", "ContainerCreating"))
                                    : object("terminated", terminated(since));
            return object(
                    "name", name,
                    "image", image,
                    "imageID", image,
                    "ready", ready,
                    "started", running,
                    "restartCount", restarts,
                    "state", state);
        }

        private ObjectTree terminated(String since) {
            var reason = exitCode == 0 ? "Completed" : "Error";
            return object("exitCode", exitCode, "reason", reason, "finishedAt", since);
        }
    }

    /** Computes the status as a merge patch. */
    static ObjectTree patch(
            KubeObject pod, String phase, List<ContainerState> containers, String address) {
        boolean ready =
                phase.equals("Running") && containers.stream().allMatch(ContainerState::ready);
        var statuses = ListTree.builder();
        containers.forEach(container -> statuses.add(container.json()));
        var conditions = pod.conditions();
        for (var type : List.of("Initialized", "ContainersReady", "Ready")) {
            boolean holds = type.equals("Initialized") || ready;
            var update = new Condition(type, Condition.Status.of(holds), "", "", 0, Instant.now());
            conditions = Condition.merge(conditions, update);
        }
        var list = ListTree.builder();
        conditions.forEach(condition -> list.add(condition.json()));
        return object(
                "status",
                object(
                        "phase", phase,
                        "conditions", list.build(),
                        "containerStatuses", statuses.build(),
                        "hostIP", address,
                        "podIP", address,
                        "podIPs", list(object("ip", address)),
                        "startTime", startTime(pod)));
    }

    private static String startTime(KubeObject pod) {
        return pod.text("status", "startTime")
                .orElseGet(() -> Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    }
}
