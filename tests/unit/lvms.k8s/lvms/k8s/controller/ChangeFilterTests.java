package lvms.k8s.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.Bodies;
import lvms.k8s.object.KubeObject;

import org.junit.jupiter.api.Test;

import java.util.Optional;

/** A filter drops updates that do not matter, and neither a creation nor a deletion. */
class ChangeFilterTests {
    private static final KubeObject OLD =
            Bodies.object("a", "u", 1).with(1, "metadata", "generation");
    private static final KubeObject SPEC = OLD.with(2, "metadata", "generation");
    private static final KubeObject LABEL = OLD.with("x", "metadata", "labels", "l");
    private static final KubeObject NOTE = OLD.with("x", "metadata", "annotations", "n");

    private static boolean updates(ChangeFilter filter, KubeObject after) {
        return filter.passes(Optional.of(OLD), Optional.of(after));
    }

    private static void assertPasses(
            ChangeFilter filter, boolean spec, boolean label, boolean annotation) {
        assertEquals(spec, updates(filter, SPEC));
        assertEquals(label, updates(filter, LABEL));
        assertEquals(annotation, updates(filter, NOTE));
        assertTrue(filter.passes(Optional.of(OLD), Optional.empty()));
        assertTrue(filter.passes(Optional.empty(), Optional.of(OLD)));
    }

    @Test
    void eachLooksAtItsOwnPart() {
        assertPasses(ChangeFilter.generationChanged(), true, false, false);
        assertPasses(ChangeFilter.labelsChanged(), false, true, false);
        assertPasses(ChangeFilter.annotationsChanged(), false, false, true);
    }

    @Test
    void theBeginningOfADeletionPassesThoughNoGenerationChanged() {
        var deleted = OLD.with("2026-01-01T00:00:00Z", "metadata", "deletionTimestamp");
        assertTrue(updates(ChangeFilter.generationChanged(), deleted));
    }

    @Test
    void aResyncIsNoChangeOfTheResourceVersion() {
        assertFalse(updates(ChangeFilter.resourceVersionChanged(), OLD));
        var next = OLD.with("2", "metadata", "resourceVersion");
        assertTrue(updates(ChangeFilter.resourceVersionChanged(), next));
    }

    @Test
    void theyAreCombined() {
        var spec = ChangeFilter.generationChanged();
        var label = ChangeFilter.labelsChanged();
        assertPasses(spec.or(label), true, true, false);
        assertTrue(updates(spec.not(), LABEL));
        assertFalse(updates(spec.not(), SPEC));
        assertFalse(updates(spec.and(label), SPEC));
        assertTrue(updates(spec.and(label), LABEL.with(2, "metadata", "generation")));
    }

    @Test
    void whatWasSoOrHasBecomeSoPasses() {
        var labelled = ChangeFilter.of(object -> object.label("l").isPresent());
        assertTrue(labelled.passes(Optional.of(LABEL), Optional.of(OLD)));
        assertTrue(labelled.passes(Optional.of(OLD), Optional.of(LABEL)));
        assertFalse(labelled.passes(Optional.of(OLD), Optional.of(NOTE)));
    }
}
