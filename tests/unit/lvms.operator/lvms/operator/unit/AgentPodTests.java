package lvms.operator.unit;

import static lvms.operator.cluster.Clusters.cluster;
import static lvms.operator.cluster.Clusters.object;
import static lvms.operator.cluster.Clusters.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.NodeSelector;
import lvms.k8s.tree.ObjectTree;
import lvms.operator.agent.AgentFeatures;
import lvms.operator.agent.AgentNodes;
import lvms.operator.agent.AgentSettings;
import lvms.operator.agent.HostPaths;
import lvms.operator.agent.OperatorImage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the pods of the node agents get besides what every node needs. */
class AgentPodTests {
    private static final String THICK = "{'name':'a'}";
    private static final String ON_NODE =
            "{'name':'%s','nodeSelector':{'nodeSelectorTerms':[{'matchExpressions':"
                    + "[{'key':'kubernetes.io/hostname','operator':'In','values':['%s']}]}]}}";

    private static ObjectTree pod(AgentSettings settings, String... classes) {
        var image = new OperatorImage("registry.example/lvms:1", List.of("pull"));
        var daemonSet = AgentDaemonSet.desired(cluster(classes), image, settings, "/var/lib/lvms");
        return daemonSet.object("spec", "template", "spec").orElseThrow();
    }

    private static NodeSelector affinity(ObjectTree pod) {
        return NodeSelector.of(
                pod.object(
                                "affinity",
                                "nodeAffinity",
                                "requiredDuringSchedulingIgnoredDuringExecution")
                        .orElseThrow());
    }

    private static KubeObject node(String name, String os, String architecture) {
        return node(name)
                .with(os, "metadata", "labels", "kubernetes.io/os")
                .with(architecture, "metadata", "labels", "kubernetes.io/arch");
    }

    private static KubeObject node(String name) {
        return lvms.operator.cluster.Clusters.node(name);
    }

    private static final String OURS =
            System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";

    /** An image for one architecture says "exec format error" on the nodes of another one. */
    @ParameterizedTest(name = "{0}/{1}: {2}")
    @CsvSource({
        "linux, ours, true",
        "linux, another, false",
        "linux, s390x, false",
        "windows, ours, false"
    })
    void agentsRunWhereTheImageDoes(String os, String architecture, boolean expected) {
        var another = OURS.equals("amd64") ? "arm64" : "amd64";
        var label = architecture.replace("ours", OURS).replace("another", another);
        var node = node("n1", os, label);
        assertEquals(expected, !AgentNodes.DEFAULT.among(List.of(node)).isEmpty());
        var pod = pod(AgentSettings.DEFAULT, THICK);
        boolean selected =
                node.labels().entrySet().containsAll(pod.textMap("nodeSelector").entrySet());
        assertEquals(expected, selected && affinity(pod).matches(node));
    }

    @Test
    void anImageForSeveralArchitecturesRunsOnEachOfThem() {
        var nodes = AgentNodes.DEFAULT.on(List.of("amd64", "arm64"));
        var pod = pod(AgentSettings.DEFAULT.nodes(nodes), THICK);
        for (var architecture : List.of("amd64", "arm64")) {
            var node = node("n1", "linux", architecture);
            assertEquals(List.of(node), nodes.among(List.of(node)));
            assertTrue(affinity(pod).matches(node));
        }
        assertFalse(affinity(pod).matches(node("n1", "linux", "s390x")));
    }

    @Test
    void aClassesNodesAreThoseOfTheImageToo() {
        var pod =
                pod(
                        AgentSettings.DEFAULT,
                        ON_NODE.formatted("a", "n1"),
                        ON_NODE.formatted("b", "n2"));
        var affinity = affinity(pod);
        assertTrue(affinity.matches(node("n1", "linux", OURS)));
        assertTrue(affinity.matches(node("n2", "linux", OURS)));
        assertFalse(affinity.matches(node("n2", "linux", "s390x")));
        assertFalse(affinity.matches(node("n3", "linux", OURS)));
    }

    @Test
    void aClassForAllNodesClearsTheSelector() {
        var affinity = affinity(pod(AgentSettings.DEFAULT, ON_NODE.formatted("a", "n1"), THICK));
        assertTrue(affinity.matches(node("n3", "linux", OURS)));
    }

    @Test
    void aTermThatMatchesNothingStaysLikeThat() {
        var nothing = "{'name':'a','nodeSelector':{'nodeSelectorTerms':[{}]}}";
        assertFalse(
                affinity(pod(AgentSettings.DEFAULT, nothing)).matches(node("n1", "linux", OURS)));
    }

    @Test
    void whoInstallsMayRestrictTheNodes() {
        var nodes = new AgentNodes(Map.of("storage", "local"));
        var pod = pod(AgentSettings.DEFAULT.nodes(nodes), THICK);
        assertEquals(
                Map.of("storage", "local", "kubernetes.io/os", "linux"),
                pod.textMap("nodeSelector"));
        var chosen = node("n1").with("local", "metadata", "labels", "storage");
        assertEquals(List.of(chosen), nodes.among(List.of(chosen, node("n2"))));
    }

    /** Its volumes are unmounted by the agent, after their pods have gone. */
    @Test
    void noTaintDrivesAnAgentAway() {
        var toleration =
                "{'key':'k','operator':'Equal','value':'v','effect':'NoExecute',"
                        + "'tolerationSeconds':60}";
        var image = new OperatorImage("i", List.of());
        var pod =
                AgentDaemonSet.desired(
                        cluster(List.of(toleration), THICK),
                        image,
                        AgentSettings.DEFAULT,
                        "/var/lib/lvms");
        assertEquals(
                List.of(
                        tree("{'operator':'Exists','effect':'NoExecute'}"),
                        tree("{'key':'lvms.topolvm.io/agent-not-ready','operator':'Exists'}"),
                        tree(toleration)),
                pod.objects("spec", "template", "spec", "tolerations"));
    }

    @Test
    void whatNativestorsUsersWantReachesTheAgent() {
        var features = new AgentFeatures(true, true, true, "sd,nbd", false);
        var container =
                pod(AgentSettings.DEFAULT.features(features), THICK)
                        .objects("containers")
                        .getFirst();
        assertTrue(
                container
                        .texts("command")
                        .containsAll(
                                List.of(
                                        "--discover-devices",
                                        "--raw-devices",
                                        "--discover-loops")));
        assertEquals(
                tree("{'name':'DISCOVER_DAEMON_UDEV_BLACKLIST','value':'sd,nbd'}"),
                container.objects("env").getLast());
        var usual = pod(AgentSettings.DEFAULT, THICK).objects("containers").getFirst();
        assertFalse(usual.texts("command").contains("--discover-devices"));
        assertEquals(container.objects("env").size() - 1, usual.objects("env").size());
    }

    /** Agents ask for the old driver when they start, so its CSIDriver has to start them anew. */
    @Test
    void agentsStartAnewWhenTheOldDriverAppears() {
        var image = new OperatorImage("registry.example/lvms:1", List.of());
        var usual = AgentSettings.DEFAULT;
        var old = usual.features(usual.features().and(false, false, true));
        String[] mark = {"spec", "template", "metadata", "annotations", "topolvm.io/old-driver"};
        var without = AgentDaemonSet.desired(cluster(THICK), image, usual, "/var/lib/lvms");
        var with = AgentDaemonSet.desired(cluster(THICK), image, old, "/var/lib/lvms");
        assertEquals(Optional.empty(), without.text(mark));
        assertEquals(Optional.of("topolvm.cybozu.com"), with.text(mark));
    }

    @Test
    void theConfigMapOfPeoplesClassesIsMountedWhereTheAgentLooks() {
        var pod = pod(AgentSettings.DEFAULT.userClasses("made"), THICK);
        assertEquals(
                tree(
                        "{'name':'user-device-classes','configMap':{'name':'made',"
                                + "'optional':true}}"),
                pod.objects("volumes").getLast());
        var container = pod.objects("containers").getFirst();
        assertEquals(
                tree(
                        "{'name':'user-device-classes','readOnly':true,"
                                + "'mountPath':'/etc/lvms/user-device-classes'}"),
                container.objects("volumeMounts").getLast());
        assertEquals(
                "--user-device-classes=/etc/lvms/user-device-classes",
                container.texts("command").getLast());
        assertFalse(pod(AgentSettings.DEFAULT, THICK).toString().contains("user-device"));
    }

    @Test
    void theImageIsPulledWithTheOperatorsSecrets() {
        assertEquals(
                List.of(tree("{'name':'pull'}")),
                pod(AgentSettings.DEFAULT, THICK).objects("imagePullSecrets"));
    }

    @Test
    void theSecretOfTheOperatorsOwnAccountIsNotPassedOn() {
        var pod =
                object(
                        "{'metadata':{'name':'p','namespace':'n'},'spec':{"
                                + "'serviceAccountName':'lvms-operator','containers':["
                                + "{'name':'proxy','image':'x'},{'name':'manager','image':'i'}],"
                                + "'imagePullSecrets':[{'name':'pull'},"
                                + "{'name':'lvms-operator-dockercfg-x7'}]}}");
        assertEquals(new OperatorImage("i", List.of("pull")), OperatorImage.of(pod));
    }

    @Test
    void aPodWithoutTheOperatorsContainerIsRefused() {
        var pod =
                object(
                        "{'metadata':{'name':'p','namespace':'n'},"
                                + "'spec':{'containers':[{'name':'other','image':'i'}]}}");
        var failure = assertThrows(IllegalStateException.class, () -> OperatorImage.of(pod));
        assertEquals(
                "pod n/p has no container manager to take the image from", failure.getMessage());
    }

    private static Optional<ObjectTree> volume(ObjectTree pod, String name) {
        return pod.objects("volumes").stream()
                .filter(volume -> volume.text("name").equals(Optional.of(name)))
                .findFirst();
    }

    /** A host may have no folder that can be made in /etc, and no kernel modules. */
    @Test
    void theAgentFindsItsFilesWhereverTheHostHasThem() {
        var pod = pod(AgentSettings.DEFAULT.paths(HostPaths.DEFAULT), THICK);
        assertEquals(
                Optional.of("/var/lib/lvms"),
                volume(pod, "lvmd-config").orElseThrow().text("hostPath", "path"));
        var mounts = pod.objects("containers").getFirst().objects("volumeMounts");
        assertTrue(
                mounts.stream()
                        .anyMatch(m -> m.text("mountPath").equals(Optional.of("/etc/topolvm"))));
        assertEquals(Optional.empty(), volume(pod, "kernel-modules"));
        assertEquals(Optional.of("-d /proc/1/root"), variable(pod, "MODPROBE_OPTIONS"));
        var elsewhere = HostPaths.DEFAULT.modules("/usr/lib/modules/");
        assertEquals(
                Optional.of("/usr/lib/modules"),
                volume(pod(AgentSettings.DEFAULT.paths(elsewhere), THICK), "kernel-modules")
                        .orElseThrow()
                        .text("hostPath", "path"));
        assertEquals(
                Optional.empty(),
                variable(pod(AgentSettings.DEFAULT.paths(elsewhere), THICK), "MODPROBE_OPTIONS"));
    }

    private static Optional<String> variable(ObjectTree pod, String name) {
        return pod.objects("containers").getFirst().objects("env").stream()
                .filter(variable -> variable.text("name").equals(Optional.of(name)))
                .flatMap(variable -> variable.text("value").stream())
                .findFirst();
    }

    @ParameterizedTest
    @CsvSource({
        "OPENSHIFT, /etc/topolvm",
        "MICROSHIFT, /var/lib/microshift/lvms",
        "OTHER, /var/lib/lvms"
    })
    void eachKindOfClusterHasItsFolder(ClusterType type, String folder) {
        assertEquals(folder, type.configFolder());
    }

    @ParameterizedTest
    @ValueSource(strings = {"relative", "/", ""})
    void aFolderOfKubeletIsAbsolute(String path) {
        assertThrows(IllegalArgumentException.class, () -> HostPaths.DEFAULT.kubelet(path));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "0%", "101%", "-1", "some", ""})
    void anUpdateStopsSomeAgentsAtOnce(String count) {
        assertThrows(
                IllegalArgumentException.class, () -> AgentSettings.DEFAULT.maxUnavailable(count));
    }

    @ParameterizedTest
    @CsvSource({"3, 3", "10%, '\"10%\"'"})
    void theUpdateStrategyIsWhatTheInstallerSays(String count, String json) {
        var daemonSet =
                AgentDaemonSet.desired(
                        cluster(THICK),
                        new OperatorImage("i", List.of()),
                        AgentSettings.DEFAULT.maxUnavailable(count).requests(Map.of("cpu", "1")),
                        "/var/lib/lvms");
        assertEquals(
                tree("{'type':'RollingUpdate','rollingUpdate':{'maxUnavailable':" + json + "}}"),
                daemonSet.object("spec", "updateStrategy").orElseThrow());
        var container = daemonSet.objects("spec", "template", "spec", "containers").getFirst();
        assertEquals(Map.of("cpu", "1"), container.textMap("resources", "requests"));
        assertTrue(container.object("resources", "limits").isEmpty());
    }
}
