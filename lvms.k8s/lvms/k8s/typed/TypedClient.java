package lvms.k8s.typed;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.tree.ObjectTree;

import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Calls about objects of one type, by their values. Field manager, guard, deadline and dry run are
 * those of the client, and so are the failures. Any thread may use it.
 *
 * @param kube sends the calls
 * @param type of the objects
 * @param codec reads and writes them
 * @param <T> type of the values
 */
public record TypedClient<T>(KubeClient kube, ResourceType type, Codec<T> codec) {
    /** Returns an object, such as one of an informer's, as the codec reads it. */
    public TypedObject<T> of(KubeObject object) {
        return new TypedObject<>(object, codec);
    }

    /** Reads the newest state of an object. */
    public TypedObject<T> get(ObjectKey key) throws ApiException, InterruptedException {
        return of(kube.get(type, key));
    }

    /** Reads the newest state of an object; empty if the API server says that there is none. */
    public Optional<TypedObject<T>> find(ObjectKey key) throws ApiException, InterruptedException {
        return kube.find(type, key).map(this::of);
    }

    /** Reads a collection. */
    public List<TypedObject<T>> list(ListOptions options)
            throws ApiException, InterruptedException {
        return kube.list(type, options).items().stream().map(this::of).toList();
    }

    /** Creates an object that has this value, and nothing else. */
    public TypedObject<T> create(ObjectKey key, T value) throws ApiException, InterruptedException {
        return of(kube.create(type, object(key, value)));
    }

    /** Server-side apply, with force, of exactly what the value holds. */
    public TypedObject<T> apply(ObjectKey key, T value) throws ApiException, InterruptedException {
        return of(kube.apply(type, object(key, value)));
    }

    private KubeObject object(ObjectKey key, T value) {
        var bare = KubeObject.create(type, key).json();
        return KubeObject.of(Merge.of(bare, ObjectTree.EMPTY, codec.encode(value)));
    }

    /**
     * Reads an object, changes its value, and writes it back with what the codec does not know;
     * again from the newest state if somebody else has written meanwhile, up to five times.
     *
     * @param change may be asked several times
     */
    public TypedObject<T> update(ObjectKey key, UnaryOperator<T> change)
            throws ApiException, InterruptedException {
        return of(kube.update(type, key, changed(change)));
    }

    /** The same for the status subresource. */
    public TypedObject<T> updateStatus(ObjectKey key, UnaryOperator<T> change)
            throws ApiException, InterruptedException {
        return of(kube.updateStatus(type, key, changed(change)));
    }

    private UnaryOperator<KubeObject> changed(UnaryOperator<T> change) {
        return object -> {
            var typed = of(object);
            return typed.with(change.apply(typed.value())).object();
        };
    }
}
