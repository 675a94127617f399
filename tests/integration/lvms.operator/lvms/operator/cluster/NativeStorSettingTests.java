package lvms.operator.cluster;

import static lvms.operator.cluster.Clusters.cluster;
import static lvms.operator.cluster.Site.NAMESPACE;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.Names;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/** NativeStor's ConfigMap, under any of its names, takes effect on the node agents at once. */
class NativeStorSettingTests extends ClusterCase {
    private static final ObjectKey NEWEST = ObjectKey.of(NAMESPACE, "nativestor-setting");
    private static final ObjectKey OLDEST = ObjectKey.of(NAMESPACE, "tooplvm-operator-setting");

    private void setting(ObjectKey key, String data) throws Exception {
        site.createObject(Types.CONFIG_MAP, key, "{'data':{" + data + "}}");
    }

    private void awaitCommand(String word, boolean there) throws Exception {
        site.awaitObject(
                Types.DAEMON_SET, AGENT, d -> d.toJson().contains("\"" + word + "\"") == there);
    }

    @Test
    void aChangeReachesTheDaemonSetAndItsEndTakesItBack() throws Exception {
        site.node("n1");
        site.nativeStor(Map.of());
        site.startOperator();
        site.create(cluster(VG1));
        awaitCommand("--kubelet-root=/data/kubelet", false);
        setting(
                NEWEST,
                "'KUBELET_ROOT_DIR':'/data/kubelet/','OPERATOR_LOG_LEVEL':'DEBUG',"
                        + "'CSI_TOPOLVM_PLUGIN_TOLERATIONS':'- {key: k, operator: Exists}'");
        awaitCommand("--kubelet-root=/data/kubelet", true);
        var pod = site.kube.get(Types.DAEMON_SET, AGENT).toJson();
        assertTrue(pod.contains("{\"key\":\"k\",\"operator\":\"Exists\"}"), pod);
        site.awaitObject(
                LvmVolumeGroupNodeStatus.TYPE,
                ObjectKey.of(NAMESPACE, "n1"),
                status ->
                        status.annotation(Names.LOG_LEVEL_ANNOTATION)
                                .filter("debug"::equals)
                                .isPresent());
        var debug = Map.of(Names.LOG_LEVEL_ANNOTATION, "debug");
        Site.await("the operator logs more", () -> site.logWishes().equals(debug));
        site.delete(Types.CONFIG_MAP, NEWEST);
        awaitCommand("--kubelet-root=/data/kubelet", false);
        Site.await("the operator logs as before", () -> site.logWishes().isEmpty());
    }

    @Test
    void theFirstNameThatIsThereCounts() throws Exception {
        site.node("n1");
        site.nativeStor(Map.of("KUBELET_ROOT_DIR", "/environment"));
        setting(OLDEST, "'KUBELET_ROOT_DIR':'/oldest'");
        site.startOperator();
        site.create(cluster(VG1));
        awaitCommand("--kubelet-root=/oldest", true);
        setting(NEWEST, "'KUBELET_ROOT_DIR':'/newest'");
        awaitCommand("--kubelet-root=/newest", true);
        site.delete(Types.CONFIG_MAP, NEWEST);
        awaitCommand("--kubelet-root=/oldest", true);
        site.delete(Types.CONFIG_MAP, OLDEST);
        awaitCommand("--kubelet-root=/environment", true);
    }

    @Test
    void whatIsBrokenOrUselessIsSaidOnTheConfigMap() throws Exception {
        site.nativeStor(Map.of());
        setting(NEWEST, "'KUBELET_ROOT_DIR':'kubelet','TOPOLVM_IMAGE':'i'");
        site.startOperator();
        site.create(cluster(VG1));
        var broken = site.awaitEvent(NEWEST.name(), "SettingBroken");
        assertEquals(
                "ConfigMap nativestor-setting, KUBELET_ROOT_DIR: \"kubelet\" is not the absolute"
                        + " path of a folder; the default is in force: the folder of"
                        + " --kubelet-root",
                broken.text("note").orElseThrow());
        var useless = site.awaitEvent(NEWEST.name(), "SettingWithoutEffect");
        assertTrue(useless.text("note").orElseThrow().startsWith("TOPOLVM_IMAGE ("));
        awaitCommand("--kubelet-root=kubelet", false);
    }

    /** A second Event with the same note would make a series of the first. */
    @Test
    void aChangeOfAnotherKeySaysNothingAgain() throws Exception {
        site.node("n1");
        site.nativeStor(Map.of());
        setting(NEWEST, "'KUBELET_ROOT_DIR':'kubelet','TOPOLVM_IMAGE':'i'");
        site.startOperator();
        site.create(cluster(VG1));
        site.awaitEvent(NEWEST.name(), "SettingBroken");
        site.awaitEvent(NEWEST.name(), "SettingWithoutEffect");
        change("'DISCOVER_DEVICE_TOLERATIONS':'- {key: k, operator: Exists}'");
        site.awaitObject(Types.DAEMON_SET, AGENT, d -> d.toJson().contains("{\"key\":\"k\","));
        change("'RAW_DEVICE_IMAGE':'i'");
        Site.await("the second key is said, too", () -> events("RAW_DEVICE_IMAGE").size() == 1);
        var first = events("KUBELET_ROOT_DIR");
        assertEquals(1, first.size());
        assertTrue(first.getFirst().object("series").isEmpty(), first::toString);
        assertEquals(2, events("TOPOLVM_IMAGE").size()); // alone, and with the second key
        for (var event : events("TOPOLVM_IMAGE")) {
            assertTrue(event.object("series").isEmpty(), event::toString);
        }
    }

    private void change(String data) throws Exception {
        site.kube.mergePatch(Types.CONFIG_MAP, NEWEST, Clusters.tree("{'data':{" + data + "}}"));
    }

    private List<KubeObject> events(String word) throws Exception {
        return site.kube.list(Types.EVENT, ListOptions.all()).items().stream()
                .filter(event -> event.text("note").orElse("").contains(word))
                .toList();
    }

    @Test
    void withoutTheFlagNobodyLooksForIt() throws Exception {
        setting(NEWEST, "'KUBELET_ROOT_DIR':'/data/kubelet'");
        ready(VG1);
        awaitCommand("--kubelet-root=/data/kubelet", false);
        assertFalse(
                site.server.faults().requests().stream()
                        .anyMatch(
                                r ->
                                        isOperators(r)
                                                && r.target().contains(NAMESPACE + "/configmaps")),
                "no ConfigMap is read");
    }

    private static boolean isOperators(lvms.k8s.testkit.Faults.Seen request) {
        return request.headers().getOrDefault("user-agent", "").equals(Names.OPERATOR);
    }
}
