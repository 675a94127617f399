package lvms.tests.cluster.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.LogicalVolume;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What a user does with volumes: claim, pod and growth; snapshot, restore and clone of a thin one;
 * and all is removed again.
 *
 * @param box where
 * @param thick a StorageClass that waits for the first consumer
 * @param thin the same, of a thin pool
 */
public record VolumeLife(Product product, Sandbox box, String thick, String thin) {
    private static final String FILE = "/data/file";
    private static final int MIB = 4;
    private static final String SIZE = "320Mi";
    private static final String GROWN = "384Mi";

    /** Lives it; claims and pods have names that begin with {@code name}. */
    public void live(String name) throws Exception {
        int before = product.all(LogicalVolume.TYPE).size();
        var solid = name + "-thick";
        box.start(Claim.of(solid, thick, SIZE));
        var bytes = box.write(solid, FILE, MIB);
        box.grow(solid, GROWN);
        box.awaitCapacity(solid, GROWN);
        assertEquals(bytes, box.checksum(solid, FILE, MIB));
        var source = name + "-thin";
        box.start(Claim.of(source, thin, SIZE));
        var content = box.write(source, FILE, MIB);
        box.run(source, "sync");
        var snapshot = name + "-snap";
        box.snapshot(snapshot, source);
        var restored = name + "-restored";
        copy(Claim.of(restored, thin, SIZE).ofSnapshot(snapshot), source, content);
        var cloned = name + "-cloned";
        copy(Claim.of(cloned, thin, SIZE).ofClaim(source), source, content);
        for (var each : List.of(solid, source, restored, cloned)) {
            box.remove(Types.POD, each);
            box.remove(Types.PVC, each);
        }
        box.remove(Types.VOLUME_SNAPSHOT, snapshot);
        product.patience()
                .untilNothingMissing("the volumes of " + name + " are gone", () -> beyond(before));
    }

    private void copy(Claim claim, String source, String content) throws Exception {
        box.create(claim);
        box.create(Pod.with(claim.name(), claim.name()).on(box.nodeOf(source)));
        box.awaitReady(claim.name());
        assertEquals(content, box.checksum(claim.name(), FILE, MIB), claim.name());
    }

    private String beyond(int before) throws Exception {
        var volumes = product.all(LogicalVolume.TYPE);
        return volumes.size() <= before
                ? ""
                : volumes.stream().map(KubeObject::name).collect(Collectors.joining(" "));
    }
}
