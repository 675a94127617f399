package lvms.operator.cluster;

import static lvms.operator.cluster.Site.NAMESPACE;

import lvms.api.LvmVolumeGroup;
import lvms.api.Names;
import lvms.api.nativestor.TopolvmCluster;
import lvms.k8s.client.ApiException;
import lvms.k8s.object.Condition;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.yaml.Yaml;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** An operator with {@code --nativestor}, and TopolvmClusters as people write them. */
abstract class TopolvmClusterCase {
    static final ObjectKey NAME = ObjectKey.of(NAMESPACE, "topolvm");
    static final ObjectKey AGENT = ObjectKey.of(NAMESPACE, Names.VG_MANAGER);
    static final String EVERYTHING =
            "{useAllNodes: true, useAllDevices: true, useLoop: false, volumeGroupName: data,"
                    + " className: fast}";

    Site site;

    @BeforeEach
    final void open() throws Exception {
        site = Site.open();
        site.nativeStor(Map.of());
    }

    @AfterEach
    final void close() throws Exception {
        site.close();
    }

    /** Creates one as in NativeStor's samples, which have no cleanup. */
    final void create(ObjectKey key, String storage) throws Exception {
        site.kube.create(
                TopolvmCluster.TYPE,
                KubeObject.create(TopolvmCluster.TYPE, key)
                        .with(Yaml.read("{topolvmVersion: x, storage: " + storage + "}"), "spec"));
    }

    static String listed(String... nodes) {
        return "{useAllNodes: false, useAllDevices: false, useLoop: false, deviceClasses: ["
                + String.join(", ", nodes)
                + "]}";
    }

    static String node(String name, String... classes) {
        return "{nodeName: %s, classes: [%s]}".formatted(name, String.join(", ", classes));
    }

    static String oneClass(String name, String group, String... devices) {
        return "{className: %s, volumeGroup: %s, default: %s, devices: [%s]}"
                .formatted(
                        name,
                        group,
                        name.equals("fast"),
                        String.join(
                                ", ",
                                List.of(devices).stream()
                                        .map(d -> "{name: " + d + ", type: disk}")
                                        .toList()));
    }

    /** Replaces the storage, as a person does with kubectl edit. */
    final void edit(String storage) throws Exception {
        Site.await("the edit is taken", () -> tryEdit(storage));
    }

    private boolean tryEdit(String storage) throws Exception {
        var edited =
                site.kube
                        .get(TopolvmCluster.TYPE, NAME)
                        .with(Yaml.read(storage), "spec", "storage");
        try {
            site.kube.replace(TopolvmCluster.TYPE, edited);
            return true;
        } catch (ApiException.Conflict _) {
            return false; // the operator wrote meanwhile
        }
    }

    final TopolvmCluster await(ObjectKey key, Predicate<TopolvmCluster> holds) throws Exception {
        return TopolvmCluster.of(
                site.awaitObject(TopolvmCluster.TYPE, key, o -> holds.test(TopolvmCluster.of(o))));
    }

    /** Waits until a condition has this reason; returns its message. */
    final String awaitReason(ObjectKey key, String type, String reason) throws Exception {
        return awaitMessage(key, type, reason, "");
    }

    final String awaitMessage(ObjectKey key, String type, String reason, String part)
            throws Exception {
        return site.awaitObject(
                        TopolvmCluster.TYPE,
                        key,
                        o ->
                                o.condition(type)
                                        .filter(c -> c.reason().equals(reason))
                                        .filter(c -> c.message().contains(part))
                                        .isPresent())
                .condition(type)
                .map(Condition::message)
                .orElseThrow();
    }

    /** Waits for the LVMVolumeGroup of a class; of a node, if the class is for one. */
    final KubeObject awaitGroup(String deviceClass, String node) throws Exception {
        Site.await(
                "LVMVolumeGroup of " + deviceClass + " " + node,
                () -> group(deviceClass, node).size() == 1);
        return group(deviceClass, node).getFirst();
    }

    final List<KubeObject> group(String deviceClass, String node) throws Exception {
        return site.groups().stream()
                .filter(g -> LvmVolumeGroup.of(g).deviceClass().equals(deviceClass))
                .filter(g -> g.toJson().contains("\"" + node + "\"") == !node.isEmpty())
                .toList();
    }

    /** Lets the agent of a node run, as kubelet reports it. */
    final void run(String node) throws Exception {
        var key = ObjectKey.of(NAMESPACE, "vg-manager-" + node);
        site.createObject(
                Types.POD,
                key,
                "{'metadata':{'name':'%s','namespace':'%s','labels':{"
                                .formatted(key.name(), NAMESPACE)
                        + "'app.kubernetes.io/name':'vg-manager',"
                        + "'app.kubernetes.io/managed-by':'lvms-operator',"
                        + "'app.kubernetes.io/part-of':'lvms-provisioner',"
                        + "'app.kubernetes.io/component':'vg-manager'}},'spec':{'nodeName':'%s',"
                                .formatted(node)
                        + "'containers':[{'name':'vg-manager','image':'i'}]}}");
        var kubelet = site.kube.withFieldManager("kubelet");
        kubelet.mergePatchStatus(
                Types.POD,
                key,
                Clusters.tree(
                        "{'status':{'phase':'Running','conditions':[{'type':'Ready',"
                                + "'status':'True'}]}}"));
        kubelet.mergePatchStatus(
                Types.NODE,
                ObjectKey.cluster(node),
                Clusters.tree("{'status':{'conditions':[{'type':'Ready','status':'True'}]}}"));
    }

    /** Waits until the operator's page has this text, or no longer has it. */
    final void awaitMetric(String text, boolean there) throws Exception {
        Site.await(text, () -> site.metrics().contains(text) == there);
    }
}
