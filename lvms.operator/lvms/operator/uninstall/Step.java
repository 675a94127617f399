package lvms.operator.uninstall;

import lvms.k8s.client.MergePatch;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;

import java.util.List;
import java.util.function.Function;

/** One line of the plan. */
sealed interface Step {
    /** What it does, for people. */
    String text();

    /**
     * Deletes objects, then waits until they are gone; whoever holds them by a finalizer finishes.
     *
     * @param items in the order in which they are deleted
     */
    record Delete(String text, List<Item> items) implements Step {}

    /**
     * Takes our finalizers off an object, deletes it, and waits until it is gone.
     *
     * @param item the object
     */
    record Release(String text, Item item) implements Step {}

    /**
     * Changes an object, if it still exists.
     *
     * @param item the object
     * @param change from the object as it is then
     */
    record Change(String text, Item item, Function<KubeObject, MergePatch> change)
            implements Step {}

    /**
     * Waits until objects are gone by themselves.
     *
     * @param items the objects
     */
    record Await(String text, List<Item> items) implements Step {}

    /**
     * Deletes the object of this name that exists then, if there is one, and waits until it is
     * gone: until it ended, the operator may have made it anew.
     *
     * @param type its type
     * @param key its name
     */
    record Remove(String text, ResourceType type, ObjectKey key) implements Step {}

    /**
     * Waits until none of these pods is left, also of those that came after the plan was made.
     *
     * @param name name of what runs in them
     */
    record Quiet(String text, String name) implements Step {}
}
