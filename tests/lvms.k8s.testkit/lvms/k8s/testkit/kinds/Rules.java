package lvms.k8s.testkit.kinds;

import com.google.gson.JsonObject;

import lvms.k8s.testkit.schema.Cause;

import java.util.List;
import java.util.Set;

/** What a type has beyond its schema. Every method may change the new object it gets. */
public interface Rules {
    /** No rules. */
    Rules NONE = new Rules() {};

    /** Completes an object that is about to be created. */
    default void prepareCreate(JsonObject object) {}

    /** Completes an object that is about to replace {@code old}. */
    default void prepareUpdate(JsonObject object, JsonObject old) {}

    /** Checks a whole object, on creation and on update. */
    default List<Cause> validate(JsonObject object) {
        return List.of();
    }

    /** Checks what may not change. */
    default List<Cause> validateUpdate(JsonObject object, JsonObject old) {
        return List.of();
    }

    /** Checks what may not change through the status subresource. */
    default List<Cause> validateStatusUpdate(JsonObject object, JsonObject old) {
        return List.of();
    }

    /** Finalizers that the server sets on creation. */
    default List<String> finalizers() {
        return List.of();
    }

    /** Seconds that a deletion takes by default; 0 means at once. */
    default long gracePeriodSeconds(JsonObject object) {
        return 0;
    }

    /** Names of subresources that only this type has. */
    default Set<String> subresources() {
        return Set.of();
    }
}
