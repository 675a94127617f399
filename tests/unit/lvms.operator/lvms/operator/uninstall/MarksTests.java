package lvms.operator.uninstall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Quantity;
import lvms.tests.runner.Safety;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;

/**
 * A LogicalVolume that goes while its volume stays has the mark of its own driver, which tells the
 * node agent to leave the volume alone.
 */
class MarksTests {
    private static KubeObject volume(String driver) {
        var spec = new LogicalVolume.Spec("v", "n1", Quantity.parse("1Gi"), "ssd", "", "", "");
        return LogicalVolume.create(new Driver(driver), spec, Map.of())
                .with("7", "metadata", "resourceVersion")
                .with("uid-1", "metadata", "uid");
    }

    @Safety(49)
    @ParameterizedTest
    @ValueSource(strings = {"topolvm.io", "topolvm.cybozu.com"})
    void theMarkIsThatOfTheVolumesOwnDriver(String driver) {
        var volume = volume(driver);
        assertEquals(List.of(driver + "/logicalvolume"), Marks.finalizers(volume));
        assertFalse(Marks.released(volume));
        var patch = Marks.releasing(volume).json();
        assertEquals(
                Map.of(driver + "/pendingdeletion", "true"),
                patch.textMap("metadata", "annotations"));
        assertEquals(List.of(), patch.texts("metadata", "finalizers"));
    }

    @Safety(49)
    @ParameterizedTest
    @ValueSource(strings = {"topolvm.io", "topolvm.cybozu.com"})
    void oneWithoutFinalizersIsNotReleasedBeforeItHasTheMark(String driver) {
        var bare = volume(driver).without("metadata", "finalizers");
        assertFalse(Marks.released(bare));
        assertTrue(
                Marks.released(
                        bare.with("true", "metadata", "annotations", driver + "/pendingdeletion")));
    }
}
