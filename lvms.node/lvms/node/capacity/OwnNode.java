package lvms.node.capacity;

import lvms.k8s.client.KubeClient;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;

import java.util.function.Consumer;

/** Follows this node's Node object, where nothing else does. */
public final class OwnNode implements AutoCloseable {
    private final Informer informer;

    /**
     * @param name name of the Node
     * @param seen gets the Node as it is now, at each change; it must return at once
     */
    public OwnNode(KubeClient kube, String name, Consumer<KubeObject> seen) {
        informer = informer(kube, name);
        informer.addHandler((_, after) -> after.ifPresent(seen));
    }

    /** Returns an informer of the one Node, with its metadata but without its status. */
    public static Informer informer(KubeClient kube, String name) {
        return Informer.of(kube, Types.NODE)
                .fieldSelector("metadata.name=" + name)
                .transform(OwnNode::withoutStatus)
                .build();
    }

    /** Drops conditions and images: they change every few seconds and are large. */
    private static KubeObject withoutStatus(KubeObject node) {
        return node.without("status");
    }

    public void start() {
        informer.start();
    }

    @Override
    public void close() {
        informer.close();
    }
}
