package lvms.operator.takeover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.yaml.Yaml;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Map;

/** Whose program runs, and whether it runs everywhere, is read from the workload. */
class WorkloadTests {
    /** NativeStor's Deployments, one for each node, select the same labels. */
    @ParameterizedTest(name = "a pod of {0}")
    @CsvSource({
        "topolvm-node-n1-5d4f7, false",
        "topolvm-node-n1-a-5d4f7, true",
        "topolvm-node-n2-5d4f7, true"
    })
    void aPodOfAnotherDeploymentIsToldByItsReplicaSet(String replicaSet, boolean other) {
        var deployment = KubeObject.create(Types.DEPLOYMENT, ObjectKey.of("ns", "topolvm-node-n1"));
        var owner =
                ObjectTree.ofTexts(
                        Map.of(
                                "apiVersion", "apps/v1",
                                "kind", "ReplicaSet",
                                "name", replicaSet,
                                "uid", "1"));
        var pod = KubeObject.create(Types.POD, ObjectKey.of("ns", "p"));
        var owned = pod.with(ListTree.of(List.of(owner)), "metadata", "ownerReferences");
        assertEquals(other, Workload.isOfAnother(owned, deployment));
        assertFalse(Workload.isOfAnother(pod, deployment), "a pod without an owner counts");
    }

    private static KubeObject object(String yaml) {
        return KubeObject.of(Yaml.read(yaml).asObject());
    }

    @ParameterizedTest(name = "{0} of generation 2, {1} and {2} of 2: {3}")
    @CsvSource({"2, 2, 2, true", "1, 2, 2, false", "2, 1, 2, false", "2, 2, 1, false"})
    void aDaemonSetIsReadyIfAllOfItsPodsAreNewAndReady(
            int observed, int updated, int ready, boolean expected) {
        var daemonSet =
                """
                kind: DaemonSet
                metadata: {generation: 2}
                status:
                  observedGeneration: %d
                  desiredNumberScheduled: 2
                  updatedNumberScheduled: %d
                  numberReady: %d
                """;
        assertEquals(
                expected, Workload.ready(object(daemonSet.formatted(observed, updated, ready))));
    }

    @ParameterizedTest(name = "{0} replicas, {1} updated, {2} ready: {3}")
    @CsvSource({"2, 2, 1, true", "2, 1, 2, false", "2, 2, 0, false", "0, 0, 0, false"})
    void aDeploymentIsReadyIfItIsNewAndOneServes(
            int replicas, int updated, int ready, boolean expected) {
        var deployment =
                """
                kind: Deployment
                spec: {replicas: %d}
                status: {updatedReplicas: %d, readyReplicas: %d}
                """;
        assertEquals(
                expected, Workload.ready(object(deployment.formatted(replicas, updated, ready))));
    }

    @ParameterizedTest(name = "{0} is of {1}")
    @CsvSource({
        "/opt/lvms/bin/lvms-operator, OURS",
        "/opt/lvms/bin/lvms-vgmanager, OURS",
        "/lvms, THEIRS",
        "/manager, THEIRS"
    })
    void theProgramTellsWhoseItIs(String program, Program expected) {
        var workload =
                "spec: {template: {spec: {containers: [{name: c, command: ["
                        + program
                        + ", x]}]}}}";
        assertEquals(expected, Program.of(object(workload)));
    }

    @Test
    void fieldsThatLvmsDoesNotKnowAreNamedWithTheirClass() {
        var cluster =
                """
                spec:
                  storage:
                    deviceClasses:
                      - {name: a, thinPoolConfig: {name: p, whenFull: Fail}}
                      - {name: b, erasureConfig: {}}
                      - {name: c, thinPoolConfig: {name: p}}
                """;
        assertEquals(
                java.util.List.of("a: thinPoolConfig.whenFull", "b: erasureConfig"),
                LvmsFields.in(object(cluster)));
    }
}
