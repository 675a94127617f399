package lvms.k8s.object;

import java.util.Iterator;
import java.util.List;

/**
 * All objects that a list call found, and the point in history it shows.
 *
 * @param items the objects, in the server's order, each with apiVersion and kind
 * @param resourceVersion the version of the collection, from which a watch can continue
 */
public record ObjectList(List<KubeObject> items, String resourceVersion)
        implements Iterable<KubeObject> {
    public ObjectList {
        items = List.copyOf(items);
    }

    @Override
    public Iterator<KubeObject> iterator() {
        return items.iterator();
    }

    /** Returns how many objects there are. */
    public int size() {
        return items.size();
    }
}
