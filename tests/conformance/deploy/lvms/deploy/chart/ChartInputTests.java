package lvms.deploy.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

/** Values that TopoLVM's chart takes are taken, and those that cannot be meant are refused. */
class ChartInputTests extends ChartCase {
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "lvmd.manged=true | at '/lvmd': additional properties 'manged' not allowed",
                "lvms.cluster.spec.storage.deviceClasses[0].deviceSelektor.paths[0]=/dev/sdb | at"
                        + " '/lvms/cluster/spec/storage/deviceClasses/0': additional properties"
                        + " 'deviceSelektor' not allowed",
                "lvms.cluster.spec.storage.deviceClasses[0].deviceSelector.path=/dev/sdb | at"
                        + " '/lvms/cluster/spec/storage/deviceClasses/0/deviceSelector': additional"
                        + " properties 'path' not allowed",
                "image.reference=0.41.0 | image.reference: 0.41.0 is of no image without"
                        + " image.repository",
                "lvmd.deviceClasses=null | lvmd.deviceClasses: is empty",
                "webhook.caBundle=QQ==,webhook.certManager=false,webhook.podMutatingWebhook.enabled=true"
                    + " | webhook.caBundle: is the authority of a certificate that you made",
                "node.initContainers[0].name=a,lvmd.initContainers[0].name=a,"
                        + "lvmd.initContainers[0].image=b | initContainers: container a is there"
                        + " twice",
                "node.additionalContainers[0].name=topolvm-node | additionalContainers: container"
                        + " topolvm-node is there twice",
                "mode=nativestr | at '/mode': value must be one of 'topolvm', 'lvms'",
                "lvmd.deviceClasses[0].name=a | at '/lvmd/deviceClasses/0': missing property"
                        + " 'volume-group'",
                "cert-manager.enabled=true | cert-manager.enabled: this chart does not bring"
                        + " cert-manager",
                "image.repository=ghcr.io/topolvm/topolvm-with-sidecar | image.repository:"
                        + " ghcr.io/topolvm/topolvm-with-sidecar has TopoLVM's programs",
                "lvms.userDeviceClasses.default.classes[0]=a | at"
                        + " '/lvms/userDeviceClasses/default': additional properties 'classes' not"
                        + " allowed",
                "node.kubeletWorkDirectory=kubelet | at '/node/kubeletWorkDirectory'",
            })
    void aValueThatCannotBeMeantIsRefusedInOneLine(String value, String line) throws Exception {
        var said = helm.fail(Helm.command("template", "--set=" + value));
        assertEquals(1, said.lines().filter(l -> l.contains(line)).count(), said);
    }

    /** As after --reuse-values, which knows only the sections of the former chart. */
    @Test
    void aSectionThatIsMissingIsThatOfTheChart() throws Exception {
        var sections =
                List.of("image", "scheduler", "lvmd", "node", "controller", "resources", "env");
        var more = List.of("livenessProbe", "webhook", "snapshot", "guard", "lvms", "csiDriver");
        var inner = List.of("lvmd.prometheus", "node.volumeMounts", "controller.leaderElection");
        for (var mode : List.of("topolvm", "lvms")) {
            var whole = helm.template("--set=mode=" + mode);
            for (var all : List.of(sections, more, inner)) {
                var none = String.join("=null,", all) + "=null";
                assertEquals(whole, helm.template("--set=mode=" + mode, "--set=" + none), none);
            }
        }
    }

    /** TopoLVM's chart takes each of them. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "scheduler={\"enabled\":true,\"type\":\"Deployment\"} | kind: Service",
                "scheduler={\"enabled\":true,\"type\":\"DaemonSet\"} | hostNetwork: true",
                "lvmd.deviceClasses=[{\"name\":\"a\",\"volume-group\":\"b\",\"type\":\"\","
                        + "\"stripe\":2,\"stripe-size\":64}] | stripe-size: 64",
                "lvmd.deviceClasses=[{\"name\":\"a\",\"volume-group\":\"b\",\"erase-rate\":\"1Mi\","
                        + "\"zero-volumes\":\"all\",\"erase-on-removal\":\"zero\"}] | erase-rate:"
                        + " 1Mi",
                "lvmd={\"managed\":false,\"deviceClasses\":[]} |"
                        + " --lvmd-socket=/run/topolvm/lvmd.sock",
                "node.kubeletWorkDirectory=\"/kubelet/\" |"
                        + " --csi-socket=/kubelet/plugins/topolvm.io/node/csi-topolvm.sock",
                "image={\"repository\":\"r/lvms\",\"reference\":0.41} | 'image: \"r/lvms:0.41\"'",
                "storageClasses=[{\"name\":\"a\",\"storageClass\":{}},{\"name\":\"b\"}] | kind:"
                        + " CSIDriver",
                "useLegacy=null | name: logicalvolumes.topolvm.io",
            })
    void aValueThatTopolvmsChartTakesIsTaken(String value, String line) throws Exception {
        var rendered = helm.template("--set-json=" + value);
        assertTrue(rendered.contains(line), rendered);
        if (value.startsWith("storageClasses")) {
            assertFalse(rendered.contains("kind: StorageClass"), rendered);
        }
    }
}
