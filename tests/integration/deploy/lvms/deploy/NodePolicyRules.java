package lvms.deploy;

import static lvms.deploy.Admin.NAMESPACE;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * What {@code deploy/} lets a node agent write: everything about its own node, nothing about
 * another. The server is up to the subclass.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class NodePolicyRules {
    private static final String OWN = "n1";
    private static final String OTHER = "n2";
    private static final String MANAGER = "vg-manager";
    private static final ObjectKey GROUP = ObjectKey.of(NAMESPACE, "vg1");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir static Path directory;
    Admin admin;
    KubeClient root;
    private KubeClient agent;

    /** Starts a server without any object of ours; returns its administrator's kubeconfig. */
    abstract Path start() throws Exception;

    abstract void stop() throws Exception;

    @BeforeAll
    void install() throws Exception {
        admin = new Admin(start(), directory);
        root = admin.client("test");
        admin.succeed("apply", "--kustomize=deploy/guard");
        admin.succeed("apply", "--kustomize=deploy");
        for (var node : new String[] {OWN, OTHER}) {
            node(node);
        }
        create(LvmVolumeGroup.TYPE, GROUP, "{'spec':{'default':true}}");
        agent =
                admin.account(
                                MANAGER,
                                "--bound-object-kind=Pod",
                                "--bound-object-name=agent-" + OWN)
                        .client(MANAGER);
        awaitPolicy();
    }

    @AfterAll
    void uninstall() throws Exception {
        if (agent != null) {
            agent.close();
        }
        if (root != null) {
            root.close();
        }
        stop();
    }

    private void node(String node) throws Exception {
        create(Types.NODE, ObjectKey.cluster(node), "{'metadata':{'labels':{'zone':'a'}}}");
        create(LvmVolumeGroupNodeStatus.TYPE, ObjectKey.of(NAMESPACE, node), "{'spec':{}}");
        create(
                LogicalVolume.TYPE,
                volume(node),
                "{'spec':{'name':'pvc-%s','nodeName':'%s','size':'1Gi'}}".formatted(node, node));
        create(
                Types.POD,
                ObjectKey.of(NAMESPACE, "agent-" + node),
                "{'spec':{'serviceAccountName':'vg-manager','nodeName':'%s','containers':"
                                .formatted(node)
                        + "[{'name':'vg-manager','image':'localhost/none'}]}}");
    }

    private static ObjectKey volume(String node) {
        return ObjectKey.cluster("pvc-" + node);
    }

    static ObjectTree tree(String json) {
        return Json.parse(json.replace('\'', '"')).asObject();
    }

    final void create(ResourceType type, ObjectKey key, String json) throws Exception {
        var tree = KubeObject.create(type, key);
        for (var part : tree(json).members().entrySet()) {
            if (part.getKey().equals("metadata")) {
                for (var field : part.getValue().asObject().members().entrySet()) {
                    tree = tree.with(field.getValue(), "metadata", field.getKey());
                }
            } else {
                tree = tree.with(part.getValue(), part.getKey());
            }
        }
        root.create(type, tree);
    }

    /** A policy is in force some time after it was made. */
    private void awaitPolicy() throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                write(LogicalVolume.TYPE, volume(OTHER), "{'metadata':{'labels':{'a':'b'}}}");
            } catch (ApiException.Forbidden e) {
                return;
            }
            assertTrue(System.nanoTime() < end, "the policy is not in force");
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    private void write(ResourceType type, ObjectKey key, String patch) throws Exception {
        agent.mergePatch(type, key, tree(patch));
    }

    private void refused(ResourceType type, ObjectKey key, String patch, String message) {
        var refusal =
                assertThrows(ApiException.Forbidden.class, () -> write(type, key, patch), patch);
        assertTrue(refusal.getMessage().contains(message), refusal.getMessage());
    }

    private static ObjectKey node(int number) {
        return ObjectKey.cluster("n" + number);
    }

    @Test
    void anAgentWritesFinalizerLabelAndStatusOfItsOwnVolumes() throws Exception {
        write(
                LogicalVolume.TYPE,
                volume(OWN),
                "{'metadata':{'finalizers':['topolvm.io/logicalvolume'],'labels':{'a':'b'}}}");
        var uid = root.get(LogicalVolume.TYPE, volume(OWN)).uid();
        agent.mergePatchStatus(
                LogicalVolume.TYPE,
                volume(OWN),
                tree("{'status':{'volumeID':'" + uid + "','currentSize':'1Gi'}}"));
        assertEquals(
                uid, root.get(LogicalVolume.TYPE, volume(OWN)).text("status", "volumeID").get());
        refused(
                LogicalVolume.TYPE,
                volume(OWN),
                "{'spec':{'size':'2Gi'}}",
                "the node agent of n1 writes LogicalVolumes of its own node only, and not their");
    }

    @Test
    @Safety(18)
    void anAgentClaimsNoVolumeOfAnotherNode() throws Exception {
        var key = ObjectKey.cluster("pvc-thief");
        create(
                LogicalVolume.TYPE,
                key,
                "{'spec':{'name':'pvc-thief','nodeName':'" + OWN + "','size':'1Gi'}}");
        var victim = root.get(LogicalVolume.TYPE, volume(OTHER)).uid();
        var own = root.get(LogicalVolume.TYPE, key).uid();
        requireNotClaimed(key, victim);
        agent.mergePatchStatus(
                LogicalVolume.TYPE, key, tree("{'status':{'volumeID':'" + own + "'}}"));
        requireNotClaimed(key, victim);
    }

    private void requireNotClaimed(ObjectKey key, String id) {
        var refusal =
                assertThrows(
                        ApiException.Forbidden.class,
                        () ->
                                agent.mergePatchStatus(
                                        LogicalVolume.TYPE,
                                        key,
                                        tree("{'status':{'volumeID':'" + id + "'}}")));
        assertTrue(
                refusal.getMessage().contains("the id of its own volume only, and once"),
                refusal.getMessage());
    }

    /** Whoever installs with another namespace is guarded as well. */
    @Test
    @Safety(35)
    void thePolicyHoldsInWhicheverNamespaceTheAgentRuns() throws Exception {
        admin.apply(
                """
                apiVersion: v1
                kind: Namespace
                metadata: {name: elsewhere}
                ---
                apiVersion: v1
                kind: ServiceAccount
                metadata: {name: vg-manager, namespace: elsewhere}
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: vg-manager-elsewhere}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: vg-manager}
                subjects: [{kind: ServiceAccount, name: vg-manager, namespace: elsewhere}]
                """);
        try (var other = admin.accountOf("elsewhere", MANAGER).client(MANAGER)) {
            var label = tree("{'metadata':{'labels':{'a':'b'}}}");
            assertThrows(
                    ApiException.Forbidden.class,
                    () -> other.mergePatch(LogicalVolume.TYPE, volume(OTHER), label));
            assertThrows(
                    ApiException.Forbidden.class,
                    () -> other.mergePatch(Types.NODE, node(2), label));
        }
    }

    @Test
    void anAgentWritesNoVolumeOfAnotherNode() {
        refused(
                LogicalVolume.TYPE,
                volume(OTHER),
                "{'metadata':{'finalizers':['x.y/z']}}",
                "the node agent of n1 writes LogicalVolumes of its own node only");
        refused(LogicalVolume.TYPE, volume(OTHER), "{'spec':{'nodeName':'n1'}}", "of its own node");
        assertThrows(
                ApiException.Forbidden.class,
                () ->
                        agent.mergePatchStatus(
                                LogicalVolume.TYPE,
                                volume(OTHER),
                                tree("{'status':{'volumeID':'v'}}")));
    }

    /** Where NativeStor's place was taken, its LogicalVolumes are in the group of the old name. */
    @Test
    @Safety(18)
    void theSameHoldsForVolumesOfTheOldGroup() throws Exception {
        var type = Driver.LEGACY.logicalVolumes();
        admin.succeed("apply", "--kustomize=deploy/legacy");
        admin.succeed("apply", "--filename=deploy/nativestor/old-volumes-rbac.yaml");
        var spec = "{'spec':{'name':'pvc-%1$s','nodeName':'%1$s','size':'1Gi'}}";
        Patience.until("the type is served", () -> root.serves(type));
        for (var node : new String[] {OWN, OTHER}) {
            create(type, volume(node), spec.formatted(node));
        }
        var label = "{'metadata':{'labels':{'a':'b'}}}";
        Patience.until("the agent may write", () -> written(type, volume(OWN), label));
        var message = "the node agent of n1 writes LogicalVolumes of its own node only";
        refused(type, volume(OTHER), label, message);
        refused(type, volume(OWN), "{'spec':{'size':'2Gi'}}", message);
        var refusal =
                assertThrows(
                        ApiException.Forbidden.class,
                        () -> agent.delete(type, volume(OWN), DeleteOptions.any()));
        assertTrue(refusal.getMessage().contains("delete"), refusal.getMessage());
    }

    private boolean written(ResourceType type, ObjectKey key, String patch) throws Exception {
        try {
            write(type, key, patch);
            return true;
        } catch (ApiException.Forbidden _) {
            return false;
        }
    }

    @Test
    void anAgentReportsItsOwnNodeOnly() throws Exception {
        var report =
                "{'spec':{'nodeStatus':[{'name':'vg1','status':'Ready',"
                        + "'deviceDiscoveryPolicy':'RuntimeStatic'}]}}";
        write(LvmVolumeGroupNodeStatus.TYPE, ObjectKey.of(NAMESPACE, OWN), report);
        refused(
                LvmVolumeGroupNodeStatus.TYPE,
                ObjectKey.of(NAMESPACE, OTHER),
                report,
                "the node agent of n1 writes the LVMVolumeGroupNodeStatus of its own node only");
        refused(
                LvmVolumeGroupNodeStatus.TYPE,
                ObjectKey.of(NAMESPACE, OWN),
                "{'metadata':{'finalizers':['x.y/z']}}",
                "not its finalizers");
    }

    @Test
    void anAgentTellsTheFreeBytesOfItsOwnNodeOnly() throws Exception {
        var capacity = "{'metadata':{'annotations':{'capacity.topolvm.io/vg1':'1024'}}}";
        write(Types.NODE, node(1), capacity);
        write(Types.NODE, node(1), capacity.replace("'1024'", "null"));
        var old = capacity.replace("topolvm.io", "topolvm.cybozu.com");
        write(Types.NODE, node(1), old);
        write(Types.NODE, node(1), old.replace("'1024'", "null"));
        var message = "the node agent of n1 writes annotations capacity.topolvm.io/ ";
        refused(Types.NODE, node(2), capacity, message);
        refused(Types.NODE, node(2), old, message);
        refused(Types.NODE, node(1), "{'metadata':{'labels':{'zone':'b'}}}", message);
        refused(Types.NODE, node(1), "{'metadata':{'annotations':{'other':'1'}}}", message);
        refused(Types.NODE, node(1), "{'spec':{'unschedulable':true}}", message);
        refused(
                Types.NODE,
                node(1),
                "{'spec':{'taints':[{'key':'a','effect':'NoSchedule'}]}}",
                message);
    }

    @Safety(5)
    @Test
    void anAgentHoldsItsOwnNodeAndLetsNoneGo() throws Exception {
        var held = "{'metadata':{'finalizers':['topolvm.io/node']}}";
        write(
                Types.NODE,
                node(1),
                "{'metadata':{'finalizers':['topolvm.cybozu.com/node','topolvm.io/node']}}");
        write(Types.NODE, node(1), held);
        var message = "the node agent of n1 writes annotations capacity.topolvm.io/ ";
        refused(Types.NODE, node(2), held, message);
        refused(Types.NODE, node(1), "{'metadata':{'finalizers':null}}", message);
        refused(
                Types.NODE,
                node(1),
                "{'metadata':{'finalizers':['topolvm.io/node','x.y/z']}}",
                message);
        root.mergePatch(Types.NODE, node(1), tree("{'metadata':{'finalizers':null}}"));
    }

    /** The finalizer of TopoLVM's old name makes room for ours, and never before. */
    @Test
    @Safety(5)
    void anAgentDropsTheOldFinalizerOfANodeThatItHolds() throws Exception {
        root.mergePatch(
                Types.NODE,
                node(1),
                tree("{'metadata':{'finalizers':['topolvm.cybozu.com/node']}}"));
        var message = "the node agent of n1 writes annotations capacity.topolvm.io/ ";
        refused(Types.NODE, node(1), "{'metadata':{'finalizers':null}}", message);
        write(Types.NODE, node(1), "{'metadata':{'finalizers':['topolvm.io/node']}}");
        root.mergePatch(Types.NODE, node(1), tree("{'metadata':{'finalizers':null}}"));
    }

    @Test
    void anAgentSetsItsOwnMarksOnAGroup() throws Exception {
        root.mergePatch(
                LvmVolumeGroup.TYPE,
                GROUP,
                tree("{'metadata':{'finalizers':['cleanup.vgmanager.node.topolvm.io/n2']}}"));
        var both =
                "{'metadata':{'finalizers':['cleanup.vgmanager.node.topolvm.io/n2',"
                        + "'cleanup.vgmanager.node.topolvm.io/n1']}}";
        var wiped = "{'metadata':{'annotations':{'wiped.devices.lvms.openshift.io/n1':'then'}}}";
        write(LvmVolumeGroup.TYPE, GROUP, both);
        write(LvmVolumeGroup.TYPE, GROUP, wiped);
        var message = "the node agent of n1 writes the marks of its own node on an LVMVolumeGroup";
        refused(LvmVolumeGroup.TYPE, GROUP, "{'metadata':{'finalizers':null}}", message);
        refused(LvmVolumeGroup.TYPE, GROUP, wiped.replace("/n1", "/n2"), message);
        refused(LvmVolumeGroup.TYPE, GROUP, "{'spec':{'default':false}}", message);
        refused(
                LvmVolumeGroup.TYPE,
                GROUP,
                "{'metadata':{'ownerReferences':[{'apiVersion':'v1','kind':'Node',"
                        + "'name':'gone','uid':'0'}]}}",
                message);
        write(
                LvmVolumeGroup.TYPE,
                GROUP,
                both.replace(",'cleanup.vgmanager.node.topolvm.io/n1'", ""));
    }

    @Test
    void anAgentReportsEventsInItsOwnNameOnly() throws Exception {
        agent.create(Types.EVENT, event("e1", OWN));
        var refusal =
                assertThrows(
                        ApiException.Forbidden.class,
                        () -> agent.create(Types.EVENT, event("e2", OTHER)));
        assertTrue(
                refusal.getMessage()
                        .contains("the node agent of n1 reports events in its own name only"),
                refusal.getMessage());
        root.create(Types.EVENT, event("e3", OTHER));
        refused(
                Types.EVENT,
                ObjectKey.of(NAMESPACE, "e3"),
                "{'series':{'count':2,'lastObservedTime':'2026-01-01T00:00:00.000000Z'}}",
                "in its own name only");
    }

    private static KubeObject event(String name, String instance) {
        return KubeObject.create(Types.EVENT, ObjectKey.of(NAMESPACE, name))
                .with("2026-01-01T00:00:00.000000Z", "eventTime")
                .with("vg-manager", "reportingController")
                .with(instance, "reportingInstance")
                .with("Reconcile", "action")
                .with("Test", "reason")
                .with("Normal", "type")
                .with(
                        tree(
                                "{'apiVersion':'lvm.topolvm.io/v1alpha1','kind':'LVMVolumeGroup',"
                                        + "'namespace':'lvms-system','name':'vg1'}"),
                        "regarding");
    }

    @Test
    void aTokenThatNamesNoNodeWritesNothing() throws Exception {
        try (var anywhere = admin.account(MANAGER).client(MANAGER)) {
            var refusal =
                    assertThrows(
                            ApiException.Forbidden.class,
                            () ->
                                    anywhere.mergePatch(
                                            LogicalVolume.TYPE,
                                            volume(OWN),
                                            tree("{'metadata':{'labels':{'a':'b'}}}")));
            assertTrue(
                    refusal.getMessage().contains("the token of this node agent names no node"),
                    refusal.getMessage());
        }
    }

    @Test
    void othersAreNotJudged() throws Exception {
        root.mergePatch(LogicalVolume.TYPE, volume(OTHER), tree("{'spec':{'size':'2Gi'}}"));
        root.mergePatch(Types.NODE, node(2), tree("{'metadata':{'labels':{'z':'c'}}}"));
    }
}
