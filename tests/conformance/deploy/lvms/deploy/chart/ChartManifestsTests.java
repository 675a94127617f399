package lvms.deploy.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.object.KubeObject;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** In the mode lvms, the chart is the manifests of {@code deploy}. */
class ChartManifestsTests extends ChartCase {
    @Test
    void helmFindsNothingToSayAboutTheChart() throws Exception {
        var said = helm.succeed("lint", "--strict", Helm.chart().toString());
        assertTrue(said.contains("1 chart(s) linted, 0 chart(s) failed"), said);
        assertFalse(said.contains("[WARNING]"), said);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"deploy/admission, false", "deploy/admission-cert-manager, true"})
    void lvmsIsTheManifestsOfDeploy(String admission, String certManager) throws Exception {
        var rendered =
                Helm.objects(
                        helm.succeed(
                                "template",
                                "lvms",
                                Helm.chart().toString(),
                                "--namespace=lvms-system",
                                "--set=mode=lvms,lvms.admission.enabled=true",
                                "--set=lvms.admission.certManager=" + certManager));
        var manifests = new TreeMap<String, KubeObject>();
        for (var part : List.of("deploy", "deploy/guard", admission)) {
            manifests.putAll(Helm.objects(kubectl().succeed("kustomize", part)));
        }
        manifests.remove("Namespace/lvms-system"); // helm install --create-namespace
        assertEquals(manifests.keySet(), new TreeSet<>(rendered.keySet()));
        for (var manifest : manifests.entrySet()) {
            assertEquals(
                    withoutHelm(manifest.getValue()),
                    withoutHelm(rendered.get(manifest.getKey())),
                    manifest.getKey());
        }
    }

    @Test
    void lvmsOfAnotherNamespaceIsThereEverywhere() throws Exception {
        var rendered =
                helm.succeed(
                        "template",
                        "lvms",
                        Helm.chart().toString(),
                        "--namespace=openshift-storage",
                        "--set=mode=lvms,lvms.admission.enabled=true,"
                                + "lvms.admission.certManager=true");
        assertFalse(rendered.contains("lvms-system"), rendered);
    }

    @Test
    void groupsThatPeopleMadeAreGivenToTheOperator() throws Exception {
        var objects =
                Helm.objects(
                        helm.template(
                                "--set=mode=lvms",
                                "--set-json=lvms.userDeviceClasses={\"default\":{\"device-classes\":"
                                    + "[{\"name\":\"system\",\"volume-group\":\"rootvg\"}]},"
                                    + "\"node7.example.com\":{\"device-classes\":"
                                    + "[{\"name\":\"system\",\"volume-group\":\"centos\"}]}}"));
        var files = objects.get("ConfigMap/lvms-user-device-classes").textMap("data");
        assertEquals(Set.of("default.yaml", "node7.example.com.yaml"), files.keySet());
        assertTrue(files.get("default.yaml").contains("volume-group: rootvg"), files.toString());
        assertTrue(
                arguments(objects)
                        .contains("--vgmanager-user-device-classes=lvms-user-device-classes"));
        var without = Helm.objects(helm.template("--set=mode=lvms"));
        assertFalse(without.containsKey("ConfigMap/lvms-user-device-classes"));
        assertFalse(arguments(without).toString().contains("user-device-classes"));
    }
}
