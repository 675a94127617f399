package lvms.operator.cluster;

import lvms.api.LvmCluster;
import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;

import java.util.List;

/** Objects for tests, written as JSON with single quotes. */
public final class Clusters {
    /** Namespace of the operator in tests. */
    public static final String NAMESPACE = "lvms-system";

    private Clusters() {}

    /** Returns a tree; single quotes stand for double ones. */
    public static ObjectTree tree(String json) {
        return Json.parse(json.replace('\'', '"')).asObject();
    }

    public static KubeObject object(String json) {
        return KubeObject.of(tree(json));
    }

    /** Returns a cluster with these device classes. */
    public static LvmCluster cluster(String... deviceClasses) {
        return cluster(List.of(), deviceClasses);
    }

    public static LvmCluster cluster(List<String> tolerations, String... deviceClasses) {
        var classes = ListTree.builder();
        for (var deviceClass : deviceClasses) {
            classes.add(tree(deviceClass));
        }
        var tolerated = ListTree.builder();
        tolerations.forEach(t -> tolerated.add(tree(t)));
        return LvmCluster.of(
                object(
                                "{'apiVersion':'lvm.topolvm.io/v1alpha1','kind':'LVMCluster',"
                                        + "'metadata':{'name':'my','namespace':'lvms-system',"
                                        + "'uid':'u1','generation':3}}")
                        .with(tolerated.build(), "spec", "tolerations")
                        .with(classes.build(), "spec", "storage", "deviceClasses"));
    }

    public static KubeObject node(String name, String... taints) {
        var list = ListTree.builder();
        for (var taint : taints) {
            list.add(tree(taint));
        }
        return object(
                        "{'apiVersion':'v1','kind':'Node','metadata':{'name':'"
                                + name
                                + "','labels':{'kubernetes.io/hostname':'"
                                + name
                                + "'}}}")
                .with(list.build(), "spec", "taints");
    }
}
