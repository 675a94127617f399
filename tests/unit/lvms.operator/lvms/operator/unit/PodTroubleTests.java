package lvms.operator.unit;

import static lvms.operator.cluster.Clusters.object;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.k8s.object.KubeObject;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;

/** A pod that does not run is told about in the words of whoever keeps it from running. */
class PodTroubleTests {
    private static KubeObject pod(String state) {
        return object(
                "{'metadata':{'name':'vg-manager-x','uid':'u1'},'spec':{'nodeName':'n1'},"
                        + "'status':{'containerStatuses':[{'name':'vg-manager',"
                        + state
                        + "}]}}");
    }

    private static KubeObject event(String uid, String time, String note) {
        return object(
                "{'metadata':{'name':'e'},'regarding':{'kind':'Pod','uid':'"
                        + uid
                        + "'},'reason':'FailedMount','deprecatedLastTimestamp':'"
                        + time
                        + "','note':'"
                        + note
                        + "'}");
    }

    private static void expect(String text, KubeObject pod, KubeObject... events) {
        assertEquals(Optional.of(text), PodTrouble.of(pod, List.of(events)));
    }

    @Test
    void aPodThatRunsHasNone() {
        var pod = pod("'state':{'running':{}},'lastState':{'terminated':{'exitCode':1}}");
        assertEquals(Optional.empty(), PodTrouble.of(pod, List.of()));
    }

    @Test
    void aFolderThatCannotBeMadeIsNamed() {
        expect(
                "node n1: the vg-manager pod cannot start: CreateContainerError: failed to mkdir"
                        + " /etc/topolvm: read-only file system",
                pod(
                        "'state':{'waiting':{'reason':'CreateContainerError','message':"
                                + "'failed to mkdir /etc/topolvm: read-only file system'}}"));
    }

    @Test
    void aVolumeThatCannotBeSetUpIsNamedByTheNewestEvent() {
        expect(
                "node n1: the vg-manager pod cannot start: mkdir /etc/topolvm: read-only file"
                        + " system",
                pod("'state':{'waiting':{'reason':'ContainerCreating'}}"),
                event("u1", "2026-01-01T00:00:00Z", "older"),
                event("u1", "2026-01-01T00:05:00Z", "mkdir /etc/topolvm: read-only file system"),
                event("u2", "2026-01-01T00:09:00Z", "of another pod"));
    }

    @Test
    void anImageThatCannotBePulledIsNamed() {
        expect(
                "node n1: the vg-manager pod cannot start: ImagePullBackOff: Back-off pulling"
                        + " image",
                pod(
                        "'state':{'waiting':{'reason':'ImagePullBackOff',"
                                + "'message':'Back-off pulling image'}}"));
    }

    @Test
    void aProgramThatEndsTellsWhatItPrintedLast() {
        var waiting = "'state':{'waiting':{'reason':'CrashLoopBackOff','message':'back-off'}},";
        expect(
                "node n1: the vg-manager pod ends: lvms: unknown flag --x",
                pod(
                        waiting
                                + "'lastState':{'terminated':{'exitCode':2,"
                                + "'message':'lvms: unknown flag --x\\n'}}"));
        expect(
                "node n1: the vg-manager pod ends: OOMKilled",
                pod(waiting + "'lastState':{'terminated':{'exitCode':137,'reason':'OOMKilled'}}"));
    }

    @Test
    void aPodWithoutANodeIsThatOfTheNodeItWasMadeFor() {
        expect(
                "node n7: the vg-manager pod cannot start: 0/1 nodes are available",
                object(
                        "{'metadata':{'uid':'u1'},'spec':{'affinity':{'nodeAffinity':{"
                                + "'requiredDuringSchedulingIgnoredDuringExecution':{"
                                + "'nodeSelectorTerms':[{'matchFields':[{'key':'metadata.name',"
                                + "'operator':'In','values':['n7']}]}]}}}},"
                                + "'status':{'conditions':[{'type':'PodScheduled','status':'False',"
                                + "'message':'0/1 nodes are available'}]}}"));
    }

    @Test
    void aPodThatSaysNothingIsNotGuessedAbout() {
        assertEquals(
                Optional.empty(),
                PodTrouble.of(
                        pod("'state':{'waiting':{'reason':'ContainerCreating'}}"), List.of()));
    }
}
