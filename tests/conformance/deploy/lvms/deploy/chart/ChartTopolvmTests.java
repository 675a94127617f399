package lvms.deploy.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The objects, names and selectors are those of TopoLVM's chart, which the release may have come
 * from.
 */
class ChartTopolvmTests extends ChartCase {
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "rendered-default.yaml, useLegacy=false",
        "rendered-legacy.yaml, useLegacy=true",
        "rendered-scheduler.yaml,"
                + " 'scheduler.enabled=true,webhook.podMutatingWebhook.enabled=true'"
    })
    void theObjectsAreThoseOfTopolvmAndSelectTheSamePods(String theirs, String values)
            throws Exception {
        var their = Helm.objects(Files.readString(theirs(theirs)));
        var our = Helm.objects(helm.template("--set=" + values));
        var gone = new TreeSet<>(their.keySet());
        gone.removeAll(our.keySet());
        gone.removeIf(name -> name.matches(".*-(external|csi)-(provis|resiz|snapshot).*"));
        gone.removeIf(name -> name.matches(".*/(csi|external)-(resizer|snapshotter)-.*"));
        // lvmd is in the agents
        assertEquals(Set.of("DaemonSet/topolvm-lvmd-0", "ServiceAccount/topolvm-lvmd"), gone);
        for (var name : our.keySet()) {
            if (their.containsKey(name)) {
                var before = their.get(name);
                var after = our.get(name);
                assertEquals(before.apiVersion(), after.apiVersion(), name);
                assertEquals(before.namespace(), after.namespace(), name);
                assertEquals(before.value("spec", "selector"), after.value("spec", "selector"));
                assertTrue(after.labels().keySet().containsAll(before.labels().keySet()), name);
            }
        }
    }

    /** TopoLVM's DaemonSets of lvmd differ in the number alone. */
    @Test
    void theAgentOfAFurtherFileTakesThePlaceOfItsLvmd() throws Exception {
        var theirs =
                Helm.objects(Files.readString(theirs("rendered-default.yaml")))
                        .get("DaemonSet/topolvm-lvmd-0");
        var ours = rendered("kinds-of-nodes.yaml").get("DaemonSet/topolvm-lvmd-1");
        var selector = new TreeMap<>(theirs.textMap("spec", "selector", "matchLabels"));
        selector.put("idx", "1");
        assertEquals(selector, ours.textMap("spec", "selector", "matchLabels"));
        assertEquals("1", ours.labels().get("idx"));
        assertEquals(theirs.apiVersion(), ours.apiVersion());
    }

    /** The rules of TopoLVM's names; what refers to a name of the release finds it. */
    @ParameterizedTest(name = "{0} {1} {2}")
    @CsvSource({
        "topolvm, '', topolvm",
        "my-topolvm, '', my-topolvm",
        "local, '', local-topolvm",
        "local, nameOverride=disks, local-disks",
        "disks1, nameOverride=disks, disks1",
        "local, fullnameOverride=all, all",
    })
    void namesFollowTheReleaseAndTheOverrides(String release, String override, String name)
            throws Exception {
        var objects =
                Helm.objects(
                        helm.succeed(
                                "template",
                                release,
                                Helm.chart().toString(),
                                "--namespace=storage",
                                "--values=" + Helm.EXAMPLES.resolve("kinds-of-nodes.yaml"),
                                "--set=scheduler.enabled=true," + override));
        var workloads =
                List.of(
                        "DaemonSet/" + name + "-node",
                        "DaemonSet/" + name + "-lvmd-1",
                        "Deployment/" + name + "-controller",
                        "DaemonSet/" + name + "-scheduler");
        for (var each : workloads) {
            var workload = objects.get(each);
            assertEquals("storage", workload.namespace(), each);
            var pod = workload.textMap("spec", "template", "metadata", "labels");
            var selected = workload.textMap("spec", "selector", "matchLabels");
            assertTrue(pod.entrySet().containsAll(selected.entrySet()), each);
            assertEquals(release, selected.get("app.kubernetes.io/instance"));
            var account =
                    workload.text("spec", "template", "spec", "serviceAccountName").orElseThrow();
            assertTrue(objects.containsKey("ServiceAccount/" + account), account);
            for (var volume : workload.objects("spec", "template", "spec", "volumes")) {
                volume.text("configMap", "name")
                        .ifPresent(map -> assertTrue(objects.containsKey("ConfigMap/" + map), map));
            }
        }
        for (var object : objects.values()) {
            for (var subject : object.objects("subjects")) {
                var account = "ServiceAccount/" + subject.text("name").orElseThrow();
                assertTrue(objects.containsKey(account), account);
                assertEquals(Optional.of("storage"), subject.text("namespace"));
            }
        }
    }

    @Test
    void theWebhookLeavesTheNamespaceOfItsControllerAlone() throws Exception {
        var rendered =
                Helm.objects(
                        helm.succeed(
                                "template",
                                "topolvm",
                                Helm.chart().toString(),
                                "--namespace=storage",
                                "--set=webhook.podMutatingWebhook.enabled=true"));
        var hook = rendered.get("MutatingWebhookConfiguration/topolvm-hook");
        var ignored =
                hook.objects("webhooks")
                        .getFirst()
                        .objects("namespaceSelector", "matchExpressions")
                        .getLast();
        assertEquals(List.of("kube-system", "topolvm-system", "storage"), ignored.texts("values"));
    }

    /** One pod runs there and one never does; what may be missing has to be both. */
    @Test
    void withoutAClusterToAskTheControllerIsReplacedAsOnOneNode() throws Exception {
        var controller = Helm.objects(helm.template()).get("Deployment/topolvm-controller");
        assertEquals(
                Optional.of("100%"),
                controller.text("spec", "strategy", "rollingUpdate", "maxUnavailable"));
        var own =
                Helm.objects(helm.template("--set=controller.updateStrategy.type=Recreate"))
                        .get("Deployment/topolvm-controller");
        assertEquals(Optional.of("Recreate"), own.text("spec", "strategy", "type"));
        assertTrue(own.object("spec", "strategy", "rollingUpdate").isEmpty());
    }
}
