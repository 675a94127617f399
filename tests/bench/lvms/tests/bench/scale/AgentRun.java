package lvms.tests.bench.scale;

import lvms.tests.bench.ImageProcess;
import lvms.tests.bench.ImageWords;
import lvms.tests.bench.NotReady;

import java.net.URI;
import java.nio.file.Path;

/**
 * The node agent of the image beside a cluster whose volumes are all on its node. Objects and
 * requests are real; there is no volume group, so no LVM command runs, and no kubelet.
 */
record AgentRun(Scale scale, VolumeCluster cluster, Path files) {
    private static final String NAME = "node agent";

    Row measure(int volumes) throws Exception {
        int port = ImageProcess.freePort();
        var words = ImageWords.agent(scale.setting().image(), files, port);
        var probe = "http://127.0.0.1:" + port + "/readyz" + ImageWords.WITHOUT_KUBELET;
        try (var agent =
                ImageProcess.server(
                        scale.setting(),
                        "scale-agent",
                        words,
                        cluster.environment("default", "scale-agent"),
                        URI.create(probe),
                        scale.deadline())) {
            var figures = agent.figures(scale.setting().settle());
            var histogram = scale.folder().resolve("agent-" + volumes + ".histogram");
            double live = LiveHeap.mib(agent.process().pid(), histogram);
            return new Row(NAME, volumes, figures, live, Row.Serving.NONE, Row.FailOver.NONE, "");
        } catch (NotReady e) {
            return Row.failed(NAME, volumes, e.why());
        }
    }
}
