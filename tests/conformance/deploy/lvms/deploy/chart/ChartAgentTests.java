package lvms.deploy.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.object.KubeObject;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** An agent has what users said of topolvm-node and of lvmd, each once. */
class ChartAgentTests extends ChartCase {
    @Test
    void eachKindOfNodesHasOneAgentWithItsFile() throws Exception {
        var objects = rendered("kinds-of-nodes.yaml");
        var first = objects.get("DaemonSet/topolvm-node");
        var second = objects.get("DaemonSet/topolvm-lvmd-1");
        assertEquals(
                Map.of("kubernetes.io/os", "linux", "node.example.com/disks", "nvme"),
                first.textMap("spec", "template", "spec", "nodeSelector"));
        assertEquals(
                Map.of("kubernetes.io/os", "linux", "node.example.com/disks", "hdd"),
                second.textMap("spec", "template", "spec", "nodeSelector"));
        assertEquals("topolvm-lvmd-0", fileOf(first));
        assertEquals("topolvm-lvmd-1", fileOf(second));
        assertTrue(
                objects.get("ConfigMap/topolvm-lvmd-1")
                        .text("data", "lvmd.yaml")
                        .orElseThrow()
                        .contains("volume-group: slow"));
        assertFalse(objects.containsKey("DaemonSet/topolvm-lvmd-0"));
        for (var agent : List.of(first, second)) {
            assertEquals(1, agent.objects("spec", "template", "spec", "containers").size());
        }
    }

    private static String fileOf(KubeObject agent) {
        return agent.objects("spec", "template", "spec", "volumes").stream()
                .flatMap(volume -> volume.text("configMap", "name").stream())
                .collect(Collectors.joining());
    }

    @Test
    void anLvmdOfTheNodeIsAskedOverItsSocket() throws Exception {
        var objects = rendered("lvmd-of-the-node.yaml");
        var agent = objects.get("DaemonSet/topolvm-node");
        var command = command(agent);
        assertTrue(command.contains("--lvmd-socket=/run/topolvm/lvmd.sock"), command.toString());
        assertFalse(command.contains("--embed-lvmd"), command.toString());
        assertFalse(objects.containsKey("ConfigMap/topolvm-lvmd-0"));
    }

    @Test
    void whatUsersSaidOfTheirPodsCountsForOurs() throws Exception {
        var agent = rendered("former-values.yaml").get("DaemonSet/topolvm-node");
        var container = agent.objects("spec", "template", "spec", "containers").getFirst();
        var resources = container.object("resources").orElseThrow();
        assertEquals("100Mi", resources.text("requests", "memory").orElseThrow());
        assertEquals("512Mi", resources.text("limits", "memory").orElseThrow());
        assertTrue(command(agent).contains("--v=2"));
        assertEquals(
                0,
                agent.number("spec", "template", "spec", "securityContext", "runAsUser")
                        .orElseThrow(),
                "the image's user is not root");
        var names = container.objects("env").stream().map(v -> v.text("name").orElseThrow());
        assertEquals(
                List.of(
                        "LVM_SUPPRESS_FD_WARNINGS",
                        "LVM_SYSTEM_DIR",
                        "NODE_NAME",
                        "MODPROBE_OPTIONS"),
                names.toList());
        assertTrue(
                container.objects("volumeMounts").stream()
                        .anyMatch(m -> m.text("mountPath").orElse("").equals("/tmp/lvm/")));
    }

    /** As in TopoLVM's chart, where the pod of lvmd alone has them. */
    @Test
    void whatIsLeftOverOfAnLvmdThatIsNotManagedDoesNotReachTheAgent() throws Exception {
        var left =
                "--set-json=lvmd={\"managed\":false,\"nodeSelector\":{\"a\":\"b\"},\"args\":[\"--v=2\"],"
                    + "\"env\":[{\"name\":\"E\",\"value\":\"e\"}],\"affinity\":{"
                    + "\"nodeAffinity\":{}},"
                    + "\"podLabels\":{\"a\":\"b\"},\"volumes\":[{\"name\":\"v\",\"emptyDir\":{}}],"
                    + "\"additionalConfigs\":[{\"deviceClasses\":[{\"name\":\"hdd\","
                    + "\"volume-group\":\"g\"}]}]}";
        for (var embedded : List.of("true", "false")) {
            var kind = "node.lvmdEmbedded=" + embedded;
            assertEquals(
                    helm.template("--set=lvmd.managed=false," + kind),
                    helm.template(left, "--set=" + kind));
        }
    }

    @Test
    void anArgumentOfLvmdIsLeftOutWithItsValue() throws Exception {
        var args = "--set=lvmd.args={--config,X,--v=2,--metrics-bind-address,:1,--container,--k}";
        var command = command(Helm.objects(helm.template(args)).get("DaemonSet/topolvm-node"));
        assertEquals(List.of("--v=2", "--k"), command.subList(command.size() - 2, command.size()));
        assertFalse(command.contains("X"), command.toString());
        assertFalse(command.contains(":1"), command.toString());
    }

    @Test
    void theSameContainerOfNodeAndLvmdIsThereOnce() throws Exception {
        var agent =
                Helm.objects(
                                helm.template(
                                        "--set=node.initContainers[0].name=a,"
                                                + "lvmd.initContainers[0].name=a,"
                                                + "lvmd.initContainers[1].name=b"))
                        .get("DaemonSet/topolvm-node");
        assertEquals(
                List.of("a", "b"),
                agent.objects("spec", "template", "spec", "initContainers").stream()
                        .map(container -> container.text("name").orElseThrow())
                        .toList());
    }

    /** Helm and a rolling update wait until kubelet knows the driver. */
    @Test
    void anAgentIsReadyWhenItServes() throws Exception {
        var agent = Helm.objects(helm.template()).get("DaemonSet/topolvm-node");
        var container = agent.objects("spec", "template", "spec", "containers").getFirst();
        assertEquals("/readyz", container.text("readinessProbe", "httpGet", "path").orElseThrow());
        assertEquals("healthz", container.text("readinessProbe", "httpGet", "port").orElseThrow());
    }
}
