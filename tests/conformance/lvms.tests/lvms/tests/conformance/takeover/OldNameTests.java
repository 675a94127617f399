package lvms.tests.conformance.takeover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Driver;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.tests.cluster.Cluster;
import lvms.tests.cluster.ClusterOptions;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.CommandLine;
import lvms.tests.cluster.workload.Pod;
import lvms.tests.cluster.workload.Product;
import lvms.tests.cluster.workload.Sandbox;
import lvms.tests.conformance.fault.Writer;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * TopoLVM under its old name becomes ours as docs/takeover.md says: our programs with the old
 * values, the conversion, which is killed in its middle and run again, and the present name. Pods
 * write all the time.
 */
@Lasts(seconds = 400)
@FullOnly("two installations in a cluster of its own")
class OldNameTests {
    private static final String FILE = "/data/file";
    private static final Path DEFINITION =
            Path.of("deploy/base/crds/topolvm.io_logicalvolumes.yaml");

    private Product product;
    private Sandbox box;
    private TopolvmRelease release;
    private Apps apps;
    private Writer device;
    private CommandLine lvms;
    private String content;

    @Test
    void volumesOfTheOldNameBecomeOursWhilePodsWrite() throws Exception {
        TopolvmRelease.require();
        var folder = Path.of("out/conformance/old-name").toAbsolutePath();
        var options = ClusterOptions.of(folder.resolve("cluster"), TopolvmSite.node("node1"));
        try (var cluster = Cluster.start(options)) {
            product = Product.on(cluster);
            release = new TopolvmRelease(product, folder.resolve("release"), Driver.LEGACY);
            release.install();
            apps = Apps.start(product, "ssd", "thin");
            box = Sandbox.open(product, "old");
            prepareVolumes();
            var old = Inheritance.make(product, box, "old");
            release.protect();
            release.upgrade();
            apps.requireUntouched("old-name");
            product.kubectl("apply", "--server-side", "--filename=" + DEFINITION);
            lvms = CommandLine.lvms(product, Files.createDirectories(folder.resolve("lvms")));
            convert();
            release.renamed();
            apps.requireUntouched("converted");
            requireDevice();
            old.liveOn();
            copies();
            presentName();
        }
    }

    private void prepareVolumes() throws Exception {
        box.create(Claim.of("device", TopolvmSite.THICK_CLASS, "64Mi").block());
        device = Writer.startOnDevice(product, box, "device", "node1");
        box.start(Claim.of("source", TopolvmSite.THIN_CLASS, "320Mi"));
        content = box.write("source", FILE, 4);
        box.run("source", "sync");
        box.snapshot("before", "source");
    }

    /** The first run is killed when the first volumes are moved. */
    private void convert() throws Exception {
        String[] words = {"takeover", "run", "--from=topolvm-legacy", "--yes"};
        int all = oldOnes();
        var process = lvms.begin(words);
        while (process.isAlive() && oldOnes() == all) {
            Thread.onSpinWait(); // a pause would last as long as three volumes
        }
        process.destroyForcibly();
        var cut = lvms.end(process);
        assertNotEquals(0, cut.code(), cut.out());
        assertTrue(oldOnes() > 0, "all were moved before the kill: " + cut.out());
        apps.requireGoingOn("cut");
        var again = lvms.run(words);
        assertEquals(0, again.code(), again.out() + again.err());
        assertEquals(0, oldOnes());
        apps.requireGoingOn("moved");
        device.awaitMore(device.told());
        assertEquals(0, device.restarts());
    }

    private int oldOnes() throws Exception {
        return product.kube()
                .list(Driver.LEGACY.logicalVolumes(), ListOptions.all())
                .items()
                .size();
    }

    private void requireDevice() throws Exception {
        long told = device.awaitMore(device.told());
        assertEquals(0, device.restarts());
        box.remove(Types.POD, "device");
        box.grow("device", "96Mi");
        device = Writer.startOnDevice(product, box, "device", "node1");
        assertTrue(device.first() > told, "the device forgot " + told);
        box.awaitCapacity("device", "96Mi");
        box.remove(Types.POD, "device");
        box.remove(Types.PVC, "device");
    }

    /** The old snapshot, and a new one of the old volume, have what the volume had. */
    private void copies() throws Exception {
        box.snapshot("after", "source");
        for (var snapshot : List.of("before", "after")) {
            var name = "of-" + snapshot;
            box.create(Claim.of(name, TopolvmSite.THIN_CLASS, "320Mi").ofSnapshot(snapshot));
            box.create(Pod.with(name, name).on("node1"));
            box.awaitReady(name);
            assertEquals(content, box.checksum(name, FILE, 4), name);
            box.remove(Types.VOLUME_SNAPSHOT, snapshot);
        }
    }

    /** New classes are of the present driver; of the old one nothing is left but its name. */
    private void presentName() throws Exception {
        box.start(Claim.of("fresh", TopolvmRelease.PRESENT_CLASS, "64Mi"));
        assertEquals(
                Driver.TOPOLVM.name(),
                box.volumeOf("fresh").text("spec", "csi", "driver").orElse(""));
        box.clear();
        var confirmed = lvms.run("takeover", "confirm", "--from=topolvm-legacy", "--yes");
        assertEquals(0, confirmed.code(), confirmed.out() + confirmed.err());
        var definition = Driver.LEGACY.logicalVolumes().qualifiedPlural();
        product.patience()
                .until(
                        "the old definition is gone",
                        () ->
                                product.kube()
                                        .find(Types.CRD, ObjectKey.cluster(definition))
                                        .isEmpty());
        apps.requireUntouched("confirmed");
    }
}
