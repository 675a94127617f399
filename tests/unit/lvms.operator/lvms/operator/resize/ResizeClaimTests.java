package lvms.operator.resize;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.Json;
import lvms.operator.resize.ResizeClaim.Step;

import org.junit.jupiter.api.Test;

import java.time.Instant;

/** A claim that asks for more gets it in steps that the claim's status records. */
class ResizeClaimTests {
    private static final long GIB = 1L << 30;

    private static KubeObject object(String text) {
        return KubeObject.of(Json.parse(text.replace('\'', '"')).asObject());
    }

    private static Step step(String request, String status, long volumeBytes) {
        var claim =
                object(
                        "{'metadata':{'name':'c'},'spec':{'resources':{'requests':{'storage':'"
                                + request
                                + "'}}},'status':{'phase':'Bound','capacity':{'storage':'1Gi'}"
                                + status
                                + "}}");
        return new ResizeClaim(claim).step(volumeBytes);
    }

    private static String stage(String stage, String allocated) {
        return ",'allocatedResources':{'storage':'%s'},'allocatedResourceStatuses':{'storage':'%s'}"
                .formatted(allocated, stage);
    }

    @Test
    void growsWhenMoreIsAsked() {
        assertEquals(new Step.Grow(2 * GIB, false), step("2Gi", "", GIB));
    }

    @Test
    void restsWhenNoMoreIsAsked() {
        assertEquals(new Step.Converged(), step("1Gi", "", GIB));
    }

    @Test
    void finishesWhatWasBegunBeforeTheRequestChanged() {
        var begun = stage("ControllerResizeInProgress", "2Gi");
        assertEquals(new Step.Grow(2 * GIB, true), step("4Gi", begun, GIB));
    }

    private static String condition(String type) {
        return ",'conditions':[{'type':'%s','status':'True'}]".formatted(type);
    }

    /** Servers before 1.32 keep the conditions and drop the other fields. */
    @Test
    void whereTheStageIsNotKeptTheConditionsTellIt() {
        var resizing = condition("Resizing");
        assertEquals(new Step.Grow(2 * GIB, true), step("2Gi", resizing, GIB));
        assertEquals(new Step.HandOver(2 * GIB), step("2Gi", resizing, 2 * GIB));
        var pending = condition("FileSystemResizePending");
        assertEquals(new Step.Converged(), step("2Gi", pending, 2 * GIB));
        assertEquals(new Step.Grow(4 * GIB, false), step("4Gi", pending, 2 * GIB));
    }

    @Test
    void takesALowerRequestOnceTheBiggerOneProvedHopeless() {
        var hopeless = stage("ControllerResizeInfeasible", "8Gi");
        assertEquals(new Step.Grow(2 * GIB, false), step("2Gi", hopeless, GIB));
    }

    @Test
    void handsOverAVolumeThatIsBigEnoughAlready() {
        var begun = stage("ControllerResizeInProgress", "2Gi");
        assertEquals(new Step.HandOver(2 * GIB), step("2Gi", begun, 2 * GIB));
        assertEquals(new Step.HandOver(2 * GIB), step("2Gi", "", 2 * GIB));
    }

    @Test
    void leavesTheRestToKubelet() {
        for (var stage : new String[] {"NodeResizePending", "NodeResizeInProgress"}) {
            assertEquals(new Step.Converged(), step("2Gi", stage(stage, "2Gi"), 2 * GIB));
        }
    }

    @Test
    void growsAgainWhenMoreIsAskedBeforeKubeletIsDone() {
        var pending = stage("NodeResizePending", "2Gi");
        assertEquals(new Step.Grow(4 * GIB, false), step("4Gi", pending, 2 * GIB));
    }

    @Test
    void statusPatchesKeepConditionsOfOthersAndDemandTheVersionTheyWereMadeFrom() {
        var claim =
                object(
                        "{'metadata':{'name':'c','uid':'u','resourceVersion':'9'},'status':"
                                + "{'conditions':[{'type':'Other','status':'True'},"
                                + "{'type':'Resizing','status':'True'}]}}");
        var now = Instant.parse("2026-01-01T00:00:00Z");
        var patch = KubeObject.of(ResizeStatus.nodePending(claim, 2 * GIB, now).json());
        assertEquals("9", patch.resourceVersion());
        assertEquals("u", patch.uid());
        assertTrue(patch.condition("Other").isPresent());
        assertTrue(patch.condition("FileSystemResizePending").orElseThrow().holds());
        assertFalse(patch.condition("Resizing").isPresent());
        assertEquals(
                "NodeResizePending",
                patch.text("status", "allocatedResourceStatuses", "storage").orElseThrow());
    }

    @Test
    void podsUseClaimsByNameOrAsEphemeralVolumes() {
        var pod =
                object(
                        "{'metadata':{'name':'p'},'spec':{'volumes':[{'name':'a',"
                            + "'persistentVolumeClaim':{'claimName':'data'}},"
                            + "{'name':'scratch','ephemeral':{}},{'name':'e','emptyDir':{}}]}}");
        assertTrue(FilesystemHint.uses(pod, "data"));
        assertTrue(FilesystemHint.uses(pod, "p-scratch"));
        assertFalse(FilesystemHint.uses(pod, "e"));
        assertFalse(FilesystemHint.uses(pod, ""));
    }
}
