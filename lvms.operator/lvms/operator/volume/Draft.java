package lvms.operator.volume;

import com.google.gson.JsonArray;

import lvms.api.Driver;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Quantity;

import java.util.Map;
import java.util.Optional;

/**
 * A LogicalVolume object that is about to be created.
 *
 * @param name name
 * @param node node that shall make it
 * @param deviceClass device class, empty for the default one
 * @param optionClass class of lvcreate options, empty for none
 * @param bytes size
 * @param cut what it is cut from
 * @param annotations annotations
 */
record Draft(
        String name,
        String node,
        String deviceClass,
        String optionClass,
        long bytes,
        Optional<Cut> cut,
        Map<String, String> annotations) {
    /**
     * From which object a new one is cut.
     *
     * @param source name of that object
     * @param accessType {@code ro} for a snapshot, {@code rw} for a volume
     */
    record Cut(String source, String accessType) {}

    /**
     * Returns the object, which has the node agent's finalizer and label from the start: so it can
     * neither vanish while the node is at work nor cost the node two more requests.
     */
    KubeObject object(Driver driver) {
        var finalizers = new JsonArray();
        finalizers.add(driver.volumeFinalizer());
        var object =
                KubeObject.create(driver.logicalVolumes(), ObjectKey.cluster(name))
                        .with(finalizers, "metadata", "finalizers")
                        .with(
                                "topolvm-controller",
                                "metadata",
                                "labels",
                                "app.kubernetes.io/created-by")
                        .with(name, "spec", "name")
                        .with(node, "spec", "nodeName")
                        .with(Quantity.ofBytes(bytes).toString(), "spec", "size");
        for (var entry : annotations.entrySet()) {
            object = object.with(entry.getValue(), "metadata", "annotations", entry.getKey());
        }
        if (!deviceClass.isEmpty()) {
            object = object.with(deviceClass, "spec", "deviceClass");
        }
        if (!optionClass.isEmpty()) {
            object = object.with(optionClass, "spec", "lvcreateOptionClass");
        }
        return cut.isEmpty()
                ? object
                : object.with(cut.get().source(), "spec", "source")
                        .with(cut.get().accessType(), "spec", "accessType");
    }
}
