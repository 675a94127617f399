package lvms.operator.takeover.pool;

import lvms.api.LvmVolumeGroup;
import lvms.api.Names;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.exec.ExecException;
import lvms.k8s.exec.PodExec;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What becomes of the thin pools that LVMS made. Its agents are asked how full they are, since no
 * object says so.
 *
 * @param kube with the caller's rights
 * @param namespace where the agents are
 */
public record LvmsPools(KubeClient kube, String namespace) {
    private static final Duration DEADLINE = Duration.ofSeconds(30);
    private static final int MAX_BYTES = 1 << 20;

    /**
     * Returns one line for each pool of these groups on each node; a node that does not answer is
     * one.
     */
    public List<String> notes(List<KubeObject> groups) throws ApiException, InterruptedException {
        var thresholds = new TreeMap<String, Integer>();
        for (var group : groups) {
            LvmVolumeGroup.of(group)
                    .spec()
                    .group()
                    .thinPool()
                    .ifPresent(pool -> thresholds.put(group.name(), pool.thresholdPercent()));
        }
        var notes = new ArrayList<String>();
        if (!thresholds.isEmpty()) {
            var agents =
                    ListOptions.all()
                            .namespace(namespace)
                            .labels("app.kubernetes.io/name=" + Names.VG_MANAGER);
            for (var agent : kube.list(Types.POD, agents).items()) {
                notes.addAll(levels(agent, thresholds));
            }
        }
        return notes;
    }

    private List<String> levels(KubeObject agent, Map<String, Integer> thresholds)
            throws InterruptedException {
        var node = agent.text("spec", "nodeName").orElse("");
        try {
            var ended =
                    new PodExec(kube, DEADLINE, MAX_BYTES)
                            .run(agent.key(), Names.VG_MANAGER, PoolLevel.COMMAND);
            if (ended.exitCode() != 0) {
                return List.of(unknown(node, ended.stderrText().strip()));
            }
            return PoolLevel.read(ended.stdoutText())
                    .filter(level -> thresholds.containsKey(level.group()))
                    .map(level -> level.text(node, thresholds.get(level.group())))
                    .toList();
        } catch (ApiException | ExecException e) {
            return List.of(unknown(node, e.getMessage()));
        }
    }

    private static String unknown(String node, String why) {
        return "how full the thin pools of node " + node + " are is unknown: " + why;
    }
}
