package lvms.deploy;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.tree.ListTree;
import lvms.operator.agent.AgentConstraints;
import lvms.tests.runner.Safety;
import lvms.tests.server.Definitions;
import lvms.tests.server.Servers;
import lvms.tests.support.Nodes;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** What an operator with every right of its role still must not write. */
class OperatorPolicyTests {
    private static final ObjectKey THEIRS = ObjectKey.cluster("theirs");

    private static final String TAINT = "{'key':'a','effect':'NoSchedule'}";
    private static final String STARTUP =
            "{'key':'lvms.topolvm.io/agent-not-ready','effect':'NoSchedule'}";

    private static final String FINALIZER = "{'metadata':{'finalizers':['x.y/z']}}";
    private static final String PROVISIONER =
            "{'metadata':{'annotations':{'volume.kubernetes.io/storage-provisioner':'%s'}}}";

    private static final List<String> FLAGS =
            List.of(
                    "allowHostDirVolumePlugin",
                    "allowHostIPC",
                    "allowHostNetwork",
                    "allowHostPID",
                    "allowHostPorts",
                    "allowPrivilegedContainer",
                    "readOnlyRootFilesystem");
    private static final List<String> LISTS =
            List.of(
                    "allowedCapabilities",
                    "defaultAddCapabilities",
                    "requiredDropCapabilities",
                    "volumes");

    private ApiServer server;
    private KubeClient admin;
    private KubeClient operator;

    @BeforeEach
    void start() throws Exception {
        server = Servers.start();
        admin = KubeClient.open(server.config(), "test").withFieldManager("test");
        var account = "system:serviceaccount:elsewhere:lvms-operator";
        var token = server.issueToken(account, "system:masters");
        operator = KubeClient.open(server.config(token), "thief").withFieldManager("thief");
        PolicyFile.OPERATOR.create(admin);
    }

    @AfterEach
    void stop() throws Exception {
        operator.close();
        admin.close();
        server.close();
    }

    /** A VolumeSnapshotClass may get another driver, so the former one counts as well. */
    @Test
    @Safety(36)
    void aStolenOperatorMakesNoSnapshotClassOfAnybodyElseItsOwn() throws Exception {
        Definitions.install(admin, Path.of("tests/lab/lvms.tests/resources/snapshot-crds.yaml"));
        var type = Types.VOLUME_SNAPSHOT_CLASS;
        var theirs =
                KubeObject.create(type, THEIRS)
                        .with("other.io", "driver")
                        .with("Delete", "deletionPolicy");
        admin.create(type, theirs);
        Patience.until("the policy is in force", () -> refused(type, "{'parameters':{'a':'b'}}"));
        assertTrue(refused(type, "{'driver':'topolvm.io'}"));
    }

    /** Whoever says which pods may be privileged has every right on every node. */
    @Test
    @Safety(36)
    void aStolenOperatorLetsNobodyElseBePrivileged() throws Exception {
        Definitions.install(admin, Path.of("tests/integration/openshift-crds.yaml"));
        Patience.until(
                "the policy is in force", () -> refusesConstraints("probe", "elsewhere", "x"));
        assertTrue(refusesConstraints("lvms-vgmanager", "elsewhere", "default"));
        assertTrue(refusesConstraints("lvms-vgmanager", "other", "vg-manager"));
        assertTrue(refusesConstraints("privileged", "elsewhere", "vg-manager"));
        assertFalse(refusesConstraints("lvms-vgmanager", "elsewhere", "vg-manager"));
    }

    /** Whoever takes other taints off, or cordons, has a say about everybody's pods. */
    @Test
    @Safety(36)
    void aStolenOperatorTakesNoTaintOffANodeButTheStartUpTaint() throws Exception {
        var node =
                NodePolicyRules.tree(
                        "{'apiVersion':'v1','kind':'Node','metadata':{'name':'n1'},"
                                + "'spec':{'podCIDR':'10.0.0.0/24','taints':[%s,%s]}}"
                                        .formatted(TAINT, STARTUP));
        Nodes.create(admin, KubeObject.of(node));
        var none = "{'spec':{'taints':null}}";
        // a label that is there already would be no change, and no change is never refused
        var tries = new AtomicInteger();
        var label = "{'metadata':{'labels':{'a':'%d'}}}";
        Patience.until(
                "the policy is in force",
                () -> refusesNode(label.formatted(tries.incrementAndGet())));
        assertTrue(refusesNode(none));
        var others = "{'spec':{'taints':[%s]%s}}";
        assertTrue(refusesNode(others.formatted(TAINT, ",'unschedulable':true")));
        assertTrue(refusesNode(others.formatted(TAINT, ",'providerID':'a'")));
        assertTrue(refusesNode(others.formatted(STARTUP, "")));
        assertFalse(refusesNode(others.formatted(TAINT, "")));
        assertTrue(refusesNode(others.formatted(TAINT + "," + STARTUP, "")));
    }

    private boolean refusesNode(String patch) throws Exception {
        try {
            operator.mergePatch(Types.NODE, ObjectKey.cluster("n1"), NodePolicyRules.tree(patch));
            return false;
        } catch (ApiException.Forbidden e) {
            return e.getMessage().contains("start-up taint off a Node, and writes nothing else");
        }
    }

    private boolean refusesConstraints(String name, String namespace, String account)
            throws Exception {
        var user = "system:serviceaccount:" + namespace + ":" + account;
        var wanted =
                KubeObject.create(AgentConstraints.TYPE, ObjectKey.cluster(name))
                        .with(namespace, "metadata", "labels", "owned-by.topolvm.io/namespace")
                        .with(ListTree.ofTexts(List.of(user)), "users");
        for (var rule : FLAGS) {
            wanted = wanted.with(true, rule);
        }
        for (var rule : LISTS) {
            wanted = wanted.with(ListTree.EMPTY, rule);
        }
        try {
            operator.apply(AgentConstraints.TYPE, wanted.with(0, "priority"));
            return false;
        } catch (ApiException.Forbidden e) {
            return e.getMessage().contains("agents of its own namespace only");
        }
    }

    /** Whoever deletes a claim of another driver has that driver delete the volume. */
    @Test
    @Safety(36)
    void aStolenOperatorTouchesNoClaimOfAnotherDriver() throws Exception {
        var theirs = claim("theirs", "volume.kubernetes.io/storage-provisioner", "other.io");
        var former = claim("old", "volume.beta.kubernetes.io/storage-provisioner", "other.io");
        Patience.until("the policy is in force", () -> refused(() -> patch(theirs, FINALIZER)));
        assertTrue(refused(() -> delete(theirs)));
        assertTrue(refused(() -> delete(former)));
        assertTrue(refused(() -> patch(theirs, PROVISIONER.formatted("topolvm.io"))));
        assertTrue(refused(() -> patchStatus(theirs)));
    }

    @Test
    @Safety(36)
    void theOperatorSaysOfNoClaimWhoseItIs() throws Exception {
        var ours = claim("ours", "volume.kubernetes.io/storage-provisioner", "topolvm.io");
        var fresh = claim("fresh", "a", "b");
        var other = PROVISIONER.formatted("other.io");
        var early = claim("early", "a", "b"); // it may be changed until the policy is in force
        Patience.until("the policy is in force", () -> refused(() -> patch(early, other)));
        assertTrue(refused(() -> patch(ours, other)));
        assertTrue(refused(() -> patch(fresh, PROVISIONER.formatted("topolvm.io"))));
        for (var key : List.of(ours, fresh)) {
            patch(key, FINALIZER);
            patch(key, "{'metadata':{'finalizers':null}}");
            patchStatus(key);
            delete(key);
        }
    }

    private ObjectKey claim(String name, String annotation, String value) throws Exception {
        var key = ObjectKey.of("default", name);
        admin.create(
                Types.PVC,
                KubeObject.create(Types.PVC, key)
                        .with(value, "metadata", "annotations", annotation)
                        .with(
                                NodePolicyRules.tree(
                                        "{'accessModes':['ReadWriteOnce'],"
                                                + "'resources':{'requests':{'storage':'1Gi'}}}"),
                                "spec"));
        return key;
    }

    private void patch(ObjectKey claim, String patch) throws Exception {
        operator.mergePatch(Types.PVC, claim, NodePolicyRules.tree(patch));
    }

    private void patchStatus(ObjectKey claim) throws Exception {
        var pending = NodePolicyRules.tree("{'status':{'phase':'Lost'}}");
        operator.mergePatchStatus(Types.PVC, claim, pending);
    }

    private void delete(ObjectKey claim) throws Exception {
        operator.delete(Types.PVC, claim, DeleteOptions.any());
    }

    private interface Act {
        void run() throws Exception;
    }

    private static boolean refused(Act act) throws Exception {
        try {
            act.run();
            return false;
        } catch (ApiException.Forbidden e) {
            return e.getMessage().contains("claims of its own drivers only")
                    || e.getMessage().contains("whose a claim is");
        }
    }

    private boolean refused(ResourceType type, String patch) throws Exception {
        try {
            operator.mergePatch(type, THEIRS, NodePolicyRules.tree(patch));
            return false;
        } catch (ApiException.Forbidden e) {
            return e.getMessage().contains("VolumeSnapshotClasses of its own drivers only");
        }
    }
}
