package lvms.operator.nativestor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Names;
import lvms.api.NodeTerms.Requirement;
import lvms.k8s.object.Toleration;
import lvms.operator.agent.AgentSettings;
import lvms.operator.agent.HostPaths;
import lvms.operator.cluster.Clusters;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** NativeStor's settings are read as it read them; what is broken costs nothing but itself. */
class NativeStorSettingsTests {
    private static final String RESOURCES =
            """
            - name: lvmd
              resource:
                requests: {cpu: 50m, memory: 128Mi}
                limits: {cpu: 100m, memory: 256Mi}
            - name: csi-topolvm-plugin
              resource:
                requests:
                  cpu: 250m
                  memory: 128Mi
            """;

    private static NativeStorSettings settings(Map<String, String> data) {
        return NativeStorSettings.of(new SettingSource("nativestor-setting", data, Map.of()));
    }

    private static NativeStorSettings settings(String key, String value) {
        return settings(Map.of(key, value));
    }

    @Test
    void withoutAConfigMapNothingIsAskedFor() {
        var none = NativeStorSettings.of(new SettingSource("", Map.of(), Map.of()));
        assertTrue(none.topolvm(), "nothing is switched off because nobody says anything");
        assertFalse(none.rawDevice());
        assertEquals(List.of(), none.problems());
        assertEquals(List.of(), none.unused());
        assertEquals(AgentSettings.DEFAULT, none.agents(AgentSettings.DEFAULT));
        var cluster = Clusters.cluster("{'name':'vg1'}");
        assertEquals(cluster, none.cluster(cluster));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "t", "T", "true", "TRUE", "True", " true ", "true\n"})
    void aFlagIsTrueAsGoReadsIt(String text) {
        assertTrue(settings("TOPOLVM_ENABLE", text).topolvm());
        assertTrue(settings("RAW_DEVICE_ENABLE", text).rawDevice());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "f", "F", "false", "FALSE", "False"})
    void aFlagIsFalseAsGoReadsIt(String text) {
        var settings = settings("RAW_DEVICE_ENABLE", text);
        assertFalse(settings.rawDevice());
        assertEquals(List.of(), settings.problems());
        assertFalse(settings("TOPOLVM_ENABLE", text).topolvm());
    }

    @Test
    void aBrokenFlagIsNamedAndTheDefaultStays() {
        var settings = settings("TOPOLVM_ENABLE", "no");
        assertTrue(settings.topolvm());
        assertEquals(
                List.of(
                        "ConfigMap nativestor-setting, TOPOLVM_ENABLE: \"no\" is neither true nor"
                                + " false; the default is in force: true"),
                settings.problems());
    }

    @Test
    void theConfigMapWinsOverTheEnvironmentEvenWithAnEmptyText() {
        var environment = Map.of("TOPOLVM_ENABLE", "true", "KUBELET_ROOT_DIR", "/env", "HOME", "/");
        var data = Map.of("KUBELET_ROOT_DIR", "/map", "CSI_TOPOLVM_PLUGIN_TOLERATIONS", "");
        var settings =
                NativeStorSettings.of(
                        new SettingSource("topolvm-operator-setting", data, environment));
        assertTrue(settings.topolvm());
        assertEquals(Optional.of("/map"), settings.kubeletRoot());
        assertFalse(settings.unused().toString().contains("HOME"), "no setting");
        var fallback = Map.of("CSI_PLUGIN_TOLERATIONS", "[{key: a, operator: Exists}]");
        assertEquals(
                List.of(),
                NativeStorSettings.of(new SettingSource("m", data, fallback)).tolerations());
    }

    @Test
    void aBrokenVariableIsFoundWhereItIs() {
        var settings =
                NativeStorSettings.of(
                        new SettingSource("", Map.of(), Map.of("KUBELET_ROOT_DIR", "kubelet")));
        assertEquals(
                List.of(
                        "environment variable KUBELET_ROOT_DIR: \"kubelet\" is not the absolute"
                                + " path of a folder; the default is in force: the folder"
                                + " of --kubelet-root"),
                settings.problems());
    }

    @Test
    void kubeletsFolderReachesTheAgentsWithoutItsSlash() {
        var agents = settings("KUBELET_ROOT_DIR", "/data/kubelet/").agents(AgentSettings.DEFAULT);
        assertEquals(HostPaths.DEFAULT.kubelet("/data/kubelet"), agents.paths());
    }

    @Test
    void tolerationsAreAYamlListThatIsCompleted() {
        var text =
                """
                - operator: Equal
                  effect: NoSchedule
                - key: a
                  operator: Exists
                  value: dropped
                - key: b
                  value: kept
                  effect: NoExecute
                """;
        assertEquals(
                List.of(
                        Toleration.exists("", "NoSchedule"),
                        Toleration.exists("a", ""),
                        new Toleration("b", "", "kept", "NoExecute", Optional.empty())),
                settings("CSI_TOPOLVM_PLUGIN_TOLERATIONS", text).tolerations());
    }

    /** One DaemonSet does the work of three: it goes wherever one of them would have gone. */
    @Test
    void tolerationsOfAllRolesComeTogether() {
        var data =
                Map.of(
                        "CSI_PLUGIN_TOLERATIONS", "[{key: a, operator: Exists}]",
                        "CSI_RAW_DEVICE_PLUGIN_TOLERATIONS", "[{key: b, operator: Exists}]",
                        "DISCOVER_DEVICE_TOLERATIONS", "[{key: c, operator: Exists}]");
        assertEquals(List.of("a", "c"), keys(settings(data)));
        var raw = new java.util.HashMap<>(data);
        raw.put("RAW_DEVICE_ENABLE", "true");
        assertEquals(List.of("a", "b", "c"), keys(settings(raw)));
    }

    private static List<String> keys(NativeStorSettings settings) {
        return settings.tolerations().stream().map(Toleration::key).toList();
    }

    @Test
    void aClusterKeepsItsTolerationsAndGetsTheOthers() {
        var own = "{'key':'own','operator':'Exists'}";
        var cluster = Clusters.cluster(List.of(own), "{'name':'vg1'}");
        var served = settings("CSI_PLUGIN_TOLERATIONS", "[" + own + "]").cluster(cluster);
        assertEquals(cluster.tolerations(), served.tolerations());
        var more = settings("CSI_PLUGIN_TOLERATIONS", "[{key: a, operator: Exists}]");
        assertEquals(
                List.of(Toleration.exists("own", ""), Toleration.exists("a", "")),
                more.cluster(cluster).tolerations());
    }

    @Test
    void affinityIsTrimmed() {
        var settings = settings("CSI_TOPOLVM_PLUGIN_NODE_AFFINITY", " role = a, b ;storage; ");
        assertEquals(
                List.of(
                        List.of(
                                new Requirement("role", "In", List.of("a", "b")),
                                new Requirement("storage", "Exists", List.of()))),
                settings.affinities());
    }

    @Test
    void anAgentGoesWhereOneOfItsRolesGoes() {
        var topolvm = Map.of("CSI_TOPOLVM_PLUGIN_NODE_AFFINITY", "a=1");
        var discover = Map.of("DISCOVER_DEVICE_NODE_AFFINITY", "d");
        assertEquals(List.of(), settings(discover).affinities(), "volumes go everywhere");
        assertEquals(1, settings(topolvm).affinities().size());
        var both = new java.util.HashMap<>(topolvm);
        both.putAll(discover);
        assertEquals(2, settings(both).affinities().size());
        both.put("RAW_DEVICE_ENABLE", "true");
        assertEquals(List.of(), settings(both).affinities(), "raw devices go everywhere");
    }

    @Test
    void nodesThatMeetNoAlternativeGetNoAgent() {
        var nodes =
                settings("CSI_PLUGIN_NODE_AFFINITY", "role=a,b; ssd")
                        .agents(AgentSettings.DEFAULT)
                        .nodes();
        var with = Clusters.object("{'metadata':{'name':'n1','labels':{'role':'b','ssd':''}}}");
        var without = Clusters.object("{'metadata':{'name':'n2','labels':{'role':'b'}}}");
        assertEquals(List.of(with), nodes.among(List.of(with, without)));
        assertTrue(nodes.terms(Optional.empty()).matches(withSystem(with)));
        assertFalse(nodes.terms(Optional.empty()).matches(withSystem(without)));
    }

    private static lvms.k8s.object.KubeObject withSystem(lvms.k8s.object.KubeObject node) {
        var machine = System.getProperty("os.arch");
        return node.with(
                machine.equals("aarch64") ? "arm64" : machine,
                "metadata",
                "labels",
                "kubernetes.io/arch");
    }

    @Test
    void requestsOfTheContainersAreSummedAndLimitsAreSaidToHaveNoEffect() {
        var settings =
                settings(
                        Map.of(
                                "CSI_TOPOLVM_PLUGIN_RESOURCE",
                                RESOURCES,
                                "DISCOVER_DEVICE_RESOURCE",
                                "[{name: discover, resource: {requests: {cpu: 1}}}]"));
        assertEquals(List.of(), settings.problems());
        assertEquals(
                Map.of("cpu", "1300m", "memory", "256Mi"),
                settings.agents(AgentSettings.DEFAULT).requests());
        assertEquals(1, settings.unused().size());
        assertTrue(
                settings.unused().getFirst().startsWith("limits in CSI_TOPOLVM_PLUGIN_RESOURCE"));
    }

    @ParameterizedTest
    @CsvSource({
        "CRITICAL, error",
        "ERROR, error",
        "WARNING, warning",
        "NOTICE, info",
        "INFO, info",
        "DEBUG, debug",
        "TRACE, trace"
    })
    void theLevelOfTheLogReachesOperatorAndAgents(String theirs, String ours) {
        var settings = settings("OPERATOR_LOG_LEVEL", theirs);
        assertEquals(Optional.of(ours), settings.logLevel());
        var cluster = settings.cluster(Clusters.cluster("{'name':'vg1'}"));
        assertEquals(Optional.of(ours), cluster.object().annotation(Names.LOG_LEVEL_ANNOTATION));
    }

    @Test
    void whatAClusterSaysOfItsLogWins() {
        var cluster = Clusters.cluster("{'name':'vg1'}");
        var own =
                lvms.api.LvmCluster.of(
                        cluster.object()
                                .with(
                                        "trace",
                                        "metadata",
                                        "annotations",
                                        Names.LOG_LEVEL_ANNOTATION));
        assertEquals(own, settings("OPERATOR_LOG_LEVEL", "ERROR").cluster(own));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CSI_TOPOLVM_PLUGIN_TOLERATIONS | a: b | expected a YAML list",
                "CSI_TOPOLVM_PLUGIN_TOLERATIONS | [a] | expected mappings in the list",
                "CSI_PLUGIN_TOLERATIONS | [{key: a, operator: In}] | \"In\" is no operator",
                "CSI_PLUGIN_TOLERATIONS | [{key: a, effect: Never}] | \"Never\" is no effect",
                "CSI_PLUGIN_TOLERATIONS | [{key: a b}] | \"a b\" cannot be the key of a taint",
                "CSI_PLUGIN_TOLERATIONS | [{key: a, value: b c}] | \"b c\" cannot be the value",
                "CSI_PLUGIN_TOLERATIONS | [{key: a, tolerationSeconds: 3}] | NoExecute alone",
                "DISCOVER_DEVICE_RESOURCE | [{name: a, resource: {requests: {cpus: 1}}}] | \"cpus\""
                        + " is no resource",
                "DISCOVER_DEVICE_RESOURCE | [{name: a, resource: {limits: {cpu: -1}}}] | \"-1\" is"
                        + " less than nothing",
                "CSI_PLUGIN_NODE_AFFINITY | a b=c | \"a b\" cannot be the key of a label",
                "CSI_PLUGIN_NODE_AFFINITY | a=b c | \"b c\" cannot be the value of a label",
                "DISCOVER_DEVICE_RESOURCE | [{resource: {}}] | a container has no name",
                "DISCOVER_DEVICE_RESOURCE | [{name: a, resource: {requests: {cpu: x}}}] | x",
                "OPERATOR_LOG_LEVEL | verbose | \"verbose\" is none of CRITICAL"
            })
    void aBrokenValueIsOneProblemAndNothingElseChanges(String key, String value, String text) {
        var settings = settings(Map.of(key, value, "TOPOLVM_ENABLE", "true"));
        assertTrue(settings.topolvm());
        assertEquals(1, settings.problems().size(), settings.problems()::toString);
        var problem = settings.problems().getFirst();
        assertTrue(problem.startsWith("ConfigMap nativestor-setting, " + key + ": "), problem);
        assertTrue(problem.contains(text), problem);
        assertTrue(problem.contains("; the default is in force: "), problem);
        assertEquals(AgentSettings.DEFAULT, settings.agents(AgentSettings.DEFAULT));
    }

    @Test
    void keysWithoutEffectAndUnknownOnesAreListedWithTheReason() {
        var settings = settings(Map.of("TOPOLVM_IMAGE", "i", "CSI_LOG_LEVEL", "3", "MY_KEY", ""));
        assertEquals(
                List.of(
                        "TOPOLVM_IMAGE (operator and node agents have one image, that of the"
                                + " Deployment)",
                        "CSI_LOG_LEVEL (there are no sidecars)",
                        "MY_KEY (no key of NativeStor)"),
                settings.unused());
        assertEquals(List.of(), settings.problems());
    }
}
