package lvms.operator.nativestor;

import lvms.api.LvmCluster;
import lvms.api.Names;
import lvms.api.NodeTerms.Requirement;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.Toleration;
import lvms.k8s.tree.Tree;
import lvms.operator.agent.AgentSettings;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What NativeStor's settings ask for.
 *
 * @param source name of the ConfigMap; empty if there is none
 * @param topolvm whether the old driver is to be there with a TopolvmCluster; it was not switched
 *     off
 * @param rawDevice whether raw devices are to be served
 * @param kubeletRoot kubelet's folder on the nodes; absent leaves it as it is
 * @param logLevel our word for the level of the log; absent leaves it as it is
 * @param tolerations further tolerations of the node agents
 * @param affinities alternatives of which a node has to meet one to get an agent; empty for none
 * @param requests what a node agent asks the scheduler for; empty leaves it as it is
 * @param problems values that are broken, each in a sentence that says what is in force instead
 * @param unused keys that have no effect here, each with the reason
 */
public record NativeStorSettings(
        String source,
        boolean topolvm,
        boolean rawDevice,
        Optional<String> kubeletRoot,
        Optional<String> logLevel,
        List<Toleration> tolerations,
        List<List<Requirement>> affinities,
        Map<String, Quantity> requests,
        List<String> problems,
        List<String> unused) {
    public NativeStorSettings {
        tolerations = List.copyOf(tolerations);
        affinities = List.copyOf(affinities);
        requests = Map.copyOf(requests);
        problems = List.copyOf(problems);
        unused = List.copyOf(unused);
    }

    public static NativeStorSettings of(SettingSource source) {
        return new SettingReader(source).read();
    }

    /** Returns how the node agents are run. */
    public AgentSettings agents(AgentSettings usual) {
        var paths = kubeletRoot.map(usual.paths()::kubelet).orElse(usual.paths());
        return usual.paths(paths)
                .nodes(usual.nodes().meeting(affinities))
                .requests(requests.isEmpty() ? usual.requests() : texts(usual));
    }

    private Map<String, String> texts(AgentSettings usual) {
        var texts = new LinkedHashMap<>(usual.requests());
        requests.forEach((name, amount) -> texts.put(name, amount.toString()));
        return texts;
    }

    /** Returns the cluster with what is asked for besides; what it says itself wins. */
    public LvmCluster cluster(LvmCluster cluster) {
        var all =
                Stream.concat(cluster.tolerations().stream(), tolerations.stream())
                        .distinct()
                        .toList();
        var object = cluster.object();
        var logging =
                logLevel.filter(_ -> object.annotation(Names.LOG_LEVEL_ANNOTATION).isEmpty())
                        .map(
                                level ->
                                        object.with(
                                                Tree.of(level),
                                                "metadata",
                                                "annotations",
                                                Names.LOG_LEVEL_ANNOTATION))
                        .orElse(object);
        return new LvmCluster(logging, all, cluster.deviceClasses(), cluster.status());
    }
}
