package lvms.operator.unit;

import static lvms.operator.cluster.Clusters.cluster;
import static lvms.operator.cluster.Clusters.node;
import static lvms.operator.cluster.Clusters.object;
import static lvms.operator.cluster.Clusters.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LogicalVolume;
import lvms.api.NodeTerms;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Subset;
import lvms.operator.unit.VolumeUse.Candidate;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** Which nodes count, when the agent is rolled out, what is in use, and what is a change. */
class UnitDecisionsTests {
    private static final Candidate VG1 = new Candidate("vg1", true, true);

    @ParameterizedTest(name = "taint {0}:{1} makes a node {2}")
    @CsvSource({
        "mine,NoSchedule,VALID",
        "lvms.topolvm.io/agent-not-ready,NoSchedule,VALID",
        "foreign,NoSchedule,IGNORED",
        "foreign,NoExecute,IGNORED",
        "foreign,PreferNoSchedule,VALID",
        "node.kubernetes.io/not-ready,NoSchedule,NOT_READY",
        "node.kubernetes.io/not-ready,NoExecute,NOT_READY",
        "node.kubernetes.io/unreachable,NoExecute,AGENT_ONLY",
        "node.kubernetes.io/unschedulable,NoSchedule,AGENT_ONLY",
        "node.kubernetes.io/disk-pressure,NoSchedule,AGENT_ONLY"
    })
    void aTaintDecidesWhetherANodeCounts(String key, String effect, NodeEligibility expected) {
        var tolerations =
                cluster(List.of("{'key':'mine','operator':'Exists'}"), "{'name':'a'}")
                        .tolerations();
        var node = node("n1", "{'key':'" + key + "','effect':'" + effect + "'}");
        assertEquals(expected, NodeEligibility.of(node, tolerations, Optional.empty()));
    }

    @Test
    void aForeignTaintWinsOverAPassingOne() {
        var node =
                node(
                        "n1",
                        "{'key':'node.kubernetes.io/not-ready','effect':'NoSchedule'}",
                        "{'key':'foreign','effect':'NoSchedule'}");
        assertEquals(
                NodeEligibility.IGNORED, NodeEligibility.of(node, List.of(), Optional.empty()));
    }

    @ParameterizedTest
    @CsvSource({"n1,VALID", "n2,IGNORED"})
    void aSelectorDecidesWhetherANodeCounts(String name, NodeEligibility expected) {
        var terms =
                NodeTerms.of(
                        tree(
                                "{'nodeSelectorTerms':[{'matchExpressions':[{'key':"
                                        + "'kubernetes.io/hostname','operator':'In',"
                                        + "'values':['n1']}]}]}"));
        assertEquals(expected, NodeEligibility.of(node(name), List.of(), Optional.of(terms)));
    }

    @ParameterizedTest(name = "{0} scheduled, {1} updated, {2} ready, maxUnavailable {3}: {4}")
    @CsvSource(
            value = {
                "3,3,3,1,''",
                "3,3,2,1,''",
                "3,3,1,1,'1 of 3 pods are ready'",
                "3,2,3,1,'2 of 3 pods are updated'",
                "10,10,7,'\"25%\"',''",
                "10,10,6,'\"25%\"','6 of 10 pods are ready'"
            })
    void aRolloutWaitsForUpdatedAndReadyPods(
            int scheduled, int updated, int ready, String maxUnavailable, String missing) {
        var daemonSet =
                object(
                        "{'metadata':{'generation':2},'spec':{'updateStrategy':"
                                + "{'type':'RollingUpdate','rollingUpdate':{'maxUnavailable':"
                                + maxUnavailable
                                + "}}},'status':{'observedGeneration':2,"
                                + "'desiredNumberScheduled':"
                                + scheduled
                                + ",'updatedNumberScheduled':"
                                + updated
                                + ",'numberReady':"
                                + ready
                                + "}}");
        var text = AgentUnit.missing(daemonSet).orElse("");
        assertEquals(missing, text.replace("DaemonSet vg-manager: ", ""));
    }

    @Test
    void aRolloutThatNobodyHasSeenYetIsNotDone() {
        var daemonSet = object("{'metadata':{'generation':2},'status':{'observedGeneration':1}}");
        assertTrue(
                AgentUnit.missing(daemonSet)
                        .orElseThrow()
                        .contains("has not seen the last change"));
    }

    @Test
    void aClaimKeepsItsClass() {
        var claim =
                object(
                        "{'metadata':{'name':'c','namespace':'app'},"
                                + "'spec':{'storageClassName':'lvms-vg1'}}");
        assertEquals(
                Optional.of(
                        "PersistentVolumeClaims of device class vg1 have to be deleted first:"
                                + " app/c"),
                VolumeUse.claims(VG1, List.of(claim), List.of()));
        assertEquals(
                Optional.empty(),
                VolumeUse.claims(new Candidate("vg2", true, false), List.of(claim), List.of()));
    }

    @Test
    void aClaimOfAStorageClassThatAUserMadeKeepsTheClassOfItsVolume() {
        var claim =
                object(
                        "{'metadata':{'name':'c','namespace':'app'},"
                                + "'spec':{'storageClassName':'mine','volumeName':'pv1'}}");
        assertEquals(
                Optional.of(
                        "PersistentVolumeClaims of device class vg1 have to be deleted first:"
                                + " app/c"),
                VolumeUse.claims(VG1, List.of(claim), List.of(volume("pv1", "Delete"))));
        assertEquals(
                Optional.empty(),
                VolumeUse.claims(VG1, List.of(claim), List.of(volume("pv2", "Delete"))));
    }

    private static KubeObject volume(String name, String policy) {
        return object(
                "{'metadata':{'name':'"
                        + name
                        + "'},'spec':{'storageClassName':'mine','persistentVolumeReclaimPolicy':'"
                        + policy
                        + "'}}");
    }

    @Test
    void aVolumeThatAPersonRetainsIsNamedThoughItsClassDeletes() {
        var deletes = new Candidate("vg1", false, true);
        assertEquals(
                Optional.of(
                        "retained PersistentVolumes of device class vg1 have to be deleted first:"
                                + " kept"),
                VolumeUse.retainedVolumes(
                        deletes,
                        List.of(),
                        List.of(volume("kept", "Retain"), volume("goes", "Delete"))));
    }

    @Test
    void aRetainedVolumeKeepsItsClassAndAnotherDoesNot() {
        var volume = object("{'metadata':{'name':'pv1'},'spec':{'storageClassName':'lvms-vg1'}}");
        assertTrue(VolumeUse.retainedVolumes(VG1, List.of(volume), List.of()).isPresent());
        assertEquals(
                Optional.empty(),
                VolumeUse.retainedVolumes(
                        new Candidate("vg1", false, true), List.of(volume), List.of()));
    }

    @ParameterizedTest(name = "class {0}, default {1}, on node {2}: {3}")
    @CsvSource({
        "vg1,false,n1,true",
        "vg1,false,gone,false",
        "vg2,false,n1,false",
        "'',true,n1,true",
        "'',false,n1,false"
    })
    void aLogicalVolumeOnANodeThatExistsKeepsItsClass(
            String deviceClass, boolean isDefault, String node, boolean blocks) {
        var volume =
                object(
                        "{'metadata':{'name':'v'},'spec':{'deviceClass':'"
                                + deviceClass
                                + "','nodeName':'"
                                + node
                                + "','size':'1Gi'}}");
        var candidate = new Candidate("vg1", false, isDefault);
        assertEquals(
                blocks,
                !VolumeUse.left(candidate, List.of(LogicalVolume.of(volume)), Set.of("n1"))
                        .isEmpty());
    }

    @Test
    void aLongListOfUsersIsCut() {
        var claims =
                IntStream.range(0, 8)
                        .mapToObj(
                                i ->
                                        object(
                                                "{'metadata':{'name':'c"
                                                        + i
                                                        + "','namespace':'x'},'spec':"
                                                        + "{'storageClassName':'lvms-vg1'}}"))
                        .toList();
        assertTrue(
                VolumeUse.claims(VG1, claims, List.of())
                        .orElseThrow()
                        .endsWith("x/c4, and 3 more"));
    }

    @ParameterizedTest(name = "{0} in {1}: {2}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'a':1}|{'a':1,'b':2}|true",
                "{'a':1}|{'a':2}|false",
                "{'a':{'b':1}}|{'a':{'b':1,'c':2}}|true",
                "{'l':[{'n':1}]}|{'l':[{'n':1,'d':2}]}|true",
                "{'l':[1]}|{'l':[1,2]}|false",
                "{'l':[]}|{}|true",
                "{'metadata':{'finalizers':['a']}}|{'metadata':{'finalizers':['b','a']}}|true",
                "{'metadata':{'finalizers':['a']}}|{'metadata':{'finalizers':['b']}}|false"
            })
    void anApplyIsNeededOnlyWhereSomethingIsMissing(String wanted, String present, boolean holds) {
        assertEquals(holds, Subset.holds(tree(wanted), tree(present)));
    }
}
