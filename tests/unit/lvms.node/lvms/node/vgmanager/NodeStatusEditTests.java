package lvms.node.vgmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import lvms.api.EffectiveDiscovery;
import lvms.api.VolumeGroupState;
import lvms.api.VolumeGroupStatus;
import lvms.api.listing.GroupNames;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.Json;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Writing one entry of the node status leaves the rest of the object as it is. */
class NodeStatusEditTests {
    private static final KubeObject GROUP =
            object(
                    """
                    {"apiVersion": "lvm.topolvm.io/v1alpha1", "kind": "LVMVolumeGroup",
                     "metadata": {"name": "vg1", "namespace": "ns", "uid": "u1",
                                  "finalizers": ["cleanup.vgmanager.node.topolvm.io/n"]}}
                    """);
    private static final KubeObject EMPTY =
            object(
                    """
                    {"metadata": {"name": "n", "namespace": "ns", "uid": "u7",
                     "resourceVersion": "7",
                     "ownerReferences": [{"apiVersion": "v", "kind": "LVMCluster", "name": "c",
                                          "uid": "u0", "controller": true}]},
                     "spec": {}}
                    """);

    private static KubeObject object(String json) {
        return KubeObject.of(Json.parse(json).asObject());
    }

    private static VolumeGroupStatus entry(String name, VolumeGroupState state) {
        return new VolumeGroupStatus(
                GroupNames.of(name),
                Optional.of(state),
                "",
                List.of("/dev/sdb"),
                List.of(),
                EffectiveDiscovery.RUNTIME_STATIC,
                Optional.empty());
    }

    /** What the API server makes of the patch, for these objects. */
    private static KubeObject apply(KubeObject object, MergePatch merge) {
        var patch = merge.json();
        var next = object;
        if (patch.has("spec")) {
            next = next.with(patch.at("spec"), "spec");
        }
        var owners = patch.at("metadata", "ownerReferences");
        return owners.isNull() ? next : next.with(owners, "metadata", "ownerReferences");
    }

    @Test
    void addsAnEntryAndAnOwner() {
        var patch =
                NodeStatusEdit.put(EMPTY, entry("vg1", VolumeGroupState.READY), GROUP)
                        .orElseThrow();
        assertEquals("7", patch.json().at("metadata", "resourceVersion").asText());
        var next = apply(EMPTY, patch);
        assertEquals(
                List.of("c", "vg1"), next.ownerReferences().stream().map(o -> o.name()).toList());
        assertFalse(next.ownerReferences().getLast().controller());
        assertEquals(1, next.objects("spec", "nodeStatus").size());
    }

    @Test
    void writesNothingTwice() {
        var ready = entry("vg1", VolumeGroupState.READY);
        var next = apply(EMPTY, NodeStatusEdit.put(EMPTY, ready, GROUP).orElseThrow());
        assertEquals(Optional.empty(), NodeStatusEdit.put(next, ready, GROUP));
    }

    @Test
    void replacesAnEntryInItsPlaceAndKeepsWhatItDoesNotKnow() {
        var before =
                object(
                        """
                        {"metadata": {"name": "n", "uid": "u7", "resourceVersion": "9"},
                         "spec": {"nodeStatus": [
                          {"name": "vg1", "status": "Progressing"},
                          {"name": "vg2", "status": "Ready", "novelty": 1}]}}
                        """);
        var patch =
                NodeStatusEdit.put(before, entry("vg1", VolumeGroupState.READY), GROUP)
                        .orElseThrow();
        var entries = apply(before, patch).objects("spec", "nodeStatus");
        assertEquals("Ready", entries.getFirst().at("status").asText());
        assertEquals(1, (int) entries.getLast().at("novelty").number().orElseThrow());
    }

    @Test
    void takesEntryAndOwnerOut() {
        var next =
                apply(
                        EMPTY,
                        NodeStatusEdit.put(EMPTY, entry("vg1", VolumeGroupState.READY), GROUP)
                                .orElseThrow());
        var after = apply(next, NodeStatusEdit.remove(next, "vg1", GROUP).orElseThrow());
        assertEquals(EMPTY.ownerReferences(), after.ownerReferences());
        assertEquals(List.of(), after.objects("spec", "nodeStatus"));
        assertEquals(Optional.empty(), NodeStatusEdit.remove(after, "vg1", GROUP));
    }

    /** Its finalizer is what sees to it that the owner is gone before the object is. */
    @Test
    void aGroupThatTheNodeDoesNotHoldIsNoOwner() {
        var refused = object("{\"kind\": \"LVMVolumeGroup\", \"metadata\": {\"name\": \"vg1\"}}");
        var failed = entry("vg1", VolumeGroupState.FAILED);
        var next = apply(EMPTY, NodeStatusEdit.put(EMPTY, failed, refused).orElseThrow());
        assertEquals(EMPTY.ownerReferences(), next.ownerReferences());
        assertEquals(1, next.objects("spec", "nodeStatus").size());
    }

    /**
     * An entry with devices says that the disks of a class were in use, even without its object.
     */
    @Test
    void forgetsWhatNeverHadADevice() {
        var before =
                object(
                        """
                        {"metadata": {"name": "n", "uid": "u7", "resourceVersion": "9"},
                         "spec": {"nodeStatus": [
                          {"name": "vg1"}, {"name": "vg2"},
                          {"name": "vg3", "devices": ["/dev/sdb"]}]}}
                        """);
        var after = apply(before, NodeStatusEdit.keep(before, Set.of("vg1")).orElseThrow());
        assertEquals(
                List.of("vg1", "vg3"),
                after.objects("spec", "nodeStatus").stream()
                        .map(e -> e.at("name").asText())
                        .toList());
        assertEquals(Optional.empty(), NodeStatusEdit.keep(after, Set.of("vg1")));
    }
}
