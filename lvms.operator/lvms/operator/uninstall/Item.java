package lvms.operator.uninstall;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;

import java.util.List;

/**
 * An object and its kind.
 *
 * @param type its kind
 * @param object as it was read
 */
public record Item(ResourceType type, KubeObject object) {
    public static List<Item> of(ResourceType type, List<KubeObject> objects) {
        return objects.stream().map(object -> new Item(type, object)).toList();
    }

    public ObjectKey key() {
        return object.key();
    }

    public String name() {
        return object.name();
    }

    /** How people call it, such as {@code LVMCluster lvms-system/c}. */
    public String text() {
        return type.kind() + " " + key();
    }
}
