package lvms.operator.unit;

import lvms.api.LvmCluster;
import lvms.api.Names;
import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** JSON of maps and owner references, as apply configurations need it. */
final class Trees {
    private Trees() {}

    static ObjectTree of(Map<String, String> map) {
        var tree = ObjectTree.builder();
        new TreeMap<>(map).forEach(tree::put);
        return tree.build();
    }

    static ListTree of(List<ObjectTree> elements) {
        var array = ListTree.builder();
        elements.forEach(array::add);
        return array.build();
    }

    /** Returns the object with the cluster as its controller. */
    static KubeObject owned(KubeObject object, LvmCluster cluster) {
        return object.controlledBy(cluster.object());
    }

    /** Returns whether the labels of an object of cluster scope name the cluster. */
    static boolean isOwned(KubeObject object, LvmCluster cluster) {
        return object.label(Names.OWNED_BY_PREFIX + "uid")
                .filter(cluster.object().uid()::equals)
                .isPresent();
    }
}
