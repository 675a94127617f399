package lvms.k8s.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;

import org.junit.jupiter.api.Test;

import java.util.List;

/** A patch names the object that it fits, and nothing that it does not change. */
class PatchTests {
    private static final KubeObject CLAIM =
            KubeObject.create(Types.PVC, ObjectKey.of("ns", "data"))
                    .with("u-1", "metadata", "uid")
                    .with("7", "metadata", "resourceVersion")
                    .with("old", "metadata", "labels", "keep");

    @Test
    void aMergePatchFitsOnlyTheObjectItWasMadeFor() {
        assertEquals("{\"metadata\":{\"uid\":\"u-1\"}}", MergePatch.of(CLAIM).json().toString());
        assertThrows(
                IllegalArgumentException.class,
                () -> MergePatch.of(KubeObject.create(Types.PVC, CLAIM.key())));
    }

    @Test
    void aMergePatchHoldsWhatItChanges() {
        var patch =
                MergePatch.of(CLAIM)
                        .ifUnchanged()
                        .annotation("a/b", "1")
                        .withoutAnnotation("c")
                        .label("l", "2")
                        .finalizers(List.of("f"))
                        .set("1Gi", "spec", "size")
                        .without("status");
        assertEquals(
                "{\"metadata\":{\"uid\":\"u-1\",\"resourceVersion\":\"7\",\"annotations\":"
                        + "{\"a/b\":\"1\",\"c\":null},\"labels\":{\"l\":\"2\"},"
                        + "\"finalizers\":[\"f\"]},\"spec\":{\"size\":\"1Gi\"},\"status\":null}",
                patch.json().toString());
    }

    @Test
    void aJsonPatchEscapesTheNamesOfItsPaths() {
        var patch =
                JsonPatch.create()
                        .test("n1", "metadata", "annotations", "a/b~c")
                        .remove("metadata", "annotations", "a/b~c");
        assertEquals(
                "[{\"op\":\"test\",\"path\":\"/metadata/annotations/a~1b~0c\",\"value\":\"n1\"},"
                        + "{\"op\":\"remove\",\"path\":\"/metadata/annotations/a~1b~0c\"}]",
                patch.json().toString());
    }
}
