package lvms.deploy;

import static lvms.deploy.Admin.NAMESPACE;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.tests.cluster.ControlPlane;
import lvms.tests.cluster.Programs;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** What {@code deploy/guard} lets a node agent and an operator write, on a real API server. */
abstract class ServedPolicyRules extends NodePolicyRules {
    private static final String OPERATOR = "lvms-operator";
    private static final String LABEL = "{'metadata':{'labels':{'a':'b'}}}";

    @TempDir private static Path folder;
    private final String version;
    private ControlPlane plane;
    private KubeClient operator;

    ServedPolicyRules(String version) {
        this.version = version;
    }

    @Override
    Path start() throws Exception {
        plane =
                ControlPlane.options(Programs.find(), folder.resolve(version))
                        .kubernetes(version)
                        .start();
        return plane.kubeconfig();
    }

    @Override
    void stop() throws Exception {
        if (plane != null) {
            plane.close();
        }
    }

    /** Takes the operator's token, as a thief would. */
    @BeforeAll
    void steal() throws Exception {
        operator = admin.account(OPERATOR).client(OPERATOR);
        create(
                Types.POD,
                app(),
                "{'spec':{'serviceAccountName':'vg-manager','containers':[{'name':'app',"
                        + "'image':'localhost/app'}]}}");
        Patience.until(
                "the policy is in force",
                () -> {
                    try {
                        operator.mergePatch(Types.POD, app(), tree(LABEL));
                        return false;
                    } catch (ApiException.Forbidden e) {
                        return true;
                    }
                });
    }

    @AfterAll
    void giveBack() {
        if (operator != null) {
            operator.close();
        }
    }

    private static ObjectKey app() {
        return ObjectKey.of(NAMESPACE, "app");
    }

    private void refusedToOperator(ResourceType type, ObjectKey key, String patch, String why) {
        var refusal =
                assertThrows(
                        ApiException.Forbidden.class,
                        () -> operator.mergePatch(type, key, tree(patch)),
                        patch);
        assertTrue(refusal.getMessage().contains(why), refusal.getMessage());
    }

    private void refusedToMake(ResourceType type, String name, String json, String why) {
        var object = KubeObject.create(type, ObjectKey.cluster(name));
        for (var part : tree(json).members().entrySet()) {
            object = object.with(part.getValue(), part.getKey());
        }
        var wanted = object;
        var refusal =
                assertThrows(
                        ApiException.Forbidden.class, () -> operator.create(type, wanted), json);
        assertTrue(refusal.getMessage().contains(why), refusal.getMessage());
    }

    @Test
    @Safety(36)
    void aStolenOperatorChangesNoPod() throws Exception {
        operator.mergePatch(
                Types.POD,
                app(),
                tree(
                        "{'metadata':{'annotations':{'topolvm.io/last-resizefs-requested-at':'now'}}}"));
        var why = "the operator writes one annotation of a pod";
        refusedToOperator(Types.POD, app(), "{'metadata':{'annotations':{'a':'b'}}}", why);
        refusedToOperator(Types.POD, app(), "{'metadata':{'finalizers':['x.y/z']}}", why);
        var image = "{'spec':{'containers':[{'name':'app','image':'localhost/evil'}]}}";
        refusedToOperator(Types.POD, app(), image, why);
    }

    private static final String TAINT = "{'key':'a','effect':'NoSchedule'}";
    private static final String STARTUP =
            "{'key':'lvms.topolvm.io/agent-not-ready','effect':'NoSchedule'}";

    @Test
    @Safety(36)
    void aStolenOperatorChangesNoNode() throws Exception {
        var node = ObjectKey.cluster("n1");
        operator.mergePatch(
                Types.NODE, node, tree("{'metadata':{'finalizers':['topolvm.io/node']}}"));
        operator.mergePatch(Types.NODE, node, tree("{'metadata':{'finalizers':null}}"));
        var both = "{'spec':{'taints':[%s,%s]}}".formatted(TAINT, STARTUP);
        admin.succeed("patch", "node", "n1", "--type=merge", "--patch", tree(both).toString());
        operator.mergePatch(Types.NODE, node, tree("{'spec':{'taints':[%s]}}".formatted(TAINT)));
        var why = "the operator takes its own finalizer and start-up taint off a Node";
        refusedToOperator(Types.NODE, node, "{'spec':{'taints':null}}", why);
        refusedToOperator(
                Types.NODE, node, "{'spec':{'taints':[%s,%s]}}".formatted(TAINT, STARTUP), why);
        refusedToOperator(Types.NODE, node, LABEL, why);
        refusedToOperator(Types.NODE, node, "{'spec':{'unschedulable':true}}", why);
        refusedToOperator(Types.NODE, node, "{'metadata':{'finalizers':['x.y/z']}}", why);
        refusedToOperator(
                Types.NODE,
                node,
                "{'metadata':{'annotations':{'capacity.topolvm.io/vg1':'1'}}}",
                why);
    }

    @Test
    @Safety(36)
    void aStolenOperatorMakesNoVolumeOfAnybodyElse() throws Exception {
        var spec =
                "{'spec':{'capacity':{'storage':'1Gi'},'accessModes':['ReadWriteOnce'],%s,"
                        + "'storageClassName':'x'}}";
        var why = "the operator writes PersistentVolumes of its own drivers only";
        refusedToMake(Types.PV, "host", spec.formatted("'hostPath':{'path':'/'}"), why);
        refusedToMake(
                Types.PV,
                "other",
                spec.formatted("'csi':{'driver':'other.io','volumeHandle':'v'}"),
                why);
        create(Types.PV, ObjectKey.cluster("theirs"), spec.formatted("'hostPath':{'path':'/srv'}"));
        assertThrows(
                ApiException.Forbidden.class,
                () -> operator.delete(Types.PV, ObjectKey.cluster("theirs"), DeleteOptions.any()));
        refusedToMake(
                Types.STORAGE_CLASS, "sc", "{'provisioner':'other.io'}", "of its own drivers");
        refusedToMake(Types.CSI_DRIVER, "other.io", "{'spec':{}}", "its own CSIDrivers only");
    }

    @Test
    @Safety(36)
    void aStolenOperatorTouchesNoClaimOfAnotherDriver() throws Exception {
        var claim =
                "{'metadata':{'name':'%s','namespace':'"
                        + NAMESPACE
                        + "','annotations':{"
                        + "'volume.kubernetes.io/storage-provisioner':'%s'}},'spec':{"
                        + "'accessModes':['ReadWriteOnce'],'storageClassName':'x',"
                        + "'resources':{'requests':{'storage':'1Gi'}}}}";
        var theirs = ObjectKey.of(NAMESPACE, "theirs");
        create(Types.PVC, theirs, claim.formatted("theirs", "other.io"));
        var why = "of its own drivers only";
        refusedToOperator(Types.PVC, theirs, "{'metadata':{'finalizers':null}}", why);
        assertThrows(
                ApiException.Forbidden.class,
                () -> operator.delete(Types.PVC, theirs, DeleteOptions.any()));
        var ours = ObjectKey.of(NAMESPACE, "ours");
        create(Types.PVC, ours, claim.formatted("ours", "topolvm.io"));
        var stolen =
                "{'metadata':{'annotations':{"
                        + "'volume.kubernetes.io/storage-provisioner':'other.io'}}}";
        refusedToOperator(Types.PVC, ours, stolen, "whose a claim is");
        operator.mergePatch(Types.PVC, ours, tree("{'metadata':{'finalizers':null}}"));
        operator.delete(Types.PVC, ours, DeleteOptions.any());
    }

    @Test
    @Safety(36)
    void aStolenOperatorMakesNoDaemonSetButThatOfTheNodeAgents() {
        var spec =
                "{'spec':{'selector':{'matchLabels':{'a':'b'}},'template':{'metadata':{'labels':"
                        + "{'a':'b'}},'spec':{'serviceAccountName':'%s','containers':[{'name':'c',"
                        + "'image':'%s'}]}}}}";
        var own = "localhost/lvms:0.1.0";
        refusedAgent("evil", spec.formatted("vg-manager", own), "the DaemonSet vg-manager");
        refusedAgent("vg-manager", spec.formatted("default", own), "the DaemonSet vg-manager");
    }

    private void refusedAgent(String name, String json, String why) {
        var key = ObjectKey.of(NAMESPACE, name);
        var object = KubeObject.create(Types.DAEMON_SET, key).with(tree(json).at("spec"), "spec");
        var refusal =
                assertThrows(
                        ApiException.Forbidden.class,
                        () -> operator.create(Types.DAEMON_SET, object),
                        json);
        assertTrue(refusal.getMessage().contains(why), refusal.getMessage());
    }
}
