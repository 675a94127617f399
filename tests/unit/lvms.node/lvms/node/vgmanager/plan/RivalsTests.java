package lvms.node.vgmanager.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LvmVolumeGroup;
import lvms.api.Names;
import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.Json;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;

/** Of two objects that want one class or one volume group of a node, exactly one gets it. */
class RivalsTests {
    private static LvmVolumeGroup group(
            String name, String deviceClass, String vg, int second, String more) {
        return LvmVolumeGroup.of(
                KubeObject.of(
                        Json.parse(
                                        """
                                        {"metadata": {"name": "%s",
                                           "creationTimestamp": "2026-01-01T00:00:%02dZ"%s},
                                         "spec": {"deviceClassName": "%s", "volumeGroupName": "%s"}}
                                        """
                                                .formatted(name, second, more, deviceClass, vg))
                                .asObject()));
    }

    private static LvmVolumeGroup group(String name, String deviceClass, String vg, int second) {
        return group(name, deviceClass, vg, second, "");
    }

    private static LvmVolumeGroup begun(String name, String deviceClass, String vg, int second) {
        var finalizer = Names.nodeCleanupFinalizer("n1");
        return group(name, deviceClass, vg, second, ", \"finalizers\": [\"" + finalizer + "\"]");
    }

    private static List<String> accepted(LvmVolumeGroup... groups) {
        return new Rivals(List.of(groups), "n1")
                .accepted().stream().map(LvmVolumeGroup::name).toList();
    }

    @Test
    void theOlderGetsIt() {
        var old = group("z", "hdd", "data", 1);
        var young = group("a", "hdd", "more", 2);
        assertEquals(List.of("z"), accepted(young, old));
        assertEquals(Optional.of(old), new Rivals(List.of(young, old), "n1").ofClass("hdd"));
    }

    @Test
    void theNameDecidesBetweenTwoOfOneSecond() {
        assertEquals(
                List.of("a"), accepted(group("b", "x", "data", 1), group("a", "y", "data", 1)));
    }

    @Test
    void whoeverHasBegunKeepsIt() {
        assertEquals(
                List.of("b"), accepted(group("a", "hdd", "v1", 1), begun("b", "hdd", "v2", 2)));
    }

    @Test
    void whatOthersShareConcernsNobodyElse() {
        assertEquals(
                List.of("a", "c"),
                accepted(
                        group("a", "hdd", "v1", 1),
                        group("b", "hdd", "v2", 2),
                        group("c", "ssd", "v3", 3)));
    }

    @Test
    void oneThatIsBeingDeletedIsWaitedFor() {
        var going = group("a", "hdd", "v1", 1, ", \"deletionTimestamp\": \"2026-01-02T00:00:00Z\"");
        var next = group("b", "hdd", "v1", 2);
        var refusal = new Rivals(List.of(going, next), "n1").refusal(next).orElseThrow();
        assertTrue(refusal.endsWith("which is being deleted; this one waits for it"), refusal);
    }
}
