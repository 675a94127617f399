package lvms.operator.snapshot;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import lvms.api.Driver;
import lvms.api.VolumeException;
import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.Json;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Of a VolumeSnapshotClass, what csi-snapshotter takes is taken, and what it refuses is refused.
 */
class SnapshotClassTests {
    private static final String SECRET = "'csi.storage.k8s.io/snapshotter-secret-name':'s'";
    private static final String SPACE = "'csi.storage.k8s.io/snapshotter-secret-namespace':'n'";

    private static KubeObject snapshotClass(String driver, String parameters) {
        var text =
                "{'metadata':{'name':'snaps'},'driver':'%s','deletionPolicy':'Delete',"
                        + "'parameters':{%s}}";
        return KubeObject.of(
                Json.parse(text.formatted(driver, parameters).replace('\'', '"')).asObject());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "'example.com/of-another-driver':'x'",
                SECRET + "," + SPACE,
                "'csi.storage.k8s.io/snapshotter-list-secret-name':'${volumesnapshot.name}',"
                        + "'csi.storage.k8s.io/snapshotter-list-secret-namespace':'n'"
            })
    void whatChangesNothingIsTaken(String parameters) {
        assertDoesNotThrow(
                () ->
                        SnapshotClass.SINGLE.check(
                                snapshotClass("topolvm.io", parameters), Driver.TOPOLVM));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "topolvm.io | 'csi.storage.k8s.io/fstype':'xfs' | has the unknown parameter"
                        + " csi.storage.k8s.io/fstype; the prefix csi.storage.k8s.io/ is reserved",
                "topolvm.io | 'csi.storage.k8s.io/snapshotter-secret':'s' | has the unknown"
                        + " parameter csi.storage.k8s.io/snapshotter-secret; the prefix"
                        + " csi.storage.k8s.io/ is reserved",
                "topolvm.io | 'csi.storage.k8s.io/snapshotter-secret-name':'s' | must set"
                        + " csi.storage.k8s.io/snapshotter-secret-name and -namespace together",
                "topolvm.io | 'csi.storage.k8s.io/snapshotter-list-secret-namespace':'s' | must set"
                    + " csi.storage.k8s.io/snapshotter-list-secret-name and -namespace together",
                "topolvm.cybozu.com | 'a':'b' | is for driver topolvm.cybozu.com, not topolvm.io",
                "topolvm.io | 'lvms.topolvm.io/snapshot-size':'0%' | has"
                        + " lvms.topolvm.io/snapshot-size: expected 1% to 100%, or a positive size"
                        + " such as 5Gi, found \"0%\"",
            })
    void whatNobodyCouldObeyIsRefused(String driver, String parameters, String why) {
        var failure =
                assertThrows(
                        VolumeException.class,
                        () ->
                                SnapshotClass.SINGLE.check(
                                        snapshotClass(driver, parameters), Driver.TOPOLVM));
        assertEquals("VolumeSnapshotClass snaps " + why, failure.getMessage());
    }
}
