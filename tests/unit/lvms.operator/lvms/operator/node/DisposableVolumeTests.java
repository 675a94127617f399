package lvms.operator.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.Json;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Optional;

/** Which volume's data may be lost so that a pod can leave its node. */
@Safety(40)
class DisposableVolumeTests {
    private static final String CLAIM =
            "{'metadata':{'name':'data-db-0','namespace':'default','uid':'u-1','annotations':{"
                    + "'lvms.topolvm.io/disposable':'true'}},'spec':{'volumeName':'pv'}}";
    private static final String VOLUME =
            "{'metadata':{'name':'pv'},'spec':{'persistentVolumeReclaimPolicy':'Delete',"
                    + "'claimRef':{'uid':'u-1'},'nodeAffinity':{'required':{}}}}";

    private static KubeObject object(String text) {
        return KubeObject.of(Json.parse(text.replace('\'', '"')).asObject());
    }

    private static DisposableVolume volume(String claim, String volume, String place) {
        return new DisposableVolume(
                object(claim),
                Optional.empty(),
                Optional.of(object(volume)),
                Optional.of(place).filter(text -> !text.isEmpty()));
    }

    private static void require(DisposalObstacle expected, DisposableVolume volume) {
        assertEquals(Optional.ofNullable(expected), volume.obstacle("n1"));
    }

    @Test
    void aMarkedClaimWithItsVolumeOnTheNodeMayGo() {
        require(null, volume(CLAIM, VOLUME, "n1"));
    }

    @ParameterizedTest(name = "claim {0}, class {1}: {2}")
    @CsvSource({
        "true,,true",
        ",true,true",
        "true,false,true",
        "false,true,false",
        "True,true,false",
        "'',true,false",
        ",yes,false",
        ",,false"
    })
    void theClaimSaysMoreThanItsClass(String claim, String storageClass, boolean marked) {
        assertEquals(
                marked,
                DisposableVolume.isMarked(annotated(claim), Optional.of(annotated(storageClass))));
        assertEquals(
                "true".equals(claim),
                DisposableVolume.isMarked(annotated(claim), Optional.empty()));
    }

    private static KubeObject annotated(String value) {
        var bare = object("{'metadata':{'name':'x'}}");
        return value == null
                ? bare
                : bare.with(value, "metadata", "annotations", "lvms.topolvm.io/disposable");
    }

    @Test
    void whatNobodyMarkedStays() {
        require(
                DisposalObstacle.NOT_MARKED,
                volume(CLAIM.replace("'true'", "'false'"), VOLUME, "n1"));
    }

    @Test
    void whatIsBeingDeletedIsLeftToWhoeverDoesIt() {
        var ends = "'metadata':{'deletionTimestamp':'2026-01-01T00:00:00Z',";
        require(DisposalObstacle.ENDING, volume(CLAIM.replace("'metadata':{", ends), VOLUME, "n1"));
        require(DisposalObstacle.ENDING, volume(CLAIM, VOLUME.replace("'metadata':{", ends), "n1"));
    }

    @Test
    void aVolumeThatIsNotTheClaimsOwnStays() {
        require(DisposalObstacle.NOT_BOUND, volume(CLAIM, VOLUME.replace("u-1", "u-0"), "n1"));
        require(
                DisposalObstacle.NOT_BOUND,
                volume(CLAIM, VOLUME.replace("'name':'pv'", "'name':'other'"), "n1"));
        require(
                DisposalObstacle.NOT_BOUND,
                new DisposableVolume(
                        object(CLAIM), Optional.empty(), Optional.empty(), Optional.empty()));
    }

    @Test
    void aVolumeThatWouldStayHelpsNobody() {
        require(DisposalObstacle.RETAINED, volume(CLAIM, VOLUME.replace("Delete", "Retain"), "n1"));
    }

    @Test
    void aVolumeOfAnotherNodeOrDriverStays() {
        require(DisposalObstacle.OTHER_PLACE, volume(CLAIM, VOLUME, "n2"));
        require(DisposalObstacle.OTHER_PLACE, volume(CLAIM, VOLUME, ""));
    }

    @Test
    void onlyABoundClaimWhoseVolumeHasAPlaceKeepsAPodThere() {
        assertEquals(true, volume(CLAIM, VOLUME, "").pins());
        var anywhere = "{'metadata':{'name':'pv'},'spec':{}}";
        assertEquals(false, volume(CLAIM, anywhere, "").pins());
        assertEquals(false, volume(CLAIM.replace("'pv'", "''"), VOLUME, "").pins());
        var ends = "'metadata':{'deletionTimestamp':'2026-01-01T00:00:00Z',";
        assertEquals(false, volume(CLAIM.replace("'metadata':{", ends), VOLUME, "").pins());
    }
}
