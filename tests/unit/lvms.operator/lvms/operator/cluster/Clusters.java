package lvms.operator.cluster;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;

import lvms.api.LvmCluster;
import lvms.k8s.object.Json;
import lvms.k8s.object.KubeObject;

import java.util.List;

/** Objects for tests, written as JSON with single quotes. */
public final class Clusters {
    /** Namespace of the operator in tests. */
    public static final String NAMESPACE = "lvms-system";

    private Clusters() {}

    /** Returns a tree; single quotes stand for double ones. */
    public static JsonObject tree(String json) {
        return Json.parse(json.replace('\'', '"')).getAsJsonObject();
    }

    public static KubeObject object(String json) {
        return KubeObject.of(tree(json));
    }

    /** Returns a cluster with these device classes. */
    public static LvmCluster cluster(String... deviceClasses) {
        return cluster(List.of(), deviceClasses);
    }

    public static LvmCluster cluster(List<String> tolerations, String... deviceClasses) {
        var classes = new JsonArray();
        for (var deviceClass : deviceClasses) {
            classes.add(tree(deviceClass));
        }
        var tolerated = new JsonArray();
        tolerations.forEach(t -> tolerated.add(tree(t)));
        return LvmCluster.of(
                object(
                                "{'apiVersion':'lvm.topolvm.io/v1alpha1','kind':'LVMCluster',"
                                        + "'metadata':{'name':'my','namespace':'lvms-system',"
                                        + "'uid':'u1','generation':3}}")
                        .with(tolerated, "spec", "tolerations")
                        .with(classes, "spec", "storage", "deviceClasses"));
    }

    public static KubeObject node(String name, String... taints) {
        var list = new JsonArray();
        for (var taint : taints) {
            list.add(tree(taint));
        }
        return object(
                        "{'apiVersion':'v1','kind':'Node','metadata':{'name':'"
                                + name
                                + "','labels':{'kubernetes.io/hostname':'"
                                + name
                                + "'}}}")
                .with(list, "spec", "taints");
    }
}
