package lvms.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.api.Names;
import lvms.k8s.object.KubeObject;
import lvms.k8s.testkit.Kubectl;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.yaml.Yaml;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** {@code deploy/monitoring} fits together, and keeps the names of LVMS. */
class MonitoringTests {
    private static final String PLAIN = "deploy/monitoring";
    private static final String OWN = "deploy/monitoring/own-certificates";
    private static final String OPENSHIFT = "deploy/monitoring/openshift";

    @TempDir private Path folder;

    /** Returns the objects by kind and name, such as {@code Service/a}. */
    private Map<String, KubeObject> rendered(String kustomization) throws Exception {
        assumeTrue(Kubectl.onPath(), "there is no kubectl");
        var admin = new Admin(folder.resolve("none"), folder);
        return Yaml.readAll(admin.succeed("kustomize", kustomization)).stream()
                .map(tree -> KubeObject.of(tree.asObject()))
                .collect(
                        Collectors.toMap(
                                object -> object.kind() + "/" + object.name(),
                                Function.identity()));
    }

    @ParameterizedTest
    @ValueSource(strings = {PLAIN, OWN, OPENSHIFT})
    void theMonitorFindsEachServiceAndItsCertificate(String kustomization) throws Exception {
        var objects = rendered(kustomization);
        var monitor = objects.get("ServiceMonitor/lvms-operator-metrics-monitor");
        for (var endpoint : monitor.objects("spec", "endpoints")) {
            var port = endpoint.text("port").orElseThrow();
            var service = serviceWith(port, objects);
            assertEquals("metrics", service.label("app.kubernetes.io/compose").orElseThrow());
            assertEquals("https", endpoint.text("scheme").orElseThrow());
            assertEquals("/metrics", endpoint.text("path").orElseThrow());
            assertEquals(
                    service.name() + ".lvms-system.svc",
                    endpoint.text("tlsConfig", "serverName").orElseThrow());
            assertEquals(
                    !kustomization.equals(OPENSHIFT)
                            ? service.annotation(
                                    "service.beta.openshift.io/serving-cert-secret-name")
                            : Optional.empty(),
                    endpoint.text("tlsConfig", "ca", "secret", "name"));
            assertEquals(
                    kustomization.equals(OPENSHIFT),
                    endpoint.text("tlsConfig", "caFile").isPresent());
        }
        assertEquals(2, monitor.objects("spec", "endpoints").size());
    }

    private static KubeObject serviceWith(String port, Map<String, KubeObject> objects) {
        return objects.values().stream()
                .filter(object -> object.kind().equals("Service"))
                .filter(
                        service ->
                                port.equals(
                                        service.objects("spec", "ports")
                                                .getFirst()
                                                .text("name")
                                                .orElse("")))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no Service has the port " + port));
    }

    @Test
    void theServicesLeadToOurPods() throws Exception {
        var objects = rendered(PLAIN);
        var pods =
                Map.of(
                        "lvms-operator-metrics-service", Names.OPERATOR,
                        "vg-manager-metrics-service", Names.VG_MANAGER);
        for (var pod : pods.entrySet()) {
            var service = objects.get("Service/" + pod.getKey());
            assertEquals(
                    Map.of("app.kubernetes.io/name", pod.getValue()),
                    service.object("spec", "selector").orElseThrow().textMap());
            var port = service.objects("spec", "ports").getFirst();
            assertEquals(443, port.number("port").orElseThrow());
            assertEquals(8443, port.number("targetPort").orElseThrow());
        }
        var policy = objects.get("NetworkPolicy/lvms-metrics").objects("spec", "ingress");
        var open = policy.getFirst().objects("ports").getFirst();
        assertEquals(8443, open.number("port").orElseThrow());
    }

    @ParameterizedTest
    @ValueSource(strings = {PLAIN, OPENSHIFT})
    void prometheusMayFindThePodsAndReadTheirPages(String kustomization) throws Exception {
        var objects = rendered(kustomization);
        var namespace = kustomization.equals(PLAIN) ? "monitoring" : "openshift-monitoring";
        var bindings =
                Map.of(
                        "RoleBinding/lvms-metrics", "Role/lvms-metrics",
                        "ClusterRoleBinding/lvms-metrics-reader", "ClusterRole/metrics-reader");
        for (var pair : bindings.entrySet()) {
            var binding = objects.get(pair.getKey());
            var subject = binding.objects("subjects").getFirst();
            assertEquals("prometheus-k8s", subject.text("name").orElseThrow());
            assertEquals(namespace, subject.text("namespace").orElseThrow());
            assertTrue(objects.containsKey(pair.getValue()));
            assertEquals(
                    pair.getValue(),
                    binding.text("roleRef", "kind").orElseThrow()
                            + "/"
                            + binding.text("roleRef", "name").orElseThrow());
        }
    }

    @Test
    void theOperatorMayChangeTheTwoSecretsThatAskForACertificate() throws Exception {
        var objects = rendered(OWN);
        var secrets =
                objects.values().stream()
                        .filter(object -> object.kind().equals("Secret"))
                        .map(KubeObject::name)
                        .sorted()
                        .toList();
        assertEquals(List.of("lvms-operator-metrics-cert", "vg-manager-metrics-cert"), secrets);
        var rules = objects.get("Role/lvms-metrics-certificates").objects("rules");
        assertEquals(1, rules.size());
        assertEquals(secrets, rules.getFirst().texts("resourceNames"));
        assertEquals(List.of("get", "patch"), rules.getFirst().texts("verbs"));
        for (var name : secrets) {
            var data = objects.get("Secret/" + name).object("data").orElseThrow();
            assertEquals(Map.of("issuer", "bHZtcy1vcGVyYXRvcg=="), data.textMap());
        }
    }

    @Test
    void theDashboardsAreTheFilesBeside() throws Exception {
        var objects = rendered(PLAIN);
        for (var name : List.of("cluster", "node")) {
            var map = objects.get("ConfigMap/lvms-dashboard-" + name);
            assertEquals("1", map.label("grafana_dashboard").orElseThrow());
            var file = Path.of("deploy/monitoring/base/dashboards", name + ".json");
            var shown = map.text("data", "lvms-" + name + ".json").orElseThrow();
            assertEquals(Json.parse(Files.readString(file)), Json.parse(shown));
            assertEquals("lvms-" + name, Json.parse(shown).asObject().text("uid").orElseThrow());
        }
    }

    @Test
    void everyAlertIsDocumented() throws Exception {
        var page = Files.readString(Path.of("docs/metrics.md"));
        var rules = rendered(PLAIN).get("PrometheusRule/prometheus-lvmo-rules");
        var alerts =
                rules.objects("spec", "groups").stream()
                        .flatMap(group -> group.objects("rules").stream())
                        .map(MonitoringTests::nameOf)
                        .toList();
        assertEquals(
                List.of(), alerts.stream().filter(a -> !page.contains("`" + a + "`")).toList());
    }

    private static String nameOf(ObjectTree rule) {
        return rule.text("alert").orElseThrow();
    }
}
