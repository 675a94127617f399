package lvms.operator.topolvmcluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LvmVolumeGroup;
import lvms.api.listing.GroupListing;
import lvms.api.nativestor.ClusterStorage;
import lvms.api.nativestor.TopolvmCluster;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.yaml.Yaml;
import lvms.operator.topolvmcluster.rule.AdoptionRequest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A volume group without our tag is taken over if a person asks for it, or if NativeStor made it;
 * as in NativeStor, one of somebody else is not.
 */
class AdoptionTests {
    private static final WantedGroup EVERYWHERE =
            wanted("{useAllNodes: true, useAllDevices: true, volumeGroupName: data, className: f}");
    private static final WantedGroup ON_N1 =
            wanted(
                    "{deviceClasses: [{nodeName: n1, classes: [{className: f, volumeGroup: data,"
                            + " devices: [{name: /dev/sdb}]}]}]}");

    /** As NativeStor's operator writes it; n3 has another group, and n4's could not be made. */
    private static final String STATUS =
            """
            phase: Ready
            nodeStorageState:
              - {node: n1, phase: Ready,
                 successClasses: [{className: f, vgName: data, state: Ready}]}
              - {node: n2, phase: Ready,
                 successClasses: [{className: f, vgName: data, state: UnReady}]}
              - {node: n3, phase: Ready,
                 successClasses: [{className: f, vgName: old, state: Ready}]}
              - {node: n4, phase: Failure, failClasses: [{className: f, state: UnReady,
                message: create failed vg existing}]}
              - {node: n5, phase: Ready, successClasses: [{className: other, vgName: data}]}
            """;

    private static WantedGroup wanted(String storage) {
        return WantedGroups.of(
                        ClusterStorage.of(
                                Yaml.read("storage: " + storage)
                                        .asObject()
                                        .object("storage")
                                        .orElseThrow()))
                .getFirst();
    }

    private static TopolvmCluster cluster(String annotation, String status) {
        var object =
                KubeObject.create(TopolvmCluster.TYPE, ObjectKey.of("ns", "topolvm"))
                        .with(Yaml.read(status), "status");
        return TopolvmCluster.of(
                annotation.isEmpty()
                        ? object
                        : object.with(
                                annotation,
                                "metadata",
                                "annotations",
                                "lvms.topolvm.io/adopt-volume-groups"));
    }

    private static GroupListing listing(
            TopolvmCluster cluster,
            WantedGroup wanted,
            Optional<LvmVolumeGroup> present,
            String... serving) {
        var adoption = new Adoption(AdoptionRequest.of(cluster.object()), cluster.status().nodes());
        return adoption.of(wanted, present, Set.of(serving)).spec().listing();
    }

    private static Optional<LvmVolumeGroup> present(WantedGroup group) {
        var key = ObjectKey.of("ns", group.name());
        return Optional.of(
                LvmVolumeGroup.of(
                        KubeObject.create(LvmVolumeGroup.TYPE, key)
                                .with(group.spec().json(), "spec")));
    }

    @Test
    void nothingIsTakenOverByItself() {
        var listing = listing(cluster("", "{}"), EVERYWHERE, Optional.empty());
        assertFalse(listing.adopt());
        assertEquals(List.of(), listing.adoptOn());
    }

    @ParameterizedTest
    @ValueSource(strings = {"data", "*", " * ", "other,data", "data , other"})
    void whoeverNamesAGroupGetsItOnEveryNode(String annotation) {
        var listing = listing(cluster(annotation, "{}"), EVERYWHERE, Optional.empty());
        assertTrue(listing.adopt());
        assertTrue(listing.adoptsOn("n9"));
    }

    @Test
    void anotherNameIsNoWish() {
        assertFalse(listing(cluster("other", "{}"), EVERYWHERE, Optional.empty()).adopt());
    }

    @Test
    void aWishThatIsTakenBackNoLongerCounts() {
        var asked = present(EVERYWHERE.adopting(true, List.of()));
        assertFalse(listing(cluster("", "{}"), EVERYWHERE, asked).adopt());
    }

    /** NativeStor lists a group that lost a disk, too: it is its own. */
    @Test
    void whatNativeStorMadeIsTakenOverOnTheNodesOnWhichItSaysSo() {
        var listing = listing(cluster("", STATUS), EVERYWHERE, Optional.empty());
        assertFalse(listing.adopt());
        assertEquals(List.of("n1", "n2"), listing.adoptOn());
        assertEquals(
                List.of("n1"), listing(cluster("", STATUS), ON_N1, Optional.empty()).adoptOn());
    }

    /** Our own status takes the place of NativeStor's before every node has had its turn. */
    @Test
    void theEvidenceStaysWithTheGroupUntilItHasServed() {
        var made = present(EVERYWHERE.adopting(false, List.of("n1", "n2")));
        assertEquals(List.of("n1", "n2"), listing(cluster("", "{}"), EVERYWHERE, made).adoptOn());
        assertEquals(List.of("n2"), listing(cluster("", "{}"), EVERYWHERE, made, "n1").adoptOn());
    }

    /** Otherwise a group of somebody else on a reinstalled node would count as ours. */
    @Test
    void ourOwnStatusIsNoEvidence() {
        var made = present(EVERYWHERE);
        assertEquals(List.of(), listing(cluster("", STATUS), EVERYWHERE, made).adoptOn());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"data,my group | my group", "'' | ''", "data, | ''", "*,data | *", "-v | -v"})
    void aBadAnnotationIsOneLineAndAsksForNothing(String annotation, String bad) {
        var object =
                KubeObject.create(TopolvmCluster.TYPE, ObjectKey.of("ns", "topolvm"))
                        .with(
                                annotation,
                                "metadata",
                                "annotations",
                                "lvms.topolvm.io/adopt-volume-groups");
        var request = AdoptionRequest.of(object);
        assertFalse(request.names("data"));
        assertEquals(
                Optional.of(
                        "annotation lvms.topolvm.io/adopt-volume-groups: \""
                                + bad
                                + "\" is not the name of a volume group: write names with commas"
                                + " between them, or * for all; until then nothing is taken over"),
                request.problem());
    }

    @Test
    void aNameThatNoClassHasIsWarnedOf() {
        var request = AdoptionRequest.of(cluster("data,dtaa", "{}").object());
        assertEquals(
                List.of(
                        "annotation lvms.topolvm.io/adopt-volume-groups: no class has volume group"
                                + " dtaa"),
                request.warnings(List.of("data")));
        assertEquals(
                List.of(), AdoptionRequest.of(cluster("*", "{}").object()).warnings(List.of()));
    }
}
