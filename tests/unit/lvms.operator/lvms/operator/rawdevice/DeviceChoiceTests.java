package lvms.operator.rawdevice;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.nativestor.RawDevice;
import lvms.k8s.object.KubeObject;
import lvms.operator.volume.CapacityRange;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The smallest free device that fits is taken, and no other one of the node is harmed. */
class DeviceChoiceTests {
    private static final long GIB = 1L << 30;

    private static KubeObject object(String path, long gib, boolean available) {
        var spec = new RawDevice.Spec("n1", gib * GIB, "disk", path, 8, 0, "", available, "");
        return RawDevice.create(RawDevice.nameOf("n1", path), spec, Map.of());
    }

    private static KubeObject free(String path, long gib) {
        return object(path, gib, true);
    }

    private static KubeObject with(KubeObject object, String annotation, String value) {
        return object.with(value, "metadata", "annotations", annotation);
    }

    private static DeviceChoice of(long gib, KubeObject... objects) {
        return new DeviceChoice(
                "pvc-1",
                CapacityRange.atLeast(gib * GIB),
                List.of(objects).stream().map(RawDevice::of).toList());
    }

    private static Optional<String> path(DeviceChoice choice) {
        return choice.on(List.of("n1")).map(device -> device.spec().realPath());
    }

    @Test
    void takesTheSmallestThatFits() {
        var choice = of(5, free("/dev/sda", 9), free("/dev/sdb", 5), free("/dev/sdc", 4));
        assertEquals(Optional.of("/dev/sdb"), path(choice));
        assertEquals(Optional.empty(), choice.on(List.of("n2")));
    }

    @Test
    void leavesWhatIsNotFreeAlone() {
        var choice =
                of(
                        5,
                        object("/dev/sda", 5, false),
                        with(free("/dev/sdb", 5), RawDevice.VOLUME, "pvc-2"),
                        with(free("/dev/sdc", 5), RawDevice.CONTENT, RawDevice.USED),
                        free("/dev/sdd", 5).with("id", "status", "name"),
                        free("/dev/sde", 9));
        assertEquals(Optional.of("/dev/sde"), path(choice));
    }

    @Test
    void passesOverWhatItsNodeRefusedToThisVolume() {
        var choice =
                of(
                        5,
                        with(free("/dev/sda", 5), RawDevice.REFUSAL, "pvc-1 has data"),
                        with(free("/dev/sdb", 6), RawDevice.REFUSAL, "pvc-12 has data"));
        assertEquals(Optional.of("/dev/sdb"), path(choice));
    }

    @Test
    void saysWhatIsMissing() {
        assertEquals(
                "5GiB requested, but there is no free raw device on node n1",
                of(5).shortage(List.of("n1")));
        assertEquals(
                "5GiB requested, but the largest free raw device of the nodes that may have the"
                        + " volume has 4GiB; node n1 refused /dev/sdb: has data",
                of(
                                5,
                                free("/dev/sda", 4),
                                with(free("/dev/sdb", 4), RawDevice.REFUSAL, "pvc-1 has data"))
                        .shortage(List.of("n1", "n2")));
    }
}
