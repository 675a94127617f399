package lvms.operator.uninstall;

import static lvms.operator.uninstall.World.CLAIM;
import static lvms.operator.uninstall.World.CLUSTER;
import static lvms.operator.uninstall.World.POD;
import static lvms.operator.uninstall.World.SYSTEM;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.yaml.Yaml;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;
import lvms.tests.server.Definitions;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;

/** {@code lvms uninstall} brings every half-removed installation to its end, or says why not. */
@Safety(39)
@Lasts(seconds = 145)
class UninstallTests extends UninstallCase {
    private static final String CLONING = "provisioner.storage.kubernetes.io/cloning-protection";

    private void endPod() throws Exception {
        world.delete(Types.POD, POD);
        world.await("the pod is gone", () -> world.kube.find(Types.POD, POD).isEmpty());
    }

    private void endClaim() throws Exception {
        endPod();
        world.delete(Types.PVC, CLAIM);
        world.await("the claim is gone", () -> world.kube.find(Types.PVC, CLAIM).isEmpty());
    }

    @Test
    void aHealthyInstallationEndsWithBlankDisksAndNothingLeft() throws Exception {
        world.install(true);
        world.useIt();
        requireObstacle(BLANK, "pods use volume");
        endPod();
        requireObstacle(BLANK, "claim default/data holds volume");
        world.delete(Types.PVC, CLAIM);
        world.await("the claim is gone", () -> world.kube.find(Types.PVC, CLAIM).isEmpty());
        run(BLANK);
        assertTrue(world.disks.areBlank(), world.disks.toString());
        var again = Uninstallation.plan(world.kube, BLANK);
        assertEquals(List.of(), again.steps());
        assertEquals(List.of(), again.obstacles());
    }

    @Test
    void aVolumeThatIsNamedGoesWithItsClaim() throws Exception {
        world.install(true);
        world.useIt();
        var volume = world.kube.get(Types.PVC, CLAIM).text("spec", "volumeName").orElseThrow();
        var named = new Wishes(Wishes.Disks.BLANK, Set.of(volume), Set.of());
        requireObstacle(named, "pods use volume " + volume);
        endPod();
        run(named);
        assertTrue(world.disks.areBlank(), world.disks.toString());
        assertTrue(world.kube.find(Types.PVC, CLAIM).isEmpty());
    }

    @Test
    void aNamespaceThatIsTerminatingForEverIsBroughtToItsEnd() throws Exception {
        world.install(false);
        world.useIt();
        world.delete("deploy/base");
        endClaim();
        requireObstacle(BLANK, "so no node agent can blank the disks; add --disks=keep");
        run(KEEP);
        assertFalse(world.disks.areBlank(), "kept as told");
        world.install(true);
        run(new Wishes(Wishes.Disks.KEEP, Set.of(), Set.of()));
    }

    @Test
    void aRetainedVolumeIsRemovedOnlyIfNamed() throws Exception {
        world.apply("deploy/guard");
        world.apply("deploy/base");
        world.createCluster("Retain");
        world.useIt();
        var volume = world.kube.get(Types.PVC, CLAIM).text("spec", "volumeName").orElseThrow();
        endClaim();
        requireObstacle(BLANK, "PersistentVolume " + volume + " is retained");
        run(new Wishes(Wishes.Disks.BLANK, Set.of(volume), Set.of()));
        assertTrue(world.disks.areBlank(), world.disks.toString());
    }

    @Test
    void withoutItsOperatorAnInstallationIsFirstBroughtBack() throws Exception {
        world.install(false);
        world.useIt();
        endPod();
        world.delete(Types.DEPLOYMENT, World.DEPLOYMENT);
        world.delete(Types.PVC, CLAIM);
        world.await("the claim is gone", () -> world.kube.find(Types.PVC, CLAIM).isEmpty());
        requireObstacle(BLANK, "kubectl apply -k deploy/guard && kubectl apply -k deploy");
        world.apply("deploy/guard");
        world.apply("deploy/base");
        run(BLANK);
        assertTrue(world.disks.areBlank(), world.disks.toString());
    }

    @Test
    void aNodeThatDoesNotComeBackIsGivenUpIfToldSo() throws Exception {
        world.install(true);
        world.useIt();
        endClaim();
        world.await("the volume is gone", () -> world.disks.volumes().isEmpty());
        world.ready("n2", false);
        requireObstacle(BLANK, "node n2 is not ready: wait until it is, or add --lost-nodes=n2");
        requireObstacle(
                new Wishes(Wishes.Disks.BLANK, Set.of(), Set.of("n1", "n2")), "node n1 is ready");
        run(new Wishes(Wishes.Disks.BLANK, Set.of(), Set.of("n2")));
        assertEquals(Set.of("ssd@n2"), world.disks.groups());
    }

    @Test
    void theVolumesOfAGoneNodeHinderNobody() throws Exception {
        world.install(true);
        world.useIt();
        var node = world.disks.volumes().values().iterator().next();
        endPod();
        world.removeNode(node);
        world.delete(Types.PVC, CLAIM);
        world.await("the claim is gone", () -> world.kube.find(Types.PVC, CLAIM).isEmpty());
        run(new Wishes(Wishes.Disks.BLANK, Set.of(), Set.of(node)));
        assertEquals(Set.of("ssd@" + node), world.disks.groups());
    }

    @Test
    void anLvmClusterThatWasForcedAwayLeavesNothingThatStays() throws Exception {
        world.install(true);
        world.useIt();
        endClaim();
        world.await("the volume is gone", () -> world.disks.volumes().isEmpty());
        world.scaleOperator(0);
        world.kube.mergePatch(
                LvmCluster.TYPE, CLUSTER, Yaml.read("metadata: {finalizers: null}").asObject());
        world.delete(LvmCluster.TYPE, CLUSTER);
        world.await("the cluster is gone", () -> world.gone(LvmCluster.TYPE, CLUSTER));
        requireObstacle(BLANK, "the operator has no replicas");
        world.scaleOperator(1);
        world.create(
                LvmVolumeGroup.TYPE,
                "{metadata: {name: more, namespace: lvms-system,"
                        + " finalizers: [cleanup.vgmanager.node.topolvm.io/n3]}, spec: {}}");
        requireObstacle(BLANK, "is left without an LVMCluster");
        run(KEEP);
    }

    /** A claim carries the mark of a copy that was made of it until it goes. */
    @Test
    void aClaimThatWasClonedOnceGoesWithoutTheOperatorToo() throws Exception {
        world.install(true);
        world.useIt();
        var volume = world.kube.get(Types.PVC, CLAIM).text("spec", "volumeName").orElseThrow();
        world.kube.addFinalizer(Types.PVC, world.kube.get(Types.PVC, CLAIM), CLONING);
        endPod();
        run(new Wishes(Wishes.Disks.KEEP, Set.of(volume), Set.of()));
        assertTrue(world.kube.find(Types.PVC, CLAIM).isEmpty());
        assertFalse(world.disks.areBlank(), "kept as told");
    }

    @Test
    void whatGoesOnceTheOperatorHasEndedIsLetGo() throws Exception {
        world.install(true);
        world.useIt();
        endPod();
        world.create(
                Types.VOLUME_SNAPSHOT_CLASS,
                "{metadata: {name: snaps}, driver: topolvm.io, deletionPolicy: Delete}");
        world.scaleOperator(0);
        world.kube.addFinalizer(Types.PVC, world.kube.get(Types.PVC, CLAIM), CLONING);
        world.create(
                Types.VOLUME_SNAPSHOT,
                """
                metadata:
                  name: snap
                  namespace: default
                  finalizers:
                    - provisioner.storage.kubernetes.io/volumesnapshot-as-source-protection
                spec:
                  volumeSnapshotClassName: snaps
                  source: {persistentVolumeClaimName: none}
                """);
        var snapshot = ObjectKey.of("default", "snap");
        world.delete(Types.PVC, CLAIM);
        world.delete(Types.VOLUME_SNAPSHOT, snapshot);
        run(KEEP);
        world.await("the claim is gone", () -> world.gone(Types.PVC, CLAIM));
        world.await("the snapshot is gone", () -> world.gone(Types.VOLUME_SNAPSHOT, snapshot));
    }

    @Test
    void aVolumeThatNoClaimHasIsRemovedOnlyIfNamed() throws Exception {
        world.install(true);
        for (var name : List.of("free", "leaving", "kept")) {
            unboundVolume(name, name.equals("kept") ? "Retain" : "Delete");
        }
        var leaving = ObjectKey.cluster("leaving");
        world.delete(Types.PV, leaving);
        world.await("an object of no claim is gone", () -> world.gone(Types.PV, leaving));
        requireObstacle(BLANK, "PersistentVolume free has no claim: add --volumes=free");
        requireObstacle(BLANK, "LogicalVolume leaving on node n1 has neither");
        requireObstacle(BLANK, "PersistentVolume kept is retained: add --volumes=kept");
        run(new Wishes(Wishes.Disks.BLANK, Set.of("free", "leaving", "kept"), Set.of()));
        assertTrue(world.disks.areBlank(), world.disks.toString());
    }

    /** A PersistentVolume as a backup brings it back, and its volume. */
    private void unboundVolume(String name, String policy) throws Exception {
        var type = Driver.TOPOLVM.logicalVolumes();
        world.create(
                type,
                """
                metadata: {name: %1$s}
                spec: {name: %1$s, nodeName: n1, deviceClass: ssd, size: 1Gi}
                """
                        .formatted(name));
        var key = ObjectKey.cluster(name);
        world.await("made", () -> !volumeId(world.kube.get(type, key)).isEmpty());
        world.create(
                Types.PV,
                """
                metadata:
                  name: %s
                  finalizers: [external-provisioner.volume.kubernetes.io/finalizer]
                spec:
                  accessModes: [ReadWriteOnce]
                  capacity: {storage: 1Gi}
                  persistentVolumeReclaimPolicy: %s
                  storageClassName: lvms-ssd
                  csi: {driver: topolvm.io, volumeHandle: %s}
                  claimRef: {namespace: default, name: restored-%s}
                """
                        .formatted(name, policy, volumeId(world.kube.get(type, key)), name));
        world.await(
                "the volume is available",
                () ->
                        world.kube
                                .get(Types.PV, key)
                                .text("status", "phase")
                                .filter("Available"::equals)
                                .isPresent());
    }

    private static String volumeId(KubeObject volume) {
        return LogicalVolume.tolerant(volume).status().volumeId();
    }

    /** An agent at work takes an object that goes for an order to remove its volume. */
    @Test
    void anAgentThatStartsAfterThePlanIsAwaitedBeforeObjectsGo() throws Exception {
        world.install(true);
        var end = Uninstallation.plan(world.kube, KEEP);
        var late = ObjectKey.of(SYSTEM, "late");
        var pod =
                """
                metadata:
                  {name: late, namespace: lvms-system, labels: {app.kubernetes.io/name: vg-manager}}
                spec: {nodeName: n1, containers: [{name: c, image: i}]}
                """;
        world.create(Types.POD, pod);
        var atWork = new ArrayList<Boolean>();
        end.run(
                PATIENCE,
                line -> {
                    if (line.equals("wait until the node agents have ended")) {
                        quietly(() -> world.delete(Types.POD, late));
                    } else if (line.startsWith("forget")) {
                        atWork.add(quietly(() -> world.kube.find(Types.POD, late).isPresent()));
                    }
                });
        assertEquals(Set.of(false), Set.copyOf(atWork));
    }

    private static <T> T quietly(Callable<T> call) {
        try {
            return call.call();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private List<String> finalizersOfNode() throws Exception {
        return world.kube.get(Types.NODE, ObjectKey.cluster("n1")).finalizers();
    }

    /** As {@code helm uninstall} of a release of TopoLVM's programs leaves it. */
    private void releaseThatIsGone() throws Exception {
        Definitions.install(world.kube, List.of("topolvm.io_logicalvolumes"));
        for (var finalizer : List.of("topolvm.io/node", "topolvm.cybozu.com/node")) {
            var node = world.kube.get(Types.NODE, ObjectKey.cluster("n1"));
            world.kube.addFinalizer(Types.NODE, node, finalizer);
        }
    }

    /** Each deleted Node would wait for ever. */
    @Test
    void theNodesOfAReleaseOfTopolvmAreLetGo() throws Exception {
        releaseThatIsGone();
        run(BLANK);
        assertEquals(List.of(), finalizersOfNode());
    }

    @Test
    void theOldNameIsLeftToWhoeverServesIt() throws Exception {
        releaseThatIsGone();
        world.kube.create(
                Types.CSI_DRIVER,
                KubeObject.create(Types.CSI_DRIVER, ObjectKey.cluster("topolvm.cybozu.com"))
                        .with(Yaml.read("{}"), "spec"));
        run(BLANK);
        assertEquals(List.of("topolvm.cybozu.com/node"), finalizersOfNode());
    }

    @Test
    void aForeignInstallationIsLeftAlone() throws Exception {
        world.kube.create(
                Types.CSI_DRIVER,
                KubeObject.create(Types.CSI_DRIVER, ObjectKey.cluster("topolvm.io"))
                        .with(Yaml.read("{}"), "spec"));
        assertEquals(List.of(), Uninstallation.plan(world.kube, BLANK).steps());
        assertEquals("lvms-system", SYSTEM);
    }
}
