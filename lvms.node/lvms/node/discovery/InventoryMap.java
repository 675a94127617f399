package lvms.node.discovery;

import static java.lang.System.Logger.Level.INFO;

import lvms.api.nativestor.NodeObjects;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.MergePatch;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.node.disk.Host;

import java.util.List;

/**
 * Key {@code devices} of the ConfigMap {@code lvmdconfig-NODE}. Its other keys belong to
 * NativeStor's programs and are never touched.
 */
public final class InventoryMap implements Publisher {
    private static final System.Logger LOG = System.getLogger(InventoryMap.class.getName());
    private static final String KEY = "devices";
    private static final String LABEL = "topolvm/lvmdconfig";
    private static final String LABEL_VALUE = "lvmdconfig";
    private static final String NODE_ANNOTATION = "node-name";

    private final String node;
    private final ObjectKey key;
    private final Informer informer;

    /** The ConfigMap of a node; nothing is read yet. */
    public InventoryMap(KubeClient kube, String namespace, String node) {
        this.node = node;
        key = ObjectKey.of(namespace, NodeObjects.inventory(node));
        informer =
                Informer.of(kube, Types.CONFIG_MAP)
                        .namespace(namespace)
                        .fieldSelector("metadata.name=" + key.name())
                        .build();
    }

    @Override
    public void start(Runnable wake) {
        informer.addHandler((_, _) -> wake.run());
        informer.start();
    }

    @Override
    public void publish(Host machine, List<ListedDevice> devices)
            throws ApiException, InterruptedException {
        if (!informer.synced()) {
            return;
        }
        var text = InventoryJson.text(devices);
        var present = informer.get(key);
        if (present.isEmpty()) {
            informer.create(
                    marked(KubeObject.create(Types.CONFIG_MAP, key)).with(text, "data", KEY));
        } else if (marked(present.get()).with(text, "data", KEY).equals(present.get())) {
            return;
        } else {
            informer.patch(
                    MergePatch.of(present.get())
                            .label(LABEL, LABEL_VALUE)
                            .annotation(NODE_ANNOTATION, node)
                            .set(text, "data", KEY));
        }
        LOG.log(INFO, () -> "devices published configMap=" + key + " count=" + devices.size());
    }

    private KubeObject marked(KubeObject object) {
        return object.with(LABEL_VALUE, "metadata", "labels", LABEL)
                .with(node, "metadata", "annotations", NODE_ANNOTATION);
    }

    @Override
    public void close() {
        informer.close();
    }
}
