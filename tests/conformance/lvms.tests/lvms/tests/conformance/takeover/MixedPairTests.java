package lvms.tests.conformance.takeover;

import lvms.api.Driver;
import lvms.tests.cluster.Cluster;
import lvms.tests.cluster.ClusterOptions;
import lvms.tests.cluster.workload.Product;
import lvms.tests.cluster.workload.Sandbox;
import lvms.tests.cluster.workload.VolumeLife;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.Set;

/**
 * One program of TopoLVM's installation is ours and the rest is TopoLVM's, as after an upgrade that
 * is half done: its sidecars speak to our controller, its node service obeys ours, and the other
 * way round. Volumes live, and those of the pair before go on.
 */
@Lasts(seconds = 300)
@FullOnly("an installation in a cluster of its own")
class MixedPairTests {
    @Test
    void eachProgramWorksWithTheOthersOfTopolvm() throws Exception {
        TopolvmRelease.require();
        var folder = Path.of("out/conformance/mixed-pairs").toAbsolutePath();
        var options = ClusterOptions.of(folder.resolve("cluster"), TopolvmSite.node("node1"));
        try (var cluster = Cluster.start(options)) {
            var product = Product.on(cluster);
            var release = new TopolvmRelease(product, folder.resolve("release"), Driver.TOPOLVM);
            release.install();
            var box = Sandbox.open(product, "app");
            var life =
                    new VolumeLife(product, box, TopolvmSite.THICK_CLASS, TopolvmSite.THIN_CLASS);
            var theirs = Inheritance.make(product, box, "theirs");
            release.mix(Set.of(TopolvmRelease.CONTROLLER));
            life.live("our-controller");
            theirs.liveOn();
            var mixed = Inheritance.make(product, box, "mixed");
            release.mix(Set.of(TopolvmRelease.NODE));
            life.live("our-node");
            mixed.liveOn();
        }
    }
}
