package lvms.operator.takeover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Driver;
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
import lvms.launcher.admin.AgentsJudge;
import lvms.operator.topolvm.HelmRelease;
import lvms.tests.runner.Safety;
import lvms.tests.server.Definitions;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.zip.GZIPOutputStream;

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
                  - {name: thin, volume-group: vg2, type: thin,
                     thin-pool: {name: pool, overprovision-ratio: 5}}
                """);
        create(Types.CSI_DRIVER, "metadata: {name: topolvm.io}\nspec: {attachRequired: false}");
        create(
                Types.STORAGE_CLASS,
                "metadata: {name: topolvm-provisioner}\nprovisioner: topolvm.io");
        create(Types.STORAGE_CLASS, "metadata: {name: others}\nprovisioner: ebs.csi.aws.com");
        create(
                LogicalVolume.TYPE,
                "metadata: {name: pvc-1}\nspec: {name: pvc-1, nodeName: n1, size: 1Gi}");
        takeover = new Takeover(kube, "topolvm", NAMESPACE, new AgentsJudge());
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
        requireLine("helm rollback gives the place back", takeover.back().notes());
        var object = kube.get(Types.CRD, CRD); // as a rollback to TopoLVM's chart leaves it
        kube.mergePatch(
                Types.CRD, MergePatch.of(object).withoutAnnotation("helm.sh/resource-policy"));
        requireLine("DANGER: ", takeover.plan().notes());
        assertEquals(1, takeover.plan().lines().size(), "it is run again");
    }

    /** Helm asks nobody, so this is what a person looks at before a rollback. */
    @Safety(50)
    @Test
    void theWayBackSaysWhatComesBeforeARollback() throws Exception {
        create(Types.NODE, "metadata: {name: n1}");
        requireLine("LogicalVolume pvc-1 is not made yet", takeover.back().obstacles());
        requireLine("Node n1 has no annotation", takeover.back().obstacles());
        var volume = kube.get(LogicalVolume.TYPE, ObjectKey.cluster("pvc-1"));
        kube.mergePatchStatus(
                LogicalVolume.TYPE,
                volume.key(),
                Yaml.read("status: {volumeID: " + volume.uid() + "}").asObject());
        var node = kube.get(Types.NODE, ObjectKey.cluster("n1"));
        kube.mergePatch(
                Types.NODE,
                MergePatch.of(node)
                        .annotation(
                                "capacity.topolvm.io/00volumes",
                                "removed=0,growth=0,copied=0,thick-snapshots=0"));
        assertEquals(List.of(), takeover.back().obstacles());
        assertEquals(List.of(), takeover.back().lines(), "it is Helm's work");
    }

    @Test
    void whatHelmRemovesIsNamedAndNoWorkOfTheCommand() throws Exception {
        create(
                Types.DAEMON_SET,
                WORKLOAD.formatted("topolvm-lvmd-0").replace("[/topolvm-lvmd-0]", "[/lvmd]"));
        create(
                Types.DAEMON_SET,
                WORKLOAD.formatted("topolvm-lvmd-1").replace("[/topolvm-lvmd-1]", "[/lvmd]"));
        release(Types.SERVICE_ACCOUNT, "topolvm-lvmd", NAMESPACE);
        release(Types.ROLE, "external-resizer-cfg", NAMESPACE);
        release(Types.ROLE, "external-provisioner-cfg", NAMESPACE);
        release(Types.CLUSTER_ROLE, "topolvm-system-external-resizer-runner", NAMESPACE);
        release(Types.CLUSTER_ROLE, "others-external-resizer-runner", "others");
        var plan = takeover.plan();
        for (var line :
                List.of(
                        "removed   DaemonSet topolvm-system/topolvm-lvmd-0: its work is the"
                                + " agents'; it stays until all nodes have one",
                        "changed   DaemonSet topolvm-system/topolvm-lvmd-1: becomes an agent",
                        "changed   DaemonSet topolvm-system/topolvm-node: gets our image",
                        "removed   ServiceAccount topolvm-system/topolvm-lvmd: ",
                        "removed   Role topolvm-system/external-resizer-cfg: ",
                        "removed   ClusterRole topolvm-system-external-resizer-runner: ")) {
            requireLine(line, plan.objects());
        }
        var objects = plan.objects().toString();
        assertFalse(objects.contains("external-provisioner-cfg"), objects);
        assertFalse(objects.contains("others-external-resizer-runner"), objects);
        assertTrue(
                plan.lines().stream().allMatch(line -> line.startsWith("tell Helm to keep ")),
                plan.lines().toString());
    }

    private void release(ResourceType type, String name, String namespace) throws Exception {
        var key = type.namespaced() ? ObjectKey.of(NAMESPACE, name) : ObjectKey.cluster(name);
        kube.create(
                type,
                KubeObject.create(type, key)
                        .with(namespace, "metadata", "annotations", HelmRelease.NAMESPACE)
                        .with("topolvm", "metadata", "annotations", HelmRelease.NAME));
    }

    /** An agent that refuses its file would have no volumes, where TopoLVM's lvmd has. */
    @Test
    void aFileThatOurAgentRefusesIsInTheWay() throws Exception {
        file(
                """
                device-classes:
                  - {name: ssd, volume-group: vg1, type: thin, thin-pool: {name: pool}}
                """);
        requireLine(
                "ConfigMap topolvm-system/topolvm-lvmd-0: our agent would refuse lvmd.yaml: device"
                        + " class \"ssd\": thin-pool: overprovision-ratio is not set",
                takeover.plan().obstacles());
    }

    @Test
    void whatAnAgentDoesNotDoOfAFileIsNamed() throws Exception {
        file(
                """
                device-classes: [{name: ssd, volume-group: vg1}]
                lvcreate-option-classes: [{name: odd, options: [--wipesignatures=n]}]
                """);
        requireLine(
                "ConfigMap topolvm-system/topolvm-lvmd-0: lvcreate option class \"odd\" gets no new"
                        + " volumes: ",
                takeover.plan().notes());
    }

    /** Each node goes by its own file. */
    @Test
    void filesOfSeveralNodesThatDisagreeAreNamed() throws Exception {
        var key = ObjectKey.of(NAMESPACE, "topolvm-lvmd-1");
        var other =
                "device-classes: [{name: ssd, volume-group: vg1, type: thin,"
                        + " thin-pool: {name: p, overprovision-ratio: 2}}]";
        kube.apply(
                Types.CONFIG_MAP,
                KubeObject.create(Types.CONFIG_MAP, key).with(other, "data", "lvmd.yaml"));
        var notes = takeover.plan().notes();
        requireLine(
                "the default device class is none in topolvm-lvmd-1 but ssd in topolvm-lvmd-0",
                notes);
        requireLine(
                "device class ssd is thick in topolvm-lvmd-0 but thin in topolvm-lvmd-1", notes);
    }

    @Test
    void anImageThatTheValuesPinIsNamed() throws Exception {
        revision("{\"config\":{\"image\":{\"reference\":\"0.41.0\"},\"storageClasses\":[]}}");
        requireLine(
                "the values of the release have image.reference: 0.41.0: remove it",
                takeover.plan().notes());
    }

    /** Helm packs a revision like this. */
    private void revision(String json) throws Exception {
        var zipped = new ByteArrayOutputStream();
        try (var out = new GZIPOutputStream(zipped)) {
            out.write(json.getBytes(StandardCharsets.UTF_8));
        }
        var base64 = Base64.getEncoder();
        var data = base64.encodeToString(base64.encode(zipped.toByteArray()));
        create(
                Types.SECRET,
                REVISION.formatted(11, "deployed") + "data: {release: " + data + "}\n");
    }

    @Test
    void whatAnotherReleaseHasIsInTheWay() throws Exception {
        var driver = ObjectKey.cluster("topolvm.io");
        for (var each :
                List.of(
                        new Owned(Types.CSI_DRIVER, driver),
                        new Owned(Types.STORAGE_CLASS, ObjectKey.cluster("topolvm-provisioner")))) {
            kube.mergePatch(
                    each.type(),
                    MergePatch.of(kube.get(each.type(), each.key()))
                            .annotation(HelmRelease.NAME, "other"));
        }
        var obstacles = takeover.plan().obstacles();
        requireLine("CSIDriver topolvm.io belongs to Helm release other", obstacles);
        requireLine("StorageClass topolvm-provisioner belongs to Helm release other", obstacles);
        revision("{\"config\":{\"storageClasses\":[{\"name\":\"mine\"}]}}");
        assertEquals(1, takeover.plan().obstacles().size(), "the values have no such class");
    }

    private record Owned(ResourceType type, ObjectKey key) {}

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

    /** A conversion that was cut is to be finished by its own command. */
    @Test
    void volumesOfBothGroupsAreInTheWayAndNothingIsChanged() throws Exception {
        Definitions.install(kube, Path.of("deploy/legacy/topolvm.cybozu.com_logicalvolumes.yaml"));
        create(
                Driver.LEGACY.logicalVolumes(),
                "metadata: {name: pvc-2}\nspec: {name: pvc-2, nodeName: n1, size: 1Gi}");
        var plan = takeover.plan();
        requireLine("there are LogicalVolumes of both groups: ", plan.obstacles());
        server.faults().forgetRequests();
        assertThrows(
                IllegalStateException.class,
                () -> takeover.run(plan, Duration.ofSeconds(30), _ -> {}));
        assertEquals(List.of(), server.faults().requests());
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
