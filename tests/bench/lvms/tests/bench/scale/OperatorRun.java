package lvms.tests.bench.scale;

import lvms.tests.bench.ImageProcess;
import lvms.tests.bench.ImageWords;
import lvms.tests.bench.NotReady;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.ToDoubleFunction;

/**
 * The operator of the image beside a cluster: first one without election, then three of which one
 * leads.
 */
record OperatorRun(Scale scale, VolumeCluster cluster, Claims claims, Path sockets) {
    private static final String NAME = "operator";
    private static final int WARM_UP = 2;
    private static final int MEASURED = 10;

    Row measure(int volumes) throws Exception {
        Row row;
        try {
            row = alone(volumes);
        } catch (IOException | TimeoutException e) {
            return Row.failed(NAME, volumes, why(e));
        }
        try {
            return row.with(failOver());
        } catch (IOException | TimeoutException e) {
            return row.with("with election: " + why(e));
        }
    }

    private static String why(Exception failure) {
        return switch (failure) {
            case NotReady e -> e.why();
            case TimeoutException _ -> "a claim was not served";
            default -> failure.toString();
        };
    }

    private Row alone(int volumes) throws Exception {
        var first = claims.ask();
        long began = System.nanoTime();
        try (var operator = start("scale-operator")) {
            double firstMillis = (claims.awaitVolume(first) - began) / 1e6;
            claims.finish(first);
            var figures = operator.figures(scale.setting().settle());
            var served = serve();
            var histogram = scale.folder().resolve("operator-" + volumes + ".histogram");
            double live = LiveHeap.mib(operator.process().pid(), histogram);
            var serving =
                    new Row.Serving(
                            firstMillis,
                            median(served, Claims.Served::logicalVolumeMillis),
                            median(served, Claims.Served::persistentVolumeMillis));
            return new Row(NAME, volumes, figures, live, serving, Row.FailOver.NONE, "");
        }
    }

    private ImageProcess start(String name, String... more)
            throws IOException, InterruptedException {
        int port = ImageProcess.freePort();
        var own = Files.createDirectories(sockets.resolve(name));
        return ImageProcess.server(
                scale.setting(),
                name,
                ImageWords.operator(scale.setting().image(), own, port, more),
                cluster.environment(VolumeCluster.NAMESPACE, name),
                URI.create("http://127.0.0.1:" + port + "/readyz"),
                scale.deadline());
    }

    private List<Claims.Served> serve() throws Exception {
        var served = new ArrayList<Claims.Served>();
        for (int i = -WARM_UP; i < MEASURED; i++) {
            var one = claims.serve();
            if (i >= 0) {
                served.add(one);
            }
        }
        return served;
    }

    private static double median(
            List<Claims.Served> served, ToDoubleFunction<Claims.Served> figure) {
        var sorted = served.stream().mapToDouble(figure).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    private Row.FailOver failOver() throws Exception {
        try (var first = replica("a")) {
            claims.serve(); // it leads
            try (var second = replica("b")) {
                double killed = secondsWithout(first, true);
                try (var _ = replica("c")) {
                    return new Row.FailOver(killed, secondsWithout(second, false));
                }
            }
        }
    }

    /** One that stands by is ready as well. */
    private ImageProcess replica(String letter) throws IOException, InterruptedException {
        return start("scale-operator-" + letter, "--leader-elect");
    }

    private double secondsWithout(ImageProcess leader, boolean killed) throws Exception {
        long end = System.nanoTime();
        if (killed) {
            leader.process().destroyForcibly();
        } else {
            leader.process().destroy();
        }
        var claim = claims.ask();
        long seen = claims.awaitVolume(claim);
        claims.finish(claim);
        return (seen - end) / 1e9;
    }
}
