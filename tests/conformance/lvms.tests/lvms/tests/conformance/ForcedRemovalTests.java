package lvms.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.Names;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.yaml.Yaml;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Pod;
import lvms.tests.cluster.workload.Product;
import lvms.tests.conformance.fault.Writer;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;

import java.util.List;

/**
 * Somebody deletes the LVMCluster while pods use volumes, and removes every finalizer by hand when
 * it does not go. Once it is created again, the volume groups are found on the disks.
 */
@FullOnly("groups found again are in the lab and in the integration tests")
class ForcedRemovalTests extends InACluster {
    private static final double LONGEST_STALL_SECONDS = 20;

    @Test
    @Safety(3)
    void volumeGroupsAreAdoptedUnderRunningPods() throws Exception {
        var thin = Claim.of("thin", Product.THIN_CLASS, "320Mi");
        var thick = Claim.of("thick", Product.THICK_CLASS, "64Mi");
        var writers =
                List.of(
                        Writer.start(product(), box(), thin, "node1"),
                        Writer.start(product(), box(), thick, "node2"));
        var groups = List.of(groupUuid("node1", Product.THIN), groupUuid("node2", Product.THICK));

        product().kube().delete(LvmCluster.TYPE, Product.LVM_CLUSTER, DeleteOptions.any());
        for (var type :
                List.of(LvmCluster.TYPE, LvmVolumeGroup.TYPE, LvmVolumeGroupNodeStatus.TYPE)) {
            strip(type);
        }
        product()
                .patience()
                .until("agents are gone", () -> product().pods(Names.VG_MANAGER).isEmpty());
        var before = writers.getFirst().told();
        product().applyCluster();
        product().awaitReady();

        assertEquals(
                groups,
                List.of(groupUuid("node1", Product.THIN), groupUuid("node2", Product.THICK)));
        for (var writer : writers) {
            writer.assertHolds(writer.awaitMore(before));
            assertEquals(0, writer.restarts());
            double stall = writer.longestGap();
            assertTrue(stall < LONGEST_STALL_SECONDS, "no line for " + stall + " s");
        }
        box().grow("thin", "640Mi");
        box().awaitCapacity("thin", "640Mi");
        box().remove(Types.POD, "thick");
        box().create(Pod.with("again", "thick"));
        box().awaitReady("again");
        assertTrue(Long.parseLong(box().run("again", "grep -c ok /data/log")) >= before);
        requireAgreement();
    }

    private static String groupUuid(String node, String group) throws Exception {
        return product()
                .cluster()
                .node(node)
                .shell("lvm vgs --noheadings -o vg_uuid " + group)
                .strip();
    }

    /** Removes the finalizers of all objects of a type as they are deleted, until none is left. */
    private static void strip(ResourceType type) throws Exception {
        product()
                .patience()
                .until(
                        "no " + type.kind() + " is left",
                        () -> {
                            for (var object : product().all(type)) {
                                strip(type, object);
                            }
                            return product().all(type).isEmpty();
                        });
    }

    private static void strip(ResourceType type, KubeObject object) throws Exception {
        try {
            product().kube().delete(type, object.key(), DeleteOptions.any());
            var none = Yaml.read("metadata: {finalizers: null}").asObject();
            product().kube().mergePatch(type, object.key(), none);
        } catch (ApiException.NotFound e) {
            return; // it went in between
        }
    }
}
