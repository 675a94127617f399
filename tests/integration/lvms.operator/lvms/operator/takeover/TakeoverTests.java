package lvms.operator.takeover;

import static lvms.operator.takeover.Installation.AGENTS;
import static lvms.operator.takeover.Installation.CLUSTER;
import static lvms.operator.takeover.Installation.DRIVER;
import static lvms.operator.takeover.Installation.NAMESPACE;
import static lvms.operator.takeover.Installation.OPERATOR;
import static lvms.operator.takeover.Installation.VALIDATING;
import static lvms.operator.takeover.Installation.WEBHOOK;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LogicalVolume;
import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.tree.Tree;
import lvms.k8s.yaml.Yaml;
import lvms.operator.uninstall.StuckException;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

/** LVMS's place is taken step by step, and given back as long as nobody has confirmed. */
class TakeoverTests {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final ObjectKey RECORD = TakeoverRecord.key(NAMESPACE);
    private static final String OURS = "/opt/lvms/bin/lvms-operator";

    private Installation lvms;
    private Takeover takeover;

    @BeforeEach
    void open() throws Exception {
        lvms = Installation.present();
        takeover = new Takeover(lvms.kube, "lvms", NAMESPACE);
    }

    @AfterEach
    void close() throws Exception {
        lvms.close();
    }

    private void take() throws Exception {
        lvms.endOperator();
        takeover.run(takeover.plan(), PATIENCE, _ -> {});
    }

    /** What applying the manifests comes to, and what our operator then does. */
    private void installOurs() throws Exception {
        lvms.workload(Types.DEPLOYMENT, "lvms-operator", "{app.kubernetes.io/name: lvms-operator}");
        lvms.rollOut(Types.DEPLOYMENT, OPERATOR, OURS);
        lvms.rollOut(Types.DAEMON_SET, AGENTS, "/opt/lvms/bin/lvms-vgmanager");
        for (var name : List.of("lvms-operator", "vg-manager")) {
            var account = lvms.kube.get(Types.SERVICE_ACCOUNT, ObjectKey.of(NAMESPACE, name));
            lvms.kube.mergePatch(
                    Types.SERVICE_ACCOUNT,
                    MergePatch.of(account).set(Tree.of(false), "automountServiceAccountToken"));
        }
    }

    private void state(String state) throws Exception {
        var cluster = lvms.kube.get(LvmCluster.TYPE, CLUSTER);
        var status = cluster.with(state, "status", "state").with(true, "status", "ready");
        lvms.kube.mergePatchStatus(
                LvmCluster.TYPE,
                MergePatch.of(cluster).status(status.object("status").orElseThrow()));
    }

    @Test
    void thePlanNamesEveryObjectAndStepAndChangesNothing() throws Exception {
        var before = lvms.kube.get(Types.DEPLOYMENT, OPERATOR).resourceVersion();
        var plan = takeover.plan();
        assertEquals(List.of(), plan.obstacles());
        var objects = String.join("\n", plan.objects());
        for (var line :
                List.of(
                        "kept      LVMCluster openshift-storage/my: ",
                        "changed   CSIDriver topolvm.io: ",
                        "removed   Deployment openshift-storage/lvms-operator: ",
                        "changed   DaemonSet openshift-storage/vg-manager: ",
                        "removed   ValidatingWebhookConfiguration lvms-validating-webhook",
                        "left over ClusterRoleBinding manager-rolebinding: ",
                        "left over Service openshift-storage/lvms-webhook-service: ")) {
            assertTrue(objects.contains(line), line + " is not in\n" + objects);
        }
        assertTrue(
                plan.notes().getLast().contains("thinPoolConfig.whenFull"),
                plan.notes().toString());
        assertEquals(
                List.of(
                        "stop Deployment openshift-storage/lvms-operator",
                        "delete Deployment openshift-storage/lvms-operator",
                        "delete ValidatingWebhookConfiguration " + WEBHOOK.name(),
                        "label CSIDriver topolvm.io as the one of LVMCluster my",
                        "mark the devices of LVMVolumeGroup openshift-storage/vg1 as wiped before"
                                + " on n1"),
                plan.lines().subList(1, plan.lines().size()));
        assertEquals(before, lvms.kube.get(Types.DEPLOYMENT, OPERATOR).resourceVersion());
        assertTrue(lvms.find(Types.CONFIG_MAP, RECORD).isEmpty());
    }

    @Test
    void aTryThatIsCutIsFinishedByTheNextAndItsRecordStays() throws Exception {
        var cut =
                assertThrows(
                        StuckException.class, () -> takeover.run(takeover.plan(), SHORT, _ -> {}));
        assertTrue(cut.getMessage().contains("has pods"), cut.getMessage());
        assertEquals(
                0, lvms.kube.get(Types.DEPLOYMENT, OPERATOR).number("spec", "replicas").orElse(9));
        take();
        assertTrue(lvms.find(Types.DEPLOYMENT, OPERATOR).isEmpty());
        assertTrue(lvms.find(VALIDATING, WEBHOOK).isEmpty());
        var record = TakeoverRecord.of(lvms.kube.get(Types.CONFIG_MAP, RECORD));
        var deployment = record.find(Types.DEPLOYMENT, OPERATOR).orElseThrow();
        assertEquals(1, deployment.number("spec", "replicas").orElse(1));
        assertEquals(List.of(), takeover.plan().lines());
    }

    @Test
    void whatTheOperatorMustKnowIsMarked() throws Exception {
        take();
        var group = lvms.kube.get(LvmVolumeGroup.TYPE, ObjectKey.of(NAMESPACE, "vg1"));
        assertTrue(LvmVolumeGroup.of(group).wipedOn("n1"));
        assertFalse(LvmVolumeGroup.of(group).wipedOn("n2"), "it has no group there yet");
        assertEquals(
                "my",
                lvms.kube.get(Types.CSI_DRIVER, DRIVER).labels().get("owned-by.topolvm.io/name"));
    }

    @Test
    void thePlaceIsGivenBackWithAllThatWasThere() throws Exception {
        var account = ObjectKey.of(NAMESPACE, "vg-manager");
        take();
        installOurs();
        takeover.run(
                takeover.back(),
                PATIENCE,
                line -> {
                    try {
                        if (line.startsWith("wait until Deployment")) {
                            lvms.rollOut(Types.DEPLOYMENT, OPERATOR, "/lvms");
                        } else if (line.startsWith("wait until DaemonSet")) {
                            assertTrue(lvms.find(VALIDATING, WEBHOOK).isPresent());
                            lvms.rollOut(Types.DAEMON_SET, AGENTS, "/lvms");
                        }
                    } catch (Exception e) {
                        throw new AssertionError(line, e);
                    }
                });
        assertEquals(Program.THEIRS, Program.of(lvms.kube.get(Types.DEPLOYMENT, OPERATOR)));
        assertTrue(
                lvms.kube
                        .get(Types.SERVICE_ACCOUNT, account)
                        .flag("automountServiceAccountToken")
                        .isEmpty());
        assertTrue(lvms.find(Types.CONFIG_MAP, RECORD).isEmpty());
        assertEquals(
                List.of("ConfigMap " + RECORD + " does not exist: nothing can be given back"),
                takeover.back().obstacles());
    }

    private void node(String annotations) throws Exception {
        var key = ObjectKey.cluster("n1");
        if (lvms.find(Types.NODE, key).isEmpty()) {
            lvms.create(Types.NODE, "metadata: {name: n1, finalizers: [topolvm.io/node]}");
        }
        lvms.kube.mergePatch(
                Types.NODE,
                key,
                Yaml.read("metadata: {annotations: {" + annotations + "}}").asObject());
    }

    private KubeObject volume(String name, String annotations, String more) throws Exception {
        return lvms.create(
                LogicalVolume.TYPE,
                """
                metadata: {name: %1$s, annotations: {%2$s}}
                spec: {name: %1$s, nodeName: n1, deviceClass: vg1, size: 1Gi, %3$s}
                """
                        .formatted(name, annotations, more));
    }

    private void handedOut(KubeObject volume, String id) throws Exception {
        lvms.kube.mergePatchStatus(
                LogicalVolume.TYPE,
                volume.key(),
                Yaml.read("status: {volumeID: " + id + "}").asObject());
    }

    /** Its TopoLVM removes a thick volume with its snapshots, and knows nothing of quarantine. */
    @Safety(50)
    @Test
    void whatLvmsWouldTreatOtherwiseIsInTheWayOfTheWayBack() throws Exception {
        take();
        node("");
        assertEquals(List.of(), takeover.back().obstacles(), "no agent of ours has worked yet");
        installOurs();
        var unknown = takeover.back().obstacles();
        assertEquals(1, unknown.size(), unknown.toString());
        assertTrue(unknown.getFirst().startsWith("Node n1 has no annotation capacity.topolvm.io/"));
        node("capacity.topolvm.io/00volumes: 'removed=1,growth=2,copied=3,thick-snapshots=2'");
        var snapshot =
                volume(
                        "snapshot-1",
                        "topolvm.io/snapshot-store: '4096'",
                        "accessType: ro, source: pvc-1");
        handedOut(snapshot, snapshot.uid());
        volume("pvc-copy", "", "accessType: rw, source: pvc-1");
        handedOut(volume("pvc-restored", "", ""), "of-another");
        handedOut(volume("pvc-kept", "", ""), "kept");
        lvms.create(
                Types.PV,
                """
                metadata: {name: kept}
                spec:
                  accessModes: [ReadWriteOnce]
                  capacity: {storage: 1Gi}
                  persistentVolumeReclaimPolicy: Retain
                  csi: {driver: topolvm.io, volumeHandle: kept}
                """);
        var plain = volume("pvc-plain", "", "");
        handedOut(plain, plain.uid());
        var found = takeover.back().obstacles();
        for (var line :
                List.of(
                        "LogicalVolume snapshot-1 is a snapshot of a thick volume",
                        "LogicalVolume pvc-copy is not made yet",
                        "LogicalVolume pvc-restored has volume of-another",
                        "Node n1: 1 removed volumes (lvms-erase-*) are not erased yet",
                        "Node n1: 2 volumes (lvms-grow-*) hold room",
                        "Node n1: 3 snapshots (lvms-still-*) are being copied",
                        "Node n1: 1 snapshots of thick volumes have no LogicalVolume")) {
            assertTrue(found.stream().anyMatch(text -> text.startsWith(line)), line + found);
        }
        assertEquals(7, found.size(), found.toString());
    }

    @Test
    void confirmingRemovesWhatIsProvablyTheirsAndNothingElse() throws Exception {
        take();
        var early = takeover.confirm().obstacles();
        assertTrue(early.toString().contains("lvms-operator is not ours"), early.toString());
        installOurs();
        assertEquals(1, takeover.confirm().obstacles().size(), "not Ready");
        state("Ready");
        takeover.run(takeover.confirm(), PATIENCE, _ -> {});
        for (var gone : List.of("manager-rolebinding", "proxy-rolebinding")) {
            assertTrue(lvms.find(Types.CLUSTER_ROLE_BINDING, ObjectKey.cluster(gone)).isEmpty());
        }
        assertTrue(lvms.find(Types.CLUSTER_ROLE, ObjectKey.cluster("manager-role")).isEmpty());
        assertTrue(
                lvms.find(Types.CLUSTER_ROLE, ObjectKey.cluster("proxy-role")).isPresent(),
                "somebody else is bound to it");
        assertTrue(
                lvms.find(Types.SERVICE, ObjectKey.of(NAMESPACE, "vg-manager-metrics-service"))
                        .isPresent(),
                "it is for others' pods");
        assertTrue(lvms.find(Types.CONFIG_MAP, RECORD).isEmpty());
    }

    @Test
    void theWorkloadsOfTheOlderGenerationGoFirst() throws Exception {
        lvms.workload(Types.DEPLOYMENT, "topolvm-controller", "{app: topolvm-controller}");
        lvms.workload(Types.DAEMON_SET, "topolvm-node", "{app: topolvm-node}");
        lvms.workload(Types.DAEMON_SET, "lvmd", "{app: of-somebody-else}");
        var its = lvms.workload(Types.DAEMON_SET, "topolvm-lvmd", "{app: lvmd}");
        lvms.kube.mergePatch(
                Types.DAEMON_SET,
                MergePatch.of(its).label("owned-by.topolvm.io/kind", "LVMCluster"));
        lvms.create(
                Types.LEASE,
                "metadata: {name: 1136b8a6.topolvm.io, namespace: openshift-storage}\nspec: {}");
        take();
        for (var type : List.of(Types.DEPLOYMENT, Types.DAEMON_SET, Types.LEASE)) {
            for (var name : List.of("topolvm-controller", "topolvm-node", "1136b8a6.topolvm.io")) {
                assertTrue(lvms.find(type, ObjectKey.of(NAMESPACE, name)).isEmpty(), name);
            }
        }
        assertTrue(lvms.find(Types.DAEMON_SET, ObjectKey.of(NAMESPACE, "lvmd")).isPresent());
        assertTrue(lvms.find(Types.DAEMON_SET, its.key()).isEmpty(), "it has the labels of one");
        installOurs();
        var back = takeover.back().lines();
        int ours = back.indexOf("delete DaemonSet openshift-storage/vg-manager");
        int theirs = back.indexOf("create DaemonSet openshift-storage/topolvm-node again");
        assertTrue(ours >= 0 && ours < theirs, back.toString());
    }

    @Test
    void whatTheOlderGenerationLeftGoesWhenTheTakeoverIsConfirmed() throws Exception {
        lvms.binding("topolvm-csi-provisioner", "provisioner", "topolvm-controller", NAMESPACE);
        lvms.create(Types.CLUSTER_ROLE, "metadata: {name: provisioner}\nrules: []");
        lvms.create(
                Types.SERVICE,
                """
                metadata:
                  name: topolvm-node-metrics
                  namespace: openshift-storage
                  labels: {app.kubernetes.io/part-of: lvms-provisioner}
                spec:
                  selector: {app.kubernetes.io/component: topolvm-node}
                  ports: [{port: 8080}]
                """);
        lease("topolvm", "topolvm-controller-5d4-x_1");
        lease("topolvm-others", "topolvm-controller-5d4-x_1");
        take();
        installOurs();
        state("Ready");
        takeover.run(takeover.confirm(), PATIENCE, _ -> {});
        var cluster = ObjectKey.cluster("topolvm-csi-provisioner");
        assertTrue(lvms.find(Types.CLUSTER_ROLE_BINDING, cluster).isEmpty());
        var role = ObjectKey.cluster("provisioner");
        assertTrue(lvms.find(Types.CLUSTER_ROLE, role).isEmpty());
        var metrics = ObjectKey.of(NAMESPACE, "topolvm-node-metrics");
        assertTrue(lvms.find(Types.SERVICE, metrics).isEmpty());
        assertTrue(lvms.find(Types.LEASE, ObjectKey.of(NAMESPACE, "topolvm")).isEmpty());
        assertTrue(lvms.find(Types.LEASE, ObjectKey.of(NAMESPACE, "topolvm-others")).isPresent());
    }

    private void lease(String name, String holder) throws Exception {
        lvms.create(
                Types.LEASE,
                "metadata: {name: %s, namespace: openshift-storage}\nspec: {holderIdentity: %s}"
                        .formatted(name, holder));
    }

    @Test
    void whatBelongsToOlmIsNotFoughtOver() throws Exception {
        var deployment = lvms.kube.get(Types.DEPLOYMENT, OPERATOR);
        lvms.kube.mergePatch(
                Types.DEPLOYMENT, MergePatch.of(deployment).label("olm.owner", "lvms-operator.v5"));
        var plan = takeover.plan();
        assertTrue(
                plan.obstacles().getFirst().contains("delete the Subscription and the"),
                plan.obstacles().toString());
        assertThrows(IllegalStateException.class, () -> takeover.run(plan, SHORT, _ -> {}));
    }

    @Test
    void aGuardThatIsAlreadyThereIsNamedBeforeItRefuses() throws Exception {
        lvms.create(
                Types.VALIDATING_ADMISSION_POLICY_BINDING,
                """
                metadata: {name: lvms-in-use}
                spec:
                  policyName: lvms-in-use
                  paramRef:
                    namespace: openshift-storage
                    selector: {}
                    parameterNotFoundAction: Allow
                  validationActions: [Deny]
                """);
        assertTrue(
                takeover.plan().obstacles().getFirst().contains("do not delete the LVMCluster"),
                takeover.plan().obstacles().toString());
    }

    @Test
    void twoInstallationsAreNotMerged() throws Exception {
        lvms.create(Types.NAMESPACE, "metadata: {name: lvms-system}");
        lvms.create(
                LvmCluster.TYPE,
                "metadata: {name: other, namespace: lvms-system}\nspec: {storage: {}}");
        assertEquals(List.of("lvms-system", NAMESPACE), Takeover.namespaces(lvms.kube, "lvms"));
        assertTrue(
                takeover.plan().obstacles().getFirst().contains("also in lvms-system"),
                takeover.plan().obstacles().toString());
    }
}
