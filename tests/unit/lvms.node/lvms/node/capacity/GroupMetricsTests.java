package lvms.node.capacity;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.k8s.metrics.MetricsRegistry;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.deviceclass.NodeDeviceClass.Provisioning;
import lvms.node.disk.TestLvm;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The gauges mean what they mean in TopoLVM, and none outlives its class or its group. */
class GroupMetricsTests {
    private static final long GIB = TestLvm.GIB;

    private final MetricsRegistry registry = new MetricsRegistry();
    private final GroupMetrics metrics = new GroupMetrics(registry, "n1");

    private static NodeDeviceClass deviceClass(String name, Provisioning provisioning) {
        return new NodeDeviceClass(
                name,
                name,
                false,
                provisioning,
                GIB,
                Optional.empty(),
                List.of(),
                Optional.empty());
    }

    private static final DeviceClasses CLASSES =
            new DeviceClasses(
                    List.of(
                            deviceClass("thick", new Provisioning.Thick()),
                            deviceClass("thin", new Provisioning.Thin("pool", 10))),
                    Map.of());

    private List<String> shown() {
        return registry.text()
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.replace("{node=\"n1\",device_class=", " ").replace("}", ""))
                .toList();
    }

    private void show() {
        var thick =
                TestLvm.ours("thick", List.of(TestLvm.pv("/dev/sda", "thick", 10 * GIB, GIB * 4)));
        var thin = TestLvm.ours("thin", List.of(TestLvm.pv("/dev/sdb", "thin", 10 * GIB, GIB)));
        metrics.show(CLASSES, List.of(thick, thin), Map.of("thick", 7L, "thin", 8L));
    }

    @Test
    void theSpareOfAThickClassIsNotAvailable() {
        show();
        assertEquals(
                List.of(
                        "lvms_capacity_bytes \"thick\" 7",
                        "lvms_capacity_bytes \"thin\" 8",
                        "lvms_volumegroup_metadata_size_bytes \"thick\" 1048576",
                        "lvms_volumegroup_metadata_size_bytes \"thin\" 1048576",
                        "lvms_volumegroup_metadata_used_bytes \"thick\" 0",
                        "lvms_volumegroup_metadata_used_bytes \"thin\" 0",
                        "topolvm_thinpool_overprovisioned_available \"thin\" 8",
                        "topolvm_volumegroup_available_bytes \"thick\" " + 3 * GIB,
                        "topolvm_volumegroup_available_bytes \"thin\" " + GIB,
                        "topolvm_volumegroup_size_bytes \"thick\" " + 10 * GIB,
                        "topolvm_volumegroup_size_bytes \"thin\" " + 10 * GIB),
                shown());
    }

    @Test
    void aGroupThatIsGoneHasNoCapacityAndNoSize() {
        show();
        metrics.show(CLASSES, List.of(), Map.of("thick", 0L, "thin", 0L));
        assertEquals(
                List.of(
                        "lvms_capacity_bytes \"thick\" 0",
                        "lvms_capacity_bytes \"thin\" 0",
                        "topolvm_thinpool_overprovisioned_available \"thin\" 0"),
                shown());
    }

    @Test
    void aClassThatIsGoneHasNothing() {
        show();
        metrics.show(DeviceClasses.none(), List.of(), Map.of());
        assertEquals(List.of(), shown());
    }
}
