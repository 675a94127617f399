package lvms.operator.provision;

import static lvms.operator.provision.Objects.claim;
import static lvms.operator.provision.Objects.storageClass;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Driver;
import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.operator.claim.Claim;
import lvms.operator.claim.StorageClass;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;
import java.util.Optional;

/** A claim is served when it is ours, unbound, and has its node; what cannot be had is refused. */
class ClaimPlanTests {
    private static final String OURS = "'volume.kubernetes.io/storage-provisioner':'topolvm.io'";
    private static final String WAIT = ",'volumeBindingMode':'WaitForFirstConsumer'";

    private static boolean due(Claim claim, StorageClass storageClass) {
        return ClaimPlan.due(claim, Optional.of(storageClass), Driver.TOPOLVM);
    }

    @Test
    void servesAnImmediateClaimAtOnce() {
        assertTrue(due(claim(OURS, ""), storageClass("")));
    }

    @Test
    void understandsTheOldAnnotationAndMigration() {
        var old = "'volume.beta.kubernetes.io/storage-provisioner':'topolvm.io'";
        assertTrue(due(claim(old, ""), storageClass("")));
        var migrated =
                "'pv.kubernetes.io/migrated-to':'topolvm.io',"
                        + "'volume.kubernetes.io/storage-provisioner':'in-tree'";
        assertTrue(due(claim(migrated, ""), storageClass("")));
    }

    @Test
    void waitsForTheScheduler() {
        var selected = OURS + ",'volume.kubernetes.io/selected-node':'n1'";
        var emptied = OURS + ",'volume.kubernetes.io/selected-node':''";
        assertFalse(due(claim(OURS, ""), storageClass(WAIT)));
        assertFalse(due(claim(emptied, ""), storageClass(WAIT)));
        assertTrue(due(claim(selected, ""), storageClass(WAIT)));
    }

    @Test
    void leavesOthersAlone() {
        var theirs = "'volume.kubernetes.io/storage-provisioner':'example.com'";
        assertFalse(due(claim(theirs, ""), storageClass("")));
        assertFalse(due(claim("", ""), storageClass("")));
        assertFalse(due(claim(OURS, ",'volumeName':'pv-1'"), storageClass("")));
        assertFalse(due(claim(OURS, ""), storageClass(",'provisioner':'example.com'")));
        assertFalse(ClaimPlan.due(claim(OURS, ""), Optional.empty(), Driver.TOPOLVM));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ",'selector':{}",
                ",'volumeAttributesClassName':'gold'",
                ",'accessModes':['ReadWriteMany']",
                ",'accessModes':['ReadWriteOnce','ReadOnlyMany']",
                ",'accessModes':[]"
            })
    void refusesWhatALocalVolumeCannotBe(String spec) {
        var failure = assertThrows(VolumeException.class, () -> ClaimPlan.check(claim(OURS, spec)));
        assertEquals(StatusCode.INVALID_ARGUMENT, failure.code());
    }

    @Test
    void takesBothSingleNodeModes() throws Exception {
        ClaimPlan.check(claim(OURS, ",'accessModes':['ReadWriteOncePod']"));
        ClaimPlan.check(claim(OURS, ""));
    }

    @Test
    void allowedTopologiesAreAlternativesOfRequirements() {
        var allowed =
                storageClass(
                        ",'allowedTopologies':[{'matchLabelExpressions':[{'key':'zone','values':"
                                + "['a','b']},{'key':'disk','values':['ssd']}]},"
                                + "{'matchLabelExpressions':[{'key':'zone','values':['c']}]}]");
        assertTrue(allowed.allows(Map.of("zone", "b", "disk", "ssd")));
        assertFalse(allowed.allows(Map.of("zone", "b")));
        assertTrue(allowed.allows(Map.of("zone", "c")));
        assertFalse(allowed.allows(Map.of()));
    }

    @Test
    void aReferenceWinsOverTheOldDataSource() {
        var spec =
                ",'dataSource':{'kind':'PersistentVolumeClaim','name':'a'},"
                        + "'dataSourceRef':{'apiGroup':'snapshot.storage.k8s.io',"
                        + "'kind':'VolumeSnapshot','name':'s'}";
        var source = claim(OURS, spec).dataSource().orElseThrow();
        assertTrue(source.isSnapshot());
        assertEquals("s", source.name());
    }
}
