package lvms.operator.provision;

import static lvms.operator.provision.Objects.claim;
import static lvms.operator.provision.Objects.object;
import static lvms.operator.provision.Objects.storageClass;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.k8s.object.KubeObject;
import lvms.operator.backend.BegunVolume;
import lvms.operator.claim.AttributesClass;
import lvms.operator.claim.Claim;
import lvms.operator.claim.StorageClass;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A claim is served when it is ours, unbound, and has its node; what cannot be had is refused. */
class ClaimPlanTests {
    private static final String OURS = "'volume.kubernetes.io/storage-provisioner':'topolvm.io'";
    private static final String WAIT = ",'volumeBindingMode':'WaitForFirstConsumer'";

    private static final KubeObject NODE =
            object("{'metadata':{'name':'n1','labels':{'topology.topolvm.io/node':'n1'}}}");

    /** One node, at which every driver is registered or none. */
    private record OneNode(boolean registers) implements ClaimPlan.Nodes {
        @Override
        public Optional<KubeObject> named(String name) {
            return Optional.of(NODE).filter(node -> node.name().equals(name));
        }

        @Override
        public boolean registered(Driver driver, String node) {
            return registers;
        }

        @Override
        public List<KubeObject> all() {
            return List.of(NODE);
        }
    }

    private static ClaimPlan.Surroundings around(Optional<StorageClass> storageClass) {
        return new ClaimPlan.Surroundings(
                Drivers.DEFAULT,
                storageClass,
                Optional.empty(),
                false,
                Optional.empty(),
                Optional.empty(),
                new OneNode(true));
    }

    private static ClaimPlan gold(AttributesClass gold) {
        return ClaimPlan.of(
                claim(OURS, ",'volumeAttributesClassName':'gold'"),
                new ClaimPlan.Surroundings(
                        Drivers.DEFAULT,
                        Optional.of(storageClass("")),
                        Optional.ofNullable(gold),
                        false,
                        Optional.empty(),
                        Optional.empty(),
                        new OneNode(true)));
    }

    @Test
    void asksForTheAttributesOfItsClass() {
        var gold = new AttributesClass("topolvm.io", Map.of("topolvm.io/read-ahead", "64Ki"));
        var plan = assertInstanceOf(ClaimPlan.Provision.class, gold(gold));
        assertEquals("read-ahead=64Ki", plan.attributes().text());
    }

    @Test
    void saysWhatIsWrongWithAnAttributesClass() {
        var missing = assertInstanceOf(ClaimPlan.Refused.class, gold(null));
        assertEquals("VolumeAttributesClass gold does not exist", missing.failure().getMessage());
        var foreign = gold(new AttributesClass("example.com", Map.of()));
        assertEquals(
                "VolumeAttributesClass gold is for driver example.com, not topolvm.io",
                assertInstanceOf(ClaimPlan.Refused.class, foreign).failure().getMessage());
    }

    private static ClaimPlan plan(Claim claim, StorageClass storageClass) {
        return ClaimPlan.of(claim, around(Optional.of(storageClass)));
    }

    private static boolean due(Claim claim, StorageClass storageClass) {
        return plan(claim, storageClass) instanceof ClaimPlan.Provision;
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
    @Safety(34)
    void refusesAClaimThatIsTooLarge() {
        var large = new Claim(Claim.tooLarge(claim(OURS, "").object()));
        var plan = assertInstanceOf(ClaimPlan.Refused.class, plan(large, storageClass("")));
        assertTrue(plan.failure().getMessage().contains("too large"));
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
        assertInstanceOf(
                ClaimPlan.Converged.class, ClaimPlan.of(claim(OURS, ""), around(Optional.empty())));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ",'selector':{}",
                ",'accessModes':['ReadWriteMany']",
                ",'accessModes':['ReadWriteOnce','ReadOnlyMany']",
                ",'accessModes':[]"
            })
    void refusesWhatALocalVolumeCannotBe(String spec) {
        var refused =
                assertInstanceOf(
                        ClaimPlan.Refused.class, plan(claim(OURS, spec), storageClass("")));
        assertEquals(StatusCode.INVALID_ARGUMENT, refused.failure().code());
    }

    @Test
    void takesBothSingleNodeModes() {
        assertTrue(due(claim(OURS, ",'accessModes':['ReadWriteOncePod']"), storageClass("")));
        assertTrue(due(claim(OURS, ""), storageClass("")));
    }

    @Test
    void eachDriverServesItsOwnClaimsByItsOwnParameters() {
        var legacy = "'volume.kubernetes.io/storage-provisioner':'topolvm.cybozu.com'";
        var classes =
                ",'parameters':{'topolvm.io/device-class':'new',"
                        + "'topolvm.cybozu.com/device-class':'old'}";
        var both =
                new ClaimPlan.Surroundings(
                        Drivers.of(Driver.TOPOLVM, Driver.LEGACY),
                        Optional.of(storageClass(classes + ",'provisioner':'topolvm.cybozu.com'")),
                        Optional.empty(),
                        false,
                        Optional.empty(),
                        Optional.empty(),
                        new OneNode(true));
        var plan =
                assertInstanceOf(ClaimPlan.Provision.class, ClaimPlan.of(claim(legacy, ""), both));
        assertEquals(Driver.LEGACY, plan.driver());
        assertEquals("old", plan.parameters().deviceClass());
        assertEquals(
                Map.of(
                        "topolvm.cybozu.com/provisioning-claim",
                        "app/data/u-1",
                        "topolvm.cybozu.com/claim",
                        "app/data"),
                plan.request(claim(legacy, ""), Optional.empty()).annotations());
        assertInstanceOf(ClaimPlan.Converged.class, ClaimPlan.of(claim(OURS, ""), both));
        assertFalse(due(claim(legacy, ""), storageClass(",'provisioner':'topolvm.cybozu.com'")));
    }

    @Test
    void aClaimThatHasItsVolumeOnlyLosesTheMark() {
        var written =
                new ClaimPlan.Surroundings(
                        Drivers.DEFAULT,
                        Optional.of(storageClass("")),
                        Optional.empty(),
                        true,
                        Optional.empty(),
                        Optional.empty(),
                        new OneNode(true));
        assertInstanceOf(ClaimPlan.HandedOver.class, ClaimPlan.of(claim(OURS, ""), written));
    }

    @Test
    void whatWasBegunForAClaimThatGotAnotherVolumeIsAbandoned() {
        var elsewhere = claim(OURS, ",'volumeName':'pv-1'");
        assertInstanceOf(ClaimPlan.Abandoned.class, plan(elsewhere, storageClass("")));
    }

    /** Its PersistentVolume may not be in the cache yet, or be gone with its data kept. */
    @Test
    @Safety(13)
    void aVolumeThatIsBoundToItsClaimOnlyLosesTheMark() {
        for (var phase : List.of("Bound", "Lost")) {
            var bound = claim(OURS, ",'volumeName':'pvc-u-1'},'status':{'phase':'" + phase + "'");
            assertInstanceOf(ClaimPlan.HandedOver.class, plan(bound, storageClass("")));
        }
        var chosen = claim(OURS, ",'volumeName':'pvc-u-1'},'status':{'phase':'Pending'");
        assertInstanceOf(ClaimPlan.Converged.class, plan(chosen, storageClass("")));
    }

    @Test
    void aVolumeOnAnotherNodeThanTheChosenOneIsMisplaced() {
        var selected = claim(OURS + ",'volume.kubernetes.io/selected-node':'n1'", "");
        assertInstanceOf(ClaimPlan.Misplaced.class, ClaimPlan.of(selected, begunOn("n2")));
        assertInstanceOf(ClaimPlan.Provision.class, ClaimPlan.of(selected, begunOn("n1")));
    }

    @Test
    void aVolumeThatANodeLeftUnmadeWhenItWasDeletedIsMisplaced() {
        assertInstanceOf(
                ClaimPlan.Misplaced.class,
                ClaimPlan.of(claim(OURS, ""), begunOn("n2", storageClass(""), "", "")));
        var copy =
                claim(
                        OURS + ",'volume.kubernetes.io/selected-node':'n1'",
                        ",'dataSource':{'kind':'PersistentVolumeClaim','name':'a'}");
        assertInstanceOf(
                ClaimPlan.Misplaced.class,
                ClaimPlan.of(copy, begunOn("n2", storageClass(WAIT), "", "")));
    }

    @Test
    void aVolumeThatIsThereWaitsForItsNode() {
        var made = ",'status':{'volumeID':'u-2','currentSize':'1Gi'}";
        var restored = ",'topolvm.io/volume-id':'u-0'";
        for (var begun :
                List.of(
                        begunOn("n1", storageClass(""), "", ""),
                        begunOn("n2", storageClass(""), "", made),
                        begunOn("n2", storageClass(""), restored, ""))) {
            assertInstanceOf(
                    ClaimPlan.Provision.class,
                    ClaimPlan.of(claim(OURS, ""), begun),
                    begun::toString);
        }
    }

    private static ClaimPlan.Surroundings begunOn(String node) {
        return begunOn(node, storageClass(WAIT), "", "");
    }

    private static ClaimPlan.Surroundings begunOn(
            String node, StorageClass storageClass, String annotations, String status) {
        var begun =
                LogicalVolume.of(
                        object(
                                "{'apiVersion':'topolvm.io/v1','metadata':{'name':'pvc-u-1',"
                                        + "'uid':'u-2','annotations':"
                                        + "{'topolvm.io/provisioning-claim':'app/data/u-1'"
                                        + annotations
                                        + "}},'spec':{'nodeName':'"
                                        + node
                                        + "','size':'1Gi'}"
                                        + status
                                        + "}"));
        return new ClaimPlan.Surroundings(
                Drivers.DEFAULT,
                Optional.of(storageClass),
                Optional.empty(),
                false,
                Optional.of(BegunVolume.of(begun, Driver.TOPOLVM)),
                Optional.empty(),
                new OneNode(true));
    }

    @Test
    void refusesANodeThatIsGoneOrWithoutTheDriver() {
        var gone = claim(OURS + ",'volume.kubernetes.io/selected-node':'n9'", "");
        var selected = claim(OURS + ",'volume.kubernetes.io/selected-node':'n1'", "");
        var unregistered =
                new ClaimPlan.Surroundings(
                        Drivers.DEFAULT,
                        Optional.of(storageClass(WAIT)),
                        Optional.empty(),
                        false,
                        Optional.empty(),
                        Optional.empty(),
                        new OneNode(false));
        assertEquals(
                StatusCode.RESOURCE_EXHAUSTED,
                assertInstanceOf(ClaimPlan.Refused.class, plan(gone, storageClass(WAIT)))
                        .failure()
                        .code());
        assertEquals(
                StatusCode.UNAVAILABLE,
                assertInstanceOf(ClaimPlan.Refused.class, ClaimPlan.of(selected, unregistered))
                        .failure()
                        .code());
    }

    @Test
    void leavesOtherDataSourcesToTheirPopulators() {
        var source = ",'dataSource':{'apiGroup':'example.com','kind':'Seed','name':'s'}";
        assertEquals(new ClaimPlan.Populated("Seed"), plan(claim(OURS, source), storageClass("")));
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

    @Test
    void refusesWhatItsDriverCanNeverServe() {
        var around =
                new ClaimPlan.Surroundings(
                        Drivers.DEFAULT,
                        Optional.of(storageClass("")),
                        Optional.empty(),
                        false,
                        Optional.empty(),
                        Optional.of("no filesystem"),
                        new OneNode(true));
        var refused =
                assertInstanceOf(ClaimPlan.Refused.class, ClaimPlan.of(claim(OURS, ""), around));
        assertEquals(StatusCode.INVALID_ARGUMENT, refused.failure().code());
        assertEquals("no filesystem", refused.failure().getMessage());
    }
}
