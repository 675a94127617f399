package lvms.operator.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.Json;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Which pods let go of a claim: those of a StatefulSet that wait, and that get a new one. */
@Safety(40)
class WaitingPodsTests {
    private static final Instant SINCE = Instant.parse("2026-01-01T00:10:00Z");
    private static final String POD =
            "{'metadata':{'name':'db-0','ownerReferences':[{'apiVersion':'apps/v1',"
                    + "'kind':'StatefulSet','name':'db','uid':'u','controller':true}]},"
                    + "'spec':{'volumes':[{'name':'data','persistentVolumeClaim':{"
                    + "'claimName':'data-db-0'}},{'name':'log','persistentVolumeClaim':{"
                    + "'claimName':'log-db-0'}},{'name':'tmp','emptyDir':{}},"
                    + "{'name':'own','ephemeral':{}}]},"
                    + "'status':{'phase':'Pending','conditions':[{'type':'PodScheduled',"
                    + "'status':'False','reason':'Unschedulable',"
                    + "'lastTransitionTime':'2026-01-01T00:10:00Z'}]}}";

    private static WaitingPods pods(String... texts) {
        return WaitingPods.of("data-db-0", Stream.of(texts).map(WaitingPodsTests::pod).toList());
    }

    private static KubeObject pod(String text) {
        return KubeObject.of(Json.parse(text.replace('\'', '"')).asObject());
    }

    @Test
    void aPodThatHasWaitedLetsGo() {
        assertEquals(Optional.empty(), pods(POD).obstacle(SINCE));
    }

    @Test
    void oneThatHasNotWaitedForLongEnoughDoesNot() {
        assertEquals(
                Optional.of(DisposalObstacle.TOO_EARLY), pods(POD).obstacle(SINCE.minusMillis(1)));
    }

    @Test
    void withoutAPodNobodyNeedsAnotherVolume() {
        var other = POD.replace("data-db-0", "data-db-1");
        assertEquals(Optional.of(DisposalObstacle.NO_POD), pods().obstacle(SINCE));
        assertEquals(Optional.of(DisposalObstacle.NO_POD), pods(other).obstacle(SINCE));
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "'kind':'StatefulSet','kind':'ReplicaSet'",
                "'apiVersion':'apps/v1','apiVersion':'other.io/v1'",
                "'controller':true,'controller':false",
                "'name':'db-0','name':'db-1'", // its template makes another claim
                "'name':'data','name':'shared'", // no template makes it
                "'spec':{,\"'spec':{'nodeName':'n1',\"",
                "'phase':'Pending','phase':'Running'",
                "'phase':'Pending','phase':'Succeeded'", // keeps a claim that is being deleted
                "'status':'False','status':'True'",
                "'reason':'Unschedulable','reason':'SchedulingGated'",
                "'type':'PodScheduled','type':'Ready'",
                "'lastTransitionTime','lastProbeTime'",
                "'metadata':{,\"'metadata':{'deletionTimestamp':'2026-01-01T00:00:00Z',\""
            })
    void anyOtherPodKeepsIt(String part, String instead) {
        var other = POD.replace(part, instead);
        assertEquals(false, other.equals(POD));
        assertEquals(Optional.of(DisposalObstacle.IN_USE), pods(other).obstacle(SINCE));
        assertEquals(Optional.of(DisposalObstacle.IN_USE), pods(POD, other).obstacle(SINCE));
    }

    /** Such a claim is the pod's own; it goes with the pod. */
    @Test
    void aGenericEphemeralVolumeIsKept() {
        var ephemeral =
                POD.replace(
                        "'name':'data','persistentVolumeClaim':{'claimName':'data-db-0'}",
                        "'name':'data','ephemeral':{}");
        var pods = WaitingPods.of("db-0-data", List.of(pod(ephemeral)));
        assertEquals(Optional.of(DisposalObstacle.IN_USE), pods.obstacle(SINCE));
    }

    @Test
    void theOtherClaimsOfThePodsAreNamed() {
        assertEquals(List.of("log-db-0", "db-0-own"), pods(POD, POD).otherClaims());
    }
}
