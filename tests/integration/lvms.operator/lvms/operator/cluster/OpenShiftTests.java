package lvms.operator.cluster;

import static lvms.operator.cluster.Clusters.cluster;
import static lvms.operator.cluster.Clusters.tree;
import static lvms.operator.cluster.Site.CLUSTER;
import static lvms.operator.cluster.Site.NAMESPACE;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;
import lvms.api.Names;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;
import lvms.k8s.yaml.Yaml;
import lvms.operator.agent.AgentConstraints;
import lvms.operator.openshift.ClusterTls;
import lvms.tests.runner.Lasts;
import lvms.tests.server.Definitions;
import lvms.tests.server.OursAlone;

import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Operator and agents run on OpenShift and MicroShift as they do elsewhere. */
@Lasts(seconds = 40)
class OpenShiftTests extends ClusterCase {
    private static final ResourceType SCC = AgentConstraints.TYPE;
    private static final ResourceType INFRASTRUCTURE =
            new ResourceType(
                    "config.openshift.io", "v1", "Infrastructure", "infrastructures", false);
    private static final ObjectKey AGENT = ObjectKey.of(NAMESPACE, "vg-manager");
    private static final String AGENT_ACCOUNT = "system:serviceaccount:lvms-system:vg-manager";
    private static final List<String> AGENT_ACCOUNTS = List.of(AGENT_ACCOUNT);
    private static final String OPERATOR_ACCOUNT =
            "system:serviceaccount:lvms-system:lvms-operator";
    private static final long FIRST_USER = 1_000_650_000;

    /** What every account may use: OpenShift's restricted-v2. */
    private static final String RESTRICTED =
            "{'allowHostDirVolumePlugin':false,'allowHostIPC':false,'allowHostNetwork':false,"
                + "'allowHostPID':false,'allowHostPorts':false,'allowPrivilegedContainer':false,"
                + "'allowedCapabilities':['NET_BIND_SERVICE'],'defaultAddCapabilities':[],"
                + "'priority':0,'readOnlyRootFilesystem':false,"
                + "'requiredDropCapabilities':['ALL'],'runAsUser':{'type':'MustRunAsRange'},"
                + "'groups':['system:authenticated'],'volumes':['configMap','csi',"
                + "'downwardAPI','emptyDir','ephemeral','persistentVolumeClaim','projected',"
                + "'secret']}";

    /** What a role has to allow. */
    private static final String NONROOT =
            RESTRICTED
                    .replace("MustRunAsRange", "MustRunAsNonRoot")
                    .replace("'groups':['system:authenticated'],", "");

    private void openShift() throws Exception {
        Definitions.install(site.kube, Path.of("tests/integration/openshift-crds.yaml"));
        site.createObject(INFRASTRUCTURE, ObjectKey.cluster("cluster"), "{'spec':{}}");
        site.createObject(SCC, ObjectKey.cluster("restricted-v2"), RESTRICTED);
    }

    private PodAdmission admission() throws Exception {
        return new PodAdmission(
                site.kube.list(SCC, ListOptions.all()).items(), FIRST_USER, ofTheOperator());
    }

    /** Returns which constraints the shipped Role lets the operator's pods use. */
    private static Map<String, List<String>> ofTheOperator() throws Exception {
        var manifest = Files.readString(Path.of("deploy/base/operator-rbac.yaml"));
        var names =
                Yaml.readAll(manifest).stream()
                        .map(each -> KubeObject.of(each.asObject()))
                        .filter(each -> each.text("kind").equals(Optional.of("Role")))
                        .flatMap(role -> role.objects("rules").stream())
                        .filter(rule -> rule.at("verbs").toString().contains("\"use\""))
                        .flatMap(rule -> rule.list("resourceNames").texts().stream())
                        .toList();
        return Map.of(OPERATOR_ACCOUNT, names);
    }

    private ObjectTree agent() throws Exception {
        return site.kube
                .get(Types.DAEMON_SET, AGENT)
                .object("spec", "template", "spec")
                .orElseThrow();
    }

    private static ObjectTree operator() throws Exception {
        var manifest = Files.readString(Path.of("deploy/base/operator.yaml"));
        return KubeObject.of(Yaml.readAll(manifest).getFirst().asObject())
                .object("spec", "template", "spec")
                .orElseThrow();
    }

    @Test
    void theAgentsAreRefusedWithoutTheirConstraintsAndAcceptedWithThem() throws Exception {
        openShift();
        var before = admission();
        ready(VG1);
        var refusals = before.refusals(agent(), AGENT_ACCOUNT).toString();
        assertTrue(refusals.contains("allowPrivilegedContainer"), refusals);
        assertTrue(refusals.contains("volume hostPath"), refusals);
        assertEquals(List.of(), admission().refusals(agent(), AGENT_ACCOUNT));
        var others = "system:serviceaccount:elsewhere:vg-manager";
        assertFalse(admission().refusals(agent(), others).isEmpty());
    }

    @Test
    void theOperatorRunsAsAnyUserButRoot() throws Exception {
        openShift();
        site.createObject(SCC, ObjectKey.cluster("nonroot-v2"), NONROOT);
        assertEquals(List.of(), admission().refusals(operator(), OPERATOR_ACCOUNT));
        assertEquals(
                List.of(
                        "nonroot-v2: not for " + AGENT_ACCOUNT,
                        "restricted-v2: user 65532 is not of the namespace's range"),
                admission().refusals(operator(), AGENT_ACCOUNT).stream().sorted().toList());
        var own = operator().with(Tree.of(FIRST_USER + 1), "securityContext", "runAsUser");
        assertEquals(List.of(), admission().refusals(own, AGENT_ACCOUNT));
        var root = operator().with(Tree.of(0L), "securityContext", "runAsUser");
        assertEquals(2, admission().refusals(root, OPERATOR_ACCOUNT).size());
        assertEquals(Optional.of(true), operator().flag("securityContext", "runAsNonRoot"));
    }

    @Test
    void theConstraintsComeBackWhenSomebodyDeletesThemAndGoWithTheCluster() throws Exception {
        openShift();
        ready(VG1);
        site.delete(SCC, AgentConstraints.KEY);
        var again = site.awaitObject(SCC, AgentConstraints.KEY, _ -> true);
        assertEquals(List.of(AGENT_ACCOUNT), again.list("users").texts());
        site.delete(LvmCluster.TYPE, CLUSTER);
        Site.await(
                "the agents end", () -> site.groups().stream().allMatch(KubeObject::terminating));
        site.release("vg1", "n1");
        site.unregister("n1");
        site.awaitGone(LvmCluster.TYPE, CLUSTER);
        site.awaitGone(SCC, AgentConstraints.KEY);
    }

    @Test
    void usersThatSomebodyTakesOutOfTheConstraintsComeBack() throws Exception {
        openShift();
        ready(VG1);
        site.kube
                .withFieldManager("kubectl")
                .mergePatch(SCC, AgentConstraints.KEY, tree("{'users':[]}"));
        site.awaitObject(
                SCC, AgentConstraints.KEY, c -> c.list("users").texts().equals(AGENT_ACCOUNTS));
    }

    /** Agents that ran without their constraints, or with another folder, would be wrong. */
    @Test
    void nothingIsMadeBeforeItIsKnownWhereWeAre() throws Exception {
        openShift();
        site.node("n1");
        site.server
                .faults()
                .answer(r -> r.target().endsWith("/infrastructures/cluster"), 1000, 500, "{}");
        site.startOperator();
        site.create(cluster(VG1));
        Site.await(
                "it is asked for again",
                () ->
                        site.server.faults().requests().stream()
                                        .filter(r -> r.target().contains("/infrastructures/"))
                                        .count()
                                > 2);
        assertTrue(site.kube.find(Types.DAEMON_SET, AGENT).isEmpty());
        assertTrue(site.groups().isEmpty());
        site.server.faults().clear();
        site.awaitObject(SCC, AgentConstraints.KEY, _ -> true);
        site.awaitObject(Types.DAEMON_SET, AGENT, _ -> true);
    }

    /** The predecessor never deletes them, so ours may find what it left. */
    @Test
    void constraintsThatAreLeftOfAnotherNamespaceAreTakenOver() throws Exception {
        openShift();
        site.createObject(
                SCC,
                AgentConstraints.KEY,
                RESTRICTED.replace(
                        "'groups':['system:authenticated']",
                        "'users':['system:serviceaccount:openshift-storage:vg-manager']"));
        ready(VG1);
        var taken = site.kube.get(SCC, AgentConstraints.KEY);
        assertEquals(List.of(AGENT_ACCOUNT), taken.list("users").texts());
        assertEquals(Optional.of(true), taken.flag("allowPrivilegedContainer"));
    }

    @OursAlone("at a real server the definitions of other tests are left")
    @Test
    void nothingOfOpenShiftIsAskedForElsewhere() throws Exception {
        ready(VG1);
        var asked =
                site.server.faults().requests().stream()
                        .map(request -> request.target())
                        .filter(
                                target ->
                                        target.contains("security.openshift.io")
                                                || target.contains("apiservers")
                                                || target.contains("volumesnapshotclasses"))
                        .toList();
        assertEquals(List.of(), asked);
        assertEquals("/var/lib/lvms", configFolder());
    }

    private String configFolder() throws Exception {
        return agent().objects("volumes").stream()
                .filter(volume -> volume.text("name").equals(Optional.of("lvmd-config")))
                .findFirst()
                .flatMap(volume -> volume.text("hostPath", "path"))
                .orElseThrow();
    }

    private List<String> agentTls() throws Exception {
        return agent().objects("containers").getFirst().texts("command").stream()
                .filter(word -> word.startsWith("--tls-"))
                .toList();
    }

    /** New pods come one after the other; their ports then go by what the profile says. */
    @Test
    void theAgentsGetTheTlsProfileAndEachChangeOfIt() throws Exception {
        openShift();
        ready(VG1);
        assertEquals(List.of(), agentTls());
        site.createObject(
                ClusterTls.TYPE,
                ClusterTls.KEY,
                "{'spec':{'tlsSecurityProfile':{'type':'Modern','modern':{}}}}");
        Site.await(
                "the agents' flags",
                () -> agentTls().equals(List.of("--tls-min-version=VersionTLS13")));
        site.delete(ClusterTls.TYPE, ClusterTls.KEY);
        Site.await("no flags", () -> agentTls().isEmpty());
    }

    private void microShift() throws Exception {
        var namespace = ObjectKey.cluster("kube-public");
        if (site.kube.find(Types.NAMESPACE, namespace).isEmpty()) {
            site.namespace(namespace.name());
        }
        site.createObject(
                Types.CONFIG_MAP, ObjectKey.of("kube-public", "microshift-version"), "{}");
        var definition = ObjectKey.cluster(INFRASTRUCTURE.qualifiedPlural());
        if (site.kube.find(Types.CRD, definition).isPresent()) { // of another test, or of OpenShift
            site.kube.delete(Types.CRD, definition, DeleteOptions.any());
            site.awaitGone(Types.CRD, definition);
        }
    }

    @Test
    void onMicroShiftTheDeviceClassesAreInItsFolder() throws Exception {
        microShift();
        ready(VG1);
        assertEquals("/var/lib/microshift/lvms", configFolder());
    }

    @Test
    void onMicroShiftTheAgentsHaveTheirConstraintsToo() throws Exception {
        Definitions.install(site.kube, Path.of("tests/integration/openshift-crds.yaml"));
        microShift();
        ready(VG1);
        assertEquals(List.of(), admission().refusals(agent(), AGENT_ACCOUNT));
    }

    /** The file says what a node's volumes are made with; nobody may lose it to an upgrade. */
    @Test
    void theDeviceClassesStayWhereADaemonSetHasThem() throws Exception {
        site.createObject(
                Types.DAEMON_SET,
                AGENT,
                "{'spec':{'selector':{'matchLabels':{'app.kubernetes.io/name':'vg-manager',"
                        + "'app.kubernetes.io/managed-by':'lvms-operator',"
                        + "'app.kubernetes.io/part-of':'lvms-provisioner',"
                        + "'app.kubernetes.io/component':'vg-manager'}},"
                        + "'template':{'metadata':{'labels':{'app.kubernetes.io/name':'vg-manager',"
                        + "'app.kubernetes.io/managed-by':'lvms-operator',"
                        + "'app.kubernetes.io/part-of':'lvms-provisioner',"
                        + "'app.kubernetes.io/component':'vg-manager'}},'spec':{"
                        + "'containers':[{'name':'vg-manager','image':'old','volumeMounts':["
                        + "{'name':'lvmd-config','mountPath':'/etc/topolvm'}]}],"
                        + "'volumes':[{'name':'lvmd-config',"
                        + "'hostPath':{'path':'/etc/topolvm'}}]}}}}");
        ready(VG1);
        assertEquals("/etc/topolvm", configFolder());
    }

    @Test
    void theNetworkPoliciesComeBackWhenSomebodyDeletesThem() throws Exception {
        ready(VG1);
        for (var name : List.of("lvms-operator-allow", "lvms-default-deny")) {
            var key = ObjectKey.of(NAMESPACE, name);
            var before = site.kube.get(Types.NETWORK_POLICY, key).uid();
            site.delete(Types.NETWORK_POLICY, key);
            site.awaitObject(Types.NETWORK_POLICY, key, policy -> !policy.uid().equals(before));
        }
    }

    @Test
    void aSnapshotClassComesBackWhenSomebodyDeletesIt() throws Exception {
        Definitions.install(
                site.kube, Path.of("tests/lab/lvms.tests/resources/snapshot-crds.yaml"));
        ready(VG1);
        var key = ObjectKey.cluster("lvms-vg1");
        var before = site.awaitObject(Types.VOLUME_SNAPSHOT_CLASS, key, _ -> true).uid();
        site.delete(Types.VOLUME_SNAPSHOT_CLASS, key);
        site.awaitObject(Types.VOLUME_SNAPSHOT_CLASS, key, c -> !c.uid().equals(before));
    }

    @Test
    void aSnapshotClassGoesWithItsDeviceClassAndTheOthersWithTheCluster() throws Exception {
        Definitions.install(
                site.kube, Path.of("tests/lab/lvms.tests/resources/snapshot-crds.yaml"));
        var second = VG1.replace("vg1", "vg2").replace("'default':true,", "").replace("vda", "vdb");
        ready(VG1, second);
        for (var name : List.of("lvms-vg1", "lvms-vg2")) {
            site.awaitObject(Types.VOLUME_SNAPSHOT_CLASS, ObjectKey.cluster(name), _ -> true);
        }
        site.edit("{'spec':{'storage':{'deviceClasses':[" + VG1 + "]}}}");
        site.awaitGone(Types.VOLUME_SNAPSHOT_CLASS, ObjectKey.cluster("lvms-vg2"));
        site.awaitObject(LvmVolumeGroup.TYPE, group("vg2"), KubeObject::terminating);
        site.release("vg2", "n1");
        site.awaitGone(LvmVolumeGroup.TYPE, group("vg2"));
        site.delete(LvmCluster.TYPE, CLUSTER);
        site.awaitObject(LvmVolumeGroup.TYPE, group("vg1"), KubeObject::terminating);
        site.release("vg1", "n1");
        site.unregister("n1");
        site.awaitGone(LvmCluster.TYPE, CLUSTER);
        site.awaitGone(Types.VOLUME_SNAPSHOT_CLASS, ObjectKey.cluster("lvms-vg1"));
    }

    private void starting() throws Exception {
        site.node("n1");
        site.unregister("n1");
        site.startOperator();
        site.create(cluster(VG1));
        site.rollOut(1);
        site.kube
                .withFieldManager("daemon-set-controller")
                .mergePatchStatus(Types.DAEMON_SET, AGENT, tree("{'status':{'numberReady':0}}"));
    }

    private String awaitMessage(String text) throws Exception {
        return site.awaitObject(
                        LvmCluster.TYPE,
                        CLUSTER,
                        o ->
                                o.condition(Names.CONDITION_RESOURCES)
                                        .filter(c -> c.message().contains(text))
                                        .isPresent())
                .condition(Names.CONDITION_RESOURCES)
                .orElseThrow()
                .message();
    }

    @Test
    void theConditionHasTheReasonOfAPodThatCannotStart() throws Exception {
        starting();
        var pod = ObjectKey.of(NAMESPACE, "vg-manager-x");
        site.createObject(
                Types.POD,
                pod,
                "{'metadata':{'name':'vg-manager-x','namespace':'lvms-system','labels':{"
                        + "'app.kubernetes.io/name':'vg-manager',"
                        + "'app.kubernetes.io/managed-by':'lvms-operator',"
                        + "'app.kubernetes.io/part-of':'lvms-provisioner',"
                        + "'app.kubernetes.io/component':'vg-manager'}},"
                        + "'spec':{'nodeName':'n1','containers':["
                        + "{'name':'vg-manager','image':'localhost/lvms:test'}]}}");
        site.kube
                .withFieldManager("kubelet")
                .mergePatchStatus(
                        Types.POD,
                        pod,
                        tree(
                                "{'status':{'containerStatuses':[{'name':'vg-manager',"
                                        + "'image':'localhost/lvms:test','imageID':'',"
                                        + "'ready':false,'restartCount':0,'state':{'waiting':{"
                                        + "'reason':'CreateContainerError','message':"
                                        + "'mkdir /etc/topolvm: read-only file system'}}}]}}"));
        var message =
                awaitMessage(
                        "node n1: the vg-manager pod cannot start: CreateContainerError: mkdir"
                                + " /etc/topolvm: read-only file system");
        assertFalse(message.contains("--kubelet-root"), message);
    }

    @Test
    void theConditionHasTheReasonWhyThereAreNoPods() throws Exception {
        starting();
        site.createObject(
                Types.EVENT,
                ObjectKey.of(NAMESPACE, "e"),
                "{'eventTime':'2026-01-01T00:00:00.000000Z','type':'Warning',"
                        + "'reason':'FailedCreate','action':'Creating',"
                        + "'reportingController':'daemonset-controller','reportingInstance':'c',"
                        + "'note':'pods are forbidden: exceeded quota',"
                        + "'regarding':{'apiVersion':'apps/v1','kind':'DaemonSet',"
                        + "'name':'vg-manager','namespace':'lvms-system'}}");
        awaitMessage("exceeded quota");
    }
}
