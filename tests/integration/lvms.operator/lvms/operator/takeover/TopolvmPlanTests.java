package lvms.operator.takeover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LogicalVolume;
import lvms.api.LvmCluster;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.yaml.Yaml;
import lvms.tests.server.Definitions;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

/**
 * Before the release of TopoLVM's chart is upgraded, a person reads what there is and what hurts.
 */
class TopolvmPlanTests {
    private static final String NAMESPACE = "topolvm-system";
    private static final ObjectKey CRD = ObjectKey.cluster("logicalvolumes.topolvm.io");
    private static final ObjectKey NODE = ObjectKey.of(NAMESPACE, "topolvm-node");
    private static final String WORKLOAD =
            """
            metadata:
              name: %1$s
              namespace: topolvm-system
              labels: {app.kubernetes.io/managed-by: Helm}
              annotations: {meta.helm.sh/release-name: topolvm}
            spec:
              selector:
                matchLabels:
                  app.kubernetes.io/component: c
                  app.kubernetes.io/name: topolvm
                  app.kubernetes.io/instance: topolvm
              template:
                metadata:
                  labels:
                    app.kubernetes.io/component: c
                    app.kubernetes.io/name: topolvm
                    app.kubernetes.io/instance: topolvm
                spec:
                  containers: [{name: c, image: topolvm, command: [/%1$s]}]
            """;
    private static final String REVISION =
            """
            metadata:
              name: sh.helm.release.v1.topolvm.v%1$d
              namespace: topolvm-system
              labels: {owner: helm, name: topolvm, version: "%1$d", status: %2$s}
            type: helm.sh/release.v1
            """;

    private ApiServer server;
    private KubeClient kube;
    private Takeover takeover;

    @BeforeEach
    void open() throws Exception {
        server = Servers.start();
        kube = KubeClient.open(server.config(), "test").withFieldManager("test");
        Definitions.install(kube, Definitions.ALL);
        kube.mergePatch(
                Types.CRD,
                MergePatch.of(kube.get(Types.CRD, CRD))
                        .label("app.kubernetes.io/managed-by", "Helm"));
        create(Types.NAMESPACE, "metadata: {name: topolvm-system}");
        create(Types.DEPLOYMENT, WORKLOAD.formatted("topolvm-controller"));
        create(Types.DAEMON_SET, WORKLOAD.formatted("topolvm-node"));
        create(Types.SECRET, REVISION.formatted(9, "superseded"));
        create(Types.SECRET, REVISION.formatted(10, "deployed"));
        file(
                """
                device-classes:
                  - {name: ssd, volume-group: vg1, default: true}
                  - {name: thin, volume-group: vg2, type: thin, thin-pool: {name: pool}}
                """);
        create(Types.CSI_DRIVER, "metadata: {name: topolvm.io}\nspec: {attachRequired: false}");
        create(
                Types.STORAGE_CLASS,
                "metadata: {name: topolvm-provisioner}\nprovisioner: topolvm.io");
        create(Types.STORAGE_CLASS, "metadata: {name: others}\nprovisioner: ebs.csi.aws.com");
        create(
                LogicalVolume.TYPE,
                "metadata: {name: pvc-1}\nspec: {name: pvc-1, nodeName: n1, size: 1Gi}");
        takeover = new Takeover(kube, "topolvm", NAMESPACE);
    }

    @AfterEach
    void close() throws Exception {
        kube.close();
        server.close();
    }

    private KubeObject create(ResourceType type, String yaml) throws Exception {
        var object = KubeObject.of(Yaml.read(yaml).asObject());
        return kube.create(
                type, object.with(type.apiVersion(), "apiVersion").with(type.kind(), "kind"));
    }

    private void file(String lvmd) throws Exception {
        var key = ObjectKey.of(NAMESPACE, "topolvm-lvmd-0");
        kube.apply(
                Types.CONFIG_MAP,
                KubeObject.create(Types.CONFIG_MAP, key).with(lvmd, "data", "lvmd.yaml"));
    }

    private static void requireLine(String beginning, List<String> lines) {
        assertTrue(lines.stream().anyMatch(line -> line.startsWith(beginning)), lines.toString());
    }

    @Test
    void thePlanNamesWhatThereIsAndWhatBecomesOfIt() throws Exception {
        assertEquals(List.of(NAMESPACE), Takeover.namespaces(kube, "topolvm"));
        var plan = takeover.plan();
        assertEquals(List.of(), plan.obstacles());
        for (var line :
                List.of(
                        "changed   Secret topolvm-system/sh.helm.release.v1.topolvm.v10: ",
                        "changed   Deployment topolvm-system/topolvm-controller: ",
                        "changed   DaemonSet topolvm-system/topolvm-node: ",
                        "kept      ConfigMap topolvm-system/topolvm-lvmd-0: ",
                        "kept      StorageClass topolvm-provisioner: ",
                        "kept      LogicalVolume pvc-1: ")) {
            requireLine(line, plan.objects());
        }
        assertTrue(plan.objects().stream().noneMatch(line -> line.contains("others")));
        for (var line :
                List.of(
                        "Helm release topolvm, revision 10, deployed: ",
                        "ConfigMap topolvm-system/topolvm-lvmd-0: class ssd on volume group vg1,"
                                + " the default",
                        "ConfigMap topolvm-system/topolvm-lvmd-0: class thin on volume group"
                                + " vg2/pool",
                        "1 LogicalVolumes of topolvm.io on 1 nodes")) {
            requireLine(line, plan.notes());
        }
    }

    /** An upgrade to a chart without the template would delete all data. */
    @Test
    void aDefinitionThatHelmWouldDeleteIsCalledADangerAndKept() throws Exception {
        requireLine(
                "DANGER: CustomResourceDefinition logicalvolumes.topolvm.io is a template",
                takeover.plan().notes());
        takeover.run(takeover.plan(), Duration.ofSeconds(30), _ -> {});
        var policy = kube.get(Types.CRD, CRD).annotations().get("helm.sh/resource-policy");
        assertEquals("keep", policy);
        var after = takeover.plan();
        assertEquals(List.of(), after.lines());
        assertTrue(after.notes().stream().noneMatch(line -> line.startsWith("DANGER")));
        requireLine("helm rollback gives the place back", takeover.back().obstacles());
    }

    @Test
    void aSelectorThatTheChartCannotChangeIsInTheWay() throws Exception {
        kube.delete(Types.DAEMON_SET, NODE, DeleteOptions.any());
        create(
                Types.DAEMON_SET,
                WORKLOAD.formatted("topolvm-node")
                        .replace("app.kubernetes.io/component: c", "app: node"));
        requireLine(
                "DaemonSet topolvm-system/topolvm-node selects its pods by other labels",
                takeover.plan().obstacles());
    }

    @Test
    void aReleaseThatIsBeingChangedIsInTheWay() throws Exception {
        create(Types.SECRET, REVISION.formatted(11, "pending-upgrade"));
        requireLine(
                "Helm release topolvm is \"pending-upgrade\": bring it to rest by helm rollback",
                takeover.plan().obstacles());
    }

    @Test
    void aFileThatCannotBeReadIsNamedWithTheLine() throws Exception {
        file("device-classes:\n  - {name: ssd\n");
        requireLine(
                "ConfigMap topolvm-system/topolvm-lvmd-0: lvmd.yaml cannot be read: ",
                takeover.plan().obstacles());
    }

    @Test
    void anotherInstallationOfTheDriverIsInTheWay() throws Exception {
        create(LvmCluster.TYPE, "metadata: {name: my, namespace: default}\nspec: {storage: {}}");
        requireLine("LVMCluster default/my is there too: ", takeover.plan().obstacles());
    }

    @Test
    void whereNothingOfItRunsThereIsNothingToTakeOver() throws Exception {
        requireLine(
                "Deployments or DaemonSets with TopoLVM's programs are also in topolvm-system",
                new Takeover(kube, "topolvm", "default").plan().obstacles());
        kube.delete(Types.DAEMON_SET, NODE, DeleteOptions.any());
        kube.delete(
                Types.DEPLOYMENT,
                ObjectKey.of(NAMESPACE, "topolvm-controller"),
                DeleteOptions.any());
        requireLine("no workload runs TopoLVM's programs here", takeover.plan().obstacles());
    }
}
