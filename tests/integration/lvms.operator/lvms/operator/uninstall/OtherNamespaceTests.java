package lvms.operator.uninstall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;
import lvms.api.Names;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.Tree;
import lvms.k8s.yaml.Yaml;
import lvms.operator.overview.InstallationFindings;
import lvms.operator.overview.Overview;
import lvms.tests.server.Definitions;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;

/** An installation in a namespace that another system made is found there, and ends there. */
class OtherNamespaceTests {
    private static final String NAMESPACE = "openshift-storage";
    private static final ObjectKey OPERATOR = ObjectKey.of(NAMESPACE, Names.OPERATOR);
    private static final ObjectKey BINDING = ObjectKey.cluster(Names.OPERATOR);
    private static final Wishes KEEP = new Wishes(Wishes.Disks.KEEP, Set.of(), Set.of());
    private static final Wishes BLANK = new Wishes(Wishes.Disks.BLANK, Set.of(), Set.of());

    private ApiServer server;
    private KubeClient kube;

    @BeforeEach
    void install() throws Exception {
        server = Servers.start();
        kube = KubeClient.open(server.config(), "test").withFieldManager("test");
        Definitions.install(kube, Definitions.ALL);
        for (var object : World.manifests("deploy/base")) {
            var moved = object.json().toString().replace(Names.DEFAULT_NAMESPACE, NAMESPACE);
            kube.apply(World.type(object), KubeObject.of(Json.parse(moved).asObject()));
        }
        create(
                LvmCluster.TYPE,
                "metadata: {name: my, namespace: openshift-storage}\n"
                        + "spec: {storage: {deviceClasses: [{name: vg1}]}}");
    }

    @AfterEach
    void close() throws Exception {
        kube.close();
        server.close();
    }

    private void create(ResourceType type, String yaml) throws Exception {
        var object = KubeObject.of(Yaml.read(yaml).asObject());
        kube.create(type, object.with(type.apiVersion(), "apiVersion").with(type.kind(), "kind"));
    }

    private String found() throws Exception {
        return InstalledNamespace.find(new Reads(kube));
    }

    @Test
    void itIsFoundByTheBindingOfItsAccountAndElseByItsObjects() throws Exception {
        create(Types.NAMESPACE, "metadata: {name: elsewhere}");
        create(
                LvmCluster.TYPE,
                "metadata: {name: refused, namespace: elsewhere}\n"
                        + "spec: {storage: {deviceClasses: [{name: vg2}]}}");
        assertEquals(NAMESPACE, found());
        kube.delete(LvmCluster.TYPE, ObjectKey.of("elsewhere", "refused"), DeleteOptions.any());
        kube.delete(Types.CLUSTER_ROLE_BINDING, BINDING, DeleteOptions.any());
        assertEquals(NAMESPACE, found());
        assertEquals(Names.DEFAULT_NAMESPACE, InstalledNamespace.find(kube, List.of()));
    }

    @Test
    void whoMayNotReadBindingsFindsItByTheLvmCluster() throws Exception {
        server.faults()
                .answer(
                        seen -> seen.target().contains("/clusterrolebindings"),
                        1,
                        403,
                        "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"reason\":\"Forbidden\",\"code\":403,\"message\":\"you"
                            + " may not\"}");
        assertEquals(NAMESPACE, InstalledNamespace.find(kube, List.of(NAMESPACE)));
    }

    @Test
    void adviceNamesTheNamespaceAndItsManifests() throws Exception {
        var installation = Overview.read(kube, InstantSource.system()).installation();
        var cures =
                InstallationFindings.of(kube, installation, false).findings().stream()
                        .map(finding -> finding.cure())
                        .distinct()
                        .toList();
        assertEquals(List.of("kubectl apply -k deploy/openshift-storage/guard"), cures);
        kube.mergePatch(
                Types.DEPLOYMENT,
                MergePatch.of(kube.get(Types.DEPLOYMENT, OPERATOR))
                        .set(Tree.of(0), "spec", "replicas"));
        requireObstacle("--replicas=1 --namespace=openshift-storage");
        kube.delete(Types.ROLE, OPERATOR, DeleteOptions.any());
        requireObstacle(
                "kubectl apply -k deploy/openshift-storage/guard"
                        + " && kubectl apply -k deploy/openshift-storage,");
    }

    private void requireObstacle(String text) throws Exception {
        var obstacles = Uninstallation.plan(kube, BLANK).obstacles().toString();
        assertTrue(obstacles.contains(text), obstacles);
    }

    @Test
    void itEndsThereAndTheNamespaceStays() throws Exception {
        create(
                LvmVolumeGroup.TYPE,
                "metadata: {name: vg1, namespace: openshift-storage,"
                        + " finalizers: [cleanup.vgmanager.node.topolvm.io/n1]}\nspec: {}");
        Uninstallation.plan(kube, KEEP).run(Duration.ofSeconds(60), _ -> {});
        assertTrue(kube.find(Types.DEPLOYMENT, OPERATOR).isEmpty());
        assertTrue(kube.find(Types.ROLE, OPERATOR).isEmpty());
        assertTrue(new Reads(kube).list(LvmVolumeGroup.TYPE).isEmpty());
        var namespace = kube.get(Types.NAMESPACE, ObjectKey.cluster(NAMESPACE));
        assertTrue(!namespace.terminating(), "others may have their objects in it");
        assertEquals(List.of(), Uninstallation.plan(kube, KEEP).steps());
    }
}
