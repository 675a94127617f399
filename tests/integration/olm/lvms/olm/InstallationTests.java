package lvms.olm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.deploy.Admin;
import lvms.deploy.Patience;
import lvms.k8s.object.KubeObject;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.testkit.Kubectl;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;
import lvms.k8s.yaml.Yaml;
import lvms.tests.runner.Lasts;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What OLM makes of the bundle is what the manifests make. */
@Lasts(seconds = 45)
class InstallationTests {
    /** Where OLM installs; the manifests are in the other namespace that LVMS has had. */
    private static final String OLM = "openshift-storage";

    private static final String PLAIN = "openshift-lvm-storage";

    @TempDir private Path directory;
    private ApiServer server;
    private Admin admin;
    private LifecycleManager manager;

    @BeforeEach
    void start() throws Exception {
        assumeTrue(Kubectl.onPath(), "kubectl is not on the path");
        server = Servers.start();
        admin = new Admin(server.kubeconfig(directory), directory);
        var release = Release.of("0.1.0", "localhost/lvms:0.1.0").withNamespace(OLM);
        manager = new LifecycleManager(admin, Bundle.of(Path.of("deploy"), release).files());
    }

    @AfterEach
    void stop() throws Exception {
        if (server != null) {
            server.close();
        }
    }

    private KubeObject deployment(String namespace) throws Exception {
        return KubeObject.of(
                Json.parse(
                                admin.succeed(
                                        "get",
                                        "deployment",
                                        "lvms-operator",
                                        "--namespace=" + namespace,
                                        "--output=json"))
                        .asObject());
    }

    @Test
    void theDeploymentIsThatOfTheManifestsButForWhatOlmAdds() throws Exception {
        manager.prepare();
        manager.deploy();
        admin.succeed("apply", "--kustomize=deploy/" + PLAIN);
        var plain = deployment(PLAIN);
        var olms = deployment(OLM);
        assertEquals(plain.labels(), olms.labels());
        var differences = new TreeSet<String>();
        differ(
                byName(plain.value("spec").orElseThrow()),
                byName(olms.value("spec").orElseThrow()),
                "",
                differences);
        differences.removeIf(path -> path.startsWith("/template/metadata/annotations/"));
        assertEquals(
                Set.of(
                        // the bundle's own: the operator of LVMS has to have ended
                        "/strategy/rollingUpdate",
                        "/strategy/type",
                        // OLM's
                        "/template/spec/containers/manager/env/OPERATOR_CONDITION_NAME",
                        "/template/spec/containers/manager/volumeMounts/apiservice-cert",
                        "/template/spec/containers/manager/volumeMounts/webhook-cert/readOnly",
                        "/template/spec/volumes/apiservice-cert",
                        "/template/spec/volumes/webhook-cert/secret/items",
                        "/template/spec/volumes/webhook-cert/secret/optional",
                        "/template/spec/volumes/webhook-cert/secret/secretName"),
                differences);
    }

    /** Lists of what has names become objects, so that their order does not count. */
    private static Tree byName(Tree tree) {
        return switch (tree) {
            case ObjectTree object -> {
                var out = ObjectTree.builder();
                object.members().forEach((name, value) -> out.put(name, byName(value)));
                yield out.build();
            }
            case ListTree list
                    when !list.isEmpty()
                            && list.objects().size() == list.size()
                            && list.objects().stream().allMatch(o -> o.has("name")) -> {
                var out = ObjectTree.builder();
                list.objects().forEach(o -> out.put(o.text("name").orElseThrow(), byName(o)));
                yield out.build();
            }
            default -> tree;
        };
    }

    private static void differ(Tree one, Tree other, String path, Set<String> out) {
        if (one instanceof ObjectTree a && other instanceof ObjectTree b) {
            var names = new TreeSet<>(a.members().keySet());
            names.addAll(b.members().keySet());
            names.forEach(name -> differ(a.at(name), b.at(name), path + "/" + name, out));
        } else if (!one.equals(other)) {
            out.add(path);
        }
    }

    /** Where nobody has the types of Prometheus, all else is installed. */
    @Test
    void onlyMonitoringIsMissingWhereItsTypesAre() throws Exception {
        for (var type : List.of("servicemonitors", "prometheusrules")) { // of another test
            admin.succeed("delete", "crd", type + ".monitoring.coreos.com", "--ignore-not-found");
            Patience.until("no " + type, () -> admin.run("get", type).code() != 0);
        }
        manager.prepare();
        assertEquals(
                List.of(
                        "ServiceMonitor/lvms-operator-metrics-monitor",
                        "PrometheusRule/prometheus-lvmo-rules"),
                manager.notCreated());
        admin.succeed(
                "get",
                "--namespace=" + OLM,
                "service/lvms-operator-metrics-service",
                "service/vg-manager-metrics-service",
                "poddisruptionbudget/lvms-operator",
                "serviceaccount/lvms-operator",
                "serviceaccount/vg-manager",
                "clusterrole/lvms-viewer",
                "clusterrole/lvms-editor",
                "mutatingwebhookconfiguration/mlvmcluster.kb.io-x7k2p");
    }

    @Test
    void theServerTakesEachExample() throws Exception {
        manager.prepare();
        admin.succeed(
                "delete",
                "mutatingwebhookconfiguration/mlvmcluster.kb.io-x7k2p",
                "validatingwebhookconfiguration/vlvmcluster.kb.io-x7k2p");
        Patience.until(
                "LVMClusters are served",
                () -> admin.run("get", "lvmclusters", "--namespace=" + OLM).code() == 0);
        var examples = manager.examples();
        for (int i = 0; i < examples.size(); i++) {
            manager.create(KubeObject.of(examples.get(i)).with("example" + i, "metadata", "name"));
        }
    }

    /** A Deployment's selector cannot be changed, and OLM does not make it anew. */
    @Test
    void theDeploymentOfLvmsBecomesOurs() throws Exception {
        manager.prepare();
        manager.create(
                KubeObject.of(
                        Yaml.read(
                                        """
                                        apiVersion: apps/v1
                                        kind: Deployment
                                        metadata: {name: lvms-operator}
                                        spec:
                                          replicas: 1
                                          strategy: {type: Recreate}
                                          selector:
                                            matchLabels:
                                              app.kubernetes.io/name: lvms-operator
                                          template:
                                            metadata:
                                              labels:
                                                app.kubernetes.io/name: lvms-operator
                                                app.kubernetes.io/part-of: lvms-provisioner
                                                app.kubernetes.io/component: lvms-operator
                                            spec:
                                              serviceAccountName: lvms-operator
                                              containers:
                                                - name: manager
                                                  image: example.com/lvms-operator
                                                  command: [/lvms, operator]
                                                  args: [--leader-elect=false]
                                        """)
                                .asObject()));
        manager.deploy();
        var ours = deployment(OLM);
        var container = ours.objects("spec", "template", "spec", "containers").getFirst();
        assertEquals(List.of("/opt/lvms/bin/lvms-operator"), container.texts("command"));
        // Kubernetes starts no pod of ours before the last one of LVMS has ended.
        assertEquals("Recreate", ours.text("spec", "strategy", "type").orElseThrow());
    }

    /** The build has a renderer of its own; kustomize is the judge. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "olm",
                "base",
                "guard",
                "cross-namespace",
                "admission",
                "admission-openshift",
                "admission-cert-manager",
                "monitoring/openshift",
                "monitoring/own-certificates"
            })
    void theManifestsAreRenderedAsByKustomize(String folder) throws Exception {
        var theirs = new ArrayList<String>();
        for (var tree : Yaml.readAll(admin.succeed("kustomize", "deploy/" + folder))) {
            var object = KubeObject.of(tree.asObject());
            if (!object.label("grafana_dashboard").isPresent()) {
                theirs.add(sorted(object.json()));
            }
        }
        var ours =
                new Kustomization(Path.of("deploy/" + folder), text -> text)
                        .objects().stream().map(object -> sorted(object.json())).toList();
        assertEquals(new TreeSet<>(theirs), new TreeSet<>(ours));
    }

    private static String sorted(Tree tree) {
        return switch (tree) {
            case ObjectTree object -> {
                var out = new StringBuilder("{");
                new TreeSet<>(object.members().keySet())
                        .forEach(k -> out.append(k).append(": ").append(sorted(object.at(k))));
                yield out + "}\n";
            }
            case ListTree list -> {
                var out = new StringBuilder("[");
                list.forEach(e -> out.append(sorted(e)).append(", "));
                yield out + "]";
            }
            default -> tree.toString();
        };
    }
}
