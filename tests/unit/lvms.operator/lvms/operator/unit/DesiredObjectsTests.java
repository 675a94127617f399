package lvms.operator.unit;

import static lvms.operator.cluster.Clusters.cluster;
import static lvms.operator.cluster.Clusters.node;
import static lvms.operator.cluster.Clusters.object;
import static lvms.operator.cluster.Clusters.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LvmCluster;
import lvms.api.Names;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.yaml.Yaml;
import lvms.operator.agent.AgentSettings;
import lvms.operator.agent.HostPaths;
import lvms.operator.agent.OperatorImage;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The objects that a cluster asks for are exactly those that its predecessors made. */
class DesiredObjectsTests {
    private static final String THIN =
            "{'name':'vg1','default':true,"
                    + "'thinPoolConfig':{'name':'thin-pool-1','overprovisionRatio':10}}";
    private static final String NODES =
            "'nodeSelector':{'nodeSelectorTerms':[{'matchExpressions':"
                    + "[{'key':'zone','operator':'In','values':['%s']}]}]}";
    private static final Map<String, String> OWNED_BY =
            Map.of(
                    "owned-by.topolvm.io/name", "my",
                    "owned-by.topolvm.io/namespace", "lvms-system",
                    "owned-by.topolvm.io/uid", "u1",
                    "owned-by.topolvm.io/group", "lvm.topolvm.io",
                    "owned-by.topolvm.io/version", "v1alpha1",
                    "owned-by.topolvm.io/kind", "LVMCluster");

    private static void assertOwned(KubeObject object) {
        assertEquals(
                List.of(
                        tree(
                                "{'apiVersion':'lvm.topolvm.io/v1alpha1','kind':'LVMCluster',"
                                        + "'name':'my','uid':'u1','controller':true,"
                                        + "'blockOwnerDeletion':true}")),
                object.objects("metadata", "ownerReferences"));
    }

    /** Kubelet's probes come from the node, which no policy keeps out. */
    @Test
    @Safety(33)
    void thePolicyLetsNobodyIntoThePodsOfOperatorAndAgent() throws IOException {
        var policy = manifest("network-policy.yaml");
        var wanted = policy.textMap("spec", "podSelector", "matchLabels");
        var operator = manifest("operator.yaml").textMap("spec", "template", "metadata", "labels");
        assertTrue(operator.entrySet().containsAll(wanted.entrySet()), operator.toString());
        assertTrue(AgentDaemonSet.LABELS.entrySet().containsAll(wanted.entrySet()));
        assertEquals(List.of("Ingress"), policy.list("spec", "policyTypes").texts());
        assertTrue(policy.value("spec", "ingress").isEmpty());
    }

    /** Killing what only waits for a CPU would also end what LVM is doing there. */
    @Test
    @Safety(25)
    void aProcessThatGetsNoCpuForSomeSecondsIsNotKilled() throws IOException {
        for (var workload : List.of(manifest("operator.yaml"), daemonSet(cluster(THIN)))) {
            var container = KubeObject.of(container(workload));
            var seconds = container.number("livenessProbe", "timeoutSeconds").orElseThrow();
            assertTrue(seconds >= 10, container.toString());
        }
    }

    private static KubeObject manifest(String name) throws IOException {
        var text = Files.readString(Path.of("deploy/base", name));
        return KubeObject.of(Yaml.readAll(text).getFirst().asObject());
    }

    @Test
    void theDriverIsThatOfTopolvm() {
        var driver = CsiDriverUnit.desired(cluster(THIN));
        assertEquals("topolvm.io", driver.name());
        assertEquals(OWNED_BY, driver.labels());
        assertEquals(
                tree(
                        "{'attachRequired':false,'podInfoOnMount':true,'seLinuxMount':true,"
                                + "'storageCapacity':true,'volumeLifecycleModes':['Persistent']}"),
                driver.object("spec").orElseThrow());
    }

    @Test
    void aClassBecomesAStorageClassWithItsDefaults() {
        var storageClass = StorageClassUnit.desired(cluster(THIN), List.of()).getFirst();
        assertEquals("lvms-vg1", storageClass.name());
        assertEquals("storage.k8s.io/v1", storageClass.apiVersion());
        assertEquals("topolvm.io", storageClass.text("provisioner").orElseThrow());
        assertEquals("Delete", storageClass.text("reclaimPolicy").orElseThrow());
        assertEquals("WaitForFirstConsumer", storageClass.text("volumeBindingMode").orElseThrow());
        assertTrue(storageClass.flag("allowVolumeExpansion").orElseThrow());
        assertEquals(
                Map.of("topolvm.io/device-class", "vg1", "csi.storage.k8s.io/fstype", "xfs"),
                storageClass.textMap("parameters"));
        assertEquals(OWNED_BY, storageClass.labels());
        assertTrue(storageClass.annotations().containsKey("description"));
    }

    @Test
    void theOptionsOfAClassAreInItsStorageClassButOursWin() {
        var storageClass =
                StorageClassUnit.desired(
                                cluster(
                                        "{'name':'vg1','fstype':'ext4','storageClassOptions':{"
                                                + "'reclaimPolicy':'Retain',"
                                                + "'volumeBindingMode':'Immediate',"
                                                + "'additionalParameters':{'a':'b',"
                                                + "'topolvm.io/device-class':'x'},"
                                                + "'additionalLabels':{'c':'d',"
                                                + "'owned-by.topolvm.io/uid':'x'}}}"),
                                List.of())
                        .getFirst();
        assertEquals("Retain", storageClass.text("reclaimPolicy").orElseThrow());
        assertEquals("Immediate", storageClass.text("volumeBindingMode").orElseThrow());
        assertEquals(
                Map.of(
                        "a", "b",
                        "topolvm.io/device-class", "vg1",
                        "csi.storage.k8s.io/fstype", "ext4"),
                storageClass.textMap("parameters"));
        assertEquals("d", storageClass.labels().get("c"));
        assertEquals("u1", storageClass.labels().get("owned-by.topolvm.io/uid"));
    }

    @ParameterizedTest(name = "flag {0}, other default {1}, itself default {2}: {3}")
    @CsvSource({
        "true,'',false,true",
        "true,other,false,false",
        "true,other,true,true",
        "true,lvms-vg2,false,true",
        "false,'',false,false",
        "false,'',true,false"
    })
    void aClassIsTheDefaultUnlessAnotherVendorsIs(
            boolean flag, String other, boolean itself, boolean expected) {
        var cluster =
                cluster("{'name':'vg1','default':" + flag + "}", "{'name':'vg2','default':false}");
        var present =
                List.of(
                        storageClass("lvms-vg1", itself),
                        storageClass(other.isEmpty() ? "plain" : other, !other.isEmpty()));
        var wanted = StorageClassUnit.desired(cluster, present).getFirst();
        assertEquals(
                Boolean.toString(expected),
                wanted.annotations().get("storageclass.kubernetes.io/is-default-class"));
    }

    private static KubeObject storageClass(String name, boolean isDefault) {
        return object(
                "{'metadata':{'name':'"
                        + name
                        + "','annotations':{'storageclass.kubernetes.io/is-default-class':'"
                        + isDefault
                        + "'}}}");
    }

    @Test
    void eachClassHasASnapshotClass() {
        var classes = SnapshotClassUnit.desired(cluster(THIN, "{'name':'thick'}"));
        assertEquals(
                List.of("lvms-vg1", "lvms-thick"), classes.stream().map(KubeObject::name).toList());
        var snapshotClass = classes.getFirst();
        assertEquals("lvms-vg1", snapshotClass.name());
        assertEquals("topolvm.io", snapshotClass.text("driver").orElseThrow());
        assertEquals("Delete", snapshotClass.text("deletionPolicy").orElseThrow());
        assertEquals(OWNED_BY, snapshotClass.labels());
    }

    @Test
    void aClassBecomesAVolumeGroupWithEveryFieldThatConcernsNodes() {
        var common =
                "'deviceDiscoveryPolicy':'Static','deviceSelector':{'paths':['/dev/a'],"
                        + "'optionalPaths':['/dev/b'],'forceWipeDevicesAndDestroyAllData':true},"
                        + NODES.formatted("x")
                        + ",'thinPoolConfig':{'name':'p','sizePercent':80,'overprovisionRatio':5,"
                        + "'chunkSizeCalculationPolicy':'Static','chunkSize':'256Ki',"
                        + "'metadataSizeCalculationPolicy':'Static','metadataSize':'2Gi',"
                        + "'thresholdPercent':85}";
        var group =
                VolumeGroupUnit.desired(
                                cluster("{'name':'vg1','fstype':'ext4'," + common + "}"),
                                _ -> Optional.empty())
                        .getFirst();
        assertEquals("lvms-system/vg1", group.key().toString());
        assertOwned(group);
        assertEquals(tree("{'default':true," + common + "}"), group.object("spec").orElseThrow());
    }

    @Test
    void amongSeveralOnlyTheMarkedClassIsTheDefaultOfTheNodes() {
        var groups =
                VolumeGroupUnit.desired(
                        cluster("{'name':'a'}", "{'name':'b','default':true}"),
                        _ -> Optional.empty());
        assertEquals(
                List.of(false, true),
                groups.stream().map(g -> g.flag("spec", "default").orElseThrow()).toList());
    }

    @ParameterizedTest(name = "class {0}, LVMVolumeGroup {1}: {2}")
    @CsvSource({
        "'',none,Static",
        "'',unset,",
        "'',Static,Static",
        "'',Dynamic,Dynamic",
        "Dynamic,none,Dynamic",
        "Dynamic,Static,Dynamic",
        "paths,none,"
    })
    @Safety(16)
    void aNewClassThatSaysNothingTakesNoLaterDevicesAndAnOldOneKeepsWhatItHas(
            String written, String there, String expected) {
        var field = "'deviceDiscoveryPolicy':'%s'";
        var spec =
                switch (written) {
                    case "" -> "{'name':'a'}";
                    case "paths" -> "{'name':'a','deviceSelector':{'paths':['/dev/a']}}";
                    default -> "{'name':'a'," + field.formatted(written) + "}";
                };
        var present =
                switch (there) {
                    case "none" -> Optional.<KubeObject>empty();
                    case "unset" -> Optional.of(object("{'spec':{}}"));
                    default -> Optional.of(object("{'spec':{" + field.formatted(there) + "}}"));
                };
        var group = VolumeGroupUnit.desired(cluster(spec), _ -> present).getFirst();
        assertEquals(Optional.ofNullable(expected), group.text("spec", "deviceDiscoveryPolicy"));
    }

    @Test
    void everyNodeWithAnAgentHasAStatus() {
        var cluster = cluster("{'name':'a'}");
        var statuses =
                NodeStatusUnit.desired(
                        cluster,
                        List.of(
                                node("n1"),
                                node("n2", "{'key':'mine','effect':'NoSchedule'}"),
                                node(
                                        "n3",
                                        "{'key':'node.kubernetes.io/unschedulable',"
                                                + "'effect':'NoSchedule'}")));
        assertEquals(List.of("n1", "n3"), statuses.stream().map(KubeObject::name).toList());
        assertOwned(statuses.getFirst());
        assertEquals(
                List.of("delete-protection.lvm.openshift.io"), statuses.getFirst().finalizers());
    }

    @Test
    void aStatusCarriesWhatTheClusterSaysAboutLogsAndNothingElse() {
        var plain = cluster("{'name':'a'}");
        var annotated =
                LvmCluster.of(
                        plain.object()
                                .with(
                                        "debug",
                                        "metadata",
                                        "annotations",
                                        Names.LOG_LEVEL_ANNOTATION)
                                .with("x", "metadata", "annotations", "other"));
        assertEquals(
                Map.of(Names.LOG_LEVEL_ANNOTATION, "debug"),
                NodeStatusUnit.desired(annotated, List.of(node("n1"))).getFirst().annotations());
        assertEquals(
                Map.of(),
                NodeStatusUnit.desired(plain, List.of(node("n1"))).getFirst().annotations());
    }

    private static KubeObject daemonSet(LvmCluster cluster) {
        return daemonSet(cluster, AgentSettings.DEFAULT);
    }

    private static KubeObject daemonSet(LvmCluster cluster, AgentSettings settings) {
        var image = new OperatorImage("localhost/lvms:1", List.of());
        return AgentDaemonSet.desired(cluster, image, settings, "/var/lib/lvms");
    }

    private static ObjectTree container(KubeObject daemonSet) {
        return daemonSet.objects("spec", "template", "spec", "containers").getFirst();
    }

    @Test
    void theAgentRunsPrivilegedFromTheImageOfTheOperator() {
        var daemonSet = daemonSet(cluster(THIN));
        assertEquals("lvms-system/vg-manager", daemonSet.key().toString());
        assertOwned(daemonSet);
        var container = container(daemonSet);
        assertEquals("localhost/lvms:1", container.at("image").asText());
        assertEquals(
                tree("{'privileged':true,'runAsUser':0}"),
                container.at("securityContext").asObject());
        assertFalse(container.at("resources").asObject().has("limits"));
        assertTrue(daemonSet.flag("spec", "template", "spec", "hostPID").orElseThrow());
        assertEquals(
                "vg-manager",
                daemonSet.text("spec", "template", "spec", "serviceAccountName").orElseThrow());
    }

    /** kubelet mounts a file for the message, which the runtime has to make first. */
    @Test
    void theMessageOfAPodThatOnlyReadsIsNotBelowAFolderOfTheHost() {
        var key = ObjectKey.of("kube-system", "look");
        var image = new OperatorImage("localhost/lvms:1", List.of());
        var pod = DiskPod.of(key, "n1", image, List.of("disks", "--local"));
        var container = pod.objects("spec", "containers").getFirst();
        var message = container.text("terminationMessagePath").orElseThrow();
        for (var mount : container.objects("volumeMounts")) {
            assertEquals(Optional.of(true), mount.flag("readOnly"));
            assertFalse(message.startsWith(mount.text("mountPath").orElseThrow() + "/"), message);
        }
    }

    /** OpenShift lets such pods run on the CPUs that are set aside for the platform. */
    @Test
    void allPodsMayBePartOfThePlatform() throws IOException {
        var management = Optional.of("{\"effect\": \"PreferredDuringScheduling\"}");
        for (var workload : List.of(manifest("operator.yaml"), daemonSet(cluster(THIN)))) {
            assertEquals(
                    management,
                    workload.text(
                            "spec",
                            "template",
                            "metadata",
                            "annotations",
                            "target.workload.openshift.io/management"));
        }
        assertEquals(
                Optional.of("management"),
                manifest("namespace.yaml").annotation("workload.openshift.io/allowed"));
    }

    @Test
    void theSelectorIsThatOfThePredecessor() {
        var labels =
                Map.of(
                        "app.kubernetes.io/name", "vg-manager",
                        "app.kubernetes.io/managed-by", "lvms-operator",
                        "app.kubernetes.io/part-of", "lvms-provisioner",
                        "app.kubernetes.io/component", "vg-manager");
        var daemonSet = daemonSet(cluster(THIN));
        assertEquals(labels, daemonSet.labels());
        assertEquals(labels, daemonSet.textMap("spec", "selector", "matchLabels"));
        assertEquals(labels, daemonSet.textMap("spec", "template", "metadata", "labels"));
    }

    @Test
    void everyMountOfTheAgentHasItsVolume() {
        var daemonSet = daemonSet(cluster(THIN));
        var volumes =
                daemonSet.objects("spec", "template", "spec", "volumes").stream()
                        .map(v -> v.at("name").asText())
                        .sorted()
                        .toList();
        var mounts =
                container(daemonSet).at("volumeMounts").asList().elements().stream()
                        .map(m -> m.asObject().at("name").asText())
                        .sorted()
                        .toList();
        assertEquals(volumes, mounts);
        assertEquals(mounts.stream().distinct().toList(), mounts);
    }

    @Test
    void mountsOfPodsReachTheNodeUnderTheConfiguredKubelet() {
        var paths = HostPaths.DEFAULT.kubelet("/var/snap/kubelet/");
        var daemonSet = daemonSet(cluster(THIN), AgentSettings.DEFAULT.paths(paths));
        var shared =
                container(daemonSet).at("volumeMounts").asList().elements().stream()
                        .map(m -> m.asObject())
                        .filter(
                                m ->
                                        m.has("mountPropagation")
                                                && m.at("mountPropagation")
                                                        .asText()
                                                        .equals("Bidirectional"))
                        .map(m -> m.at("mountPath").asText())
                        .toList();
        assertEquals(
                List.of("/var/snap/kubelet/plugins/kubernetes.io/csi", "/var/snap/kubelet/pods"),
                shared);
    }

    @Test
    void aSnapshotClassHasTheLabelsOfItsClassButOursWin() {
        var labels = "{'c':'d','owned-by.topolvm.io/uid':'x'}";
        var labelled =
                THIN.substring(0, THIN.length() - 1)
                        + ",'storageClassOptions':{'additionalLabels':"
                        + labels
                        + "}}";
        var snapshotClass = SnapshotClassUnit.desired(cluster(labelled)).getFirst();
        assertEquals(Optional.of("d"), snapshotClass.label("c"));
        assertEquals(Optional.of("u1"), snapshotClass.label("owned-by.topolvm.io/uid"));
    }
}
