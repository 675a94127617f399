package lvms.k8s.controller;

import lvms.k8s.object.KubeObject;

import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/** Decides whether a change needs a pass: what controller-runtime calls a predicate. */
@FunctionalInterface
public interface ChangeFilter {
    /** Lets everything pass. */
    ChangeFilter ALL = (_, _) -> true;

    /** Returns whether the change needs a pass; before or after may be empty, as in a handler. */
    boolean passes(Optional<KubeObject> before, Optional<KubeObject> after);

    /** Passes creations, deletions, and updates that change the generation. */
    static ChangeFilter generationChanged() {
        return updates(
                (before, after) ->
                        before.generation() != after.generation()
                                || before.terminating() != after.terminating());
    }

    /** Passes creations, deletions, and updates that differ at the path. */
    static ChangeFilter changedAt(String... path) {
        var own = path.clone();
        return updates((before, after) -> !before.sameAt(after, own));
    }

    /** Passes creations, deletions, and updates that change the labels. */
    static ChangeFilter labelsChanged() {
        return changedAt("metadata", "labels");
    }

    /** Passes creations, deletions, and updates that change the annotations. */
    static ChangeFilter annotationsChanged() {
        return changedAt("metadata", "annotations");
    }

    /** Passes creations, deletions, and updates with another resource version: no resync. */
    static ChangeFilter resourceVersionChanged() {
        return changedAt("metadata", "resourceVersion");
    }

    /** Passes changes of objects that are so, before or after the change. */
    static ChangeFilter of(Predicate<KubeObject> test) {
        return (before, after) -> before.filter(test).or(() -> after.filter(test)).isPresent();
    }

    private static ChangeFilter updates(BiPredicate<KubeObject, KubeObject> test) {
        return (before, after) ->
                before.isEmpty() || after.isEmpty() || test.test(before.get(), after.get());
    }

    /** Returns a filter that passes what this or the other passes. */
    default ChangeFilter or(ChangeFilter other) {
        return (before, after) -> passes(before, after) || other.passes(before, after);
    }

    /** Returns a filter that passes what this and the other pass. */
    default ChangeFilter and(ChangeFilter other) {
        return (before, after) -> passes(before, after) && other.passes(before, after);
    }

    /** Returns a filter that passes what this one does not. */
    default ChangeFilter not() {
        return (before, after) -> !passes(before, after);
    }
}
