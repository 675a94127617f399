package lvms.operator.takeover;

import lvms.k8s.client.MergePatch;
import lvms.k8s.object.KubeObject;
import lvms.operator.uninstall.Item;

import java.util.function.Function;

/** One line of an agenda. Each may be done again. */
sealed interface Step {
    /** What it does, for people. */
    String text();

    /**
     * Writes down what will be removed or changed, before it is.
     *
     * @param record what the ConfigMap is to hold
     */
    record Note(String text, KubeObject record) implements Step {}

    /**
     * Lets no pod of a Deployment run, and waits until none does.
     *
     * @param item the Deployment
     */
    record Stop(String text, Item item) implements Step {}

    /**
     * Deletes an object, and waits until it is gone with the pods that it selects.
     *
     * @param item the object
     */
    record Remove(String text, Item item) implements Step {}

    /**
     * Changes an object, if it still exists.
     *
     * @param item the object
     * @param change from the object as it is then
     */
    record Change(String text, Item item, Function<KubeObject, MergePatch> change)
            implements Step {}

    /**
     * Moves a LogicalVolume to another group: its volume has an object at any time, and is neither
     * made again nor removed.
     *
     * @param item the object in the old group
     */
    record Move(String text, Item item) implements Step {}

    /**
     * Creates an object that was removed, if it does not exist.
     *
     * @param item as it was
     */
    record Restore(String text, Item item) implements Step {}

    /**
     * Waits until the pods of a Deployment or DaemonSet are those that it asks for now, and ready.
     *
     * @param item the object
     * @param whose runs in its pods by then
     */
    record Ready(String text, Item item, Program whose) implements Step {}
}
