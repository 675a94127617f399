package lvms.tests.bench.fleet;

import lvms.tests.bench.cluster.Watched;

import java.nio.file.Path;

/**
 * What operator, node agents and API server take with many nodes: claims that come at once, agents
 * that die meanwhile, and agents that have nothing to do.
 */
public final class FleetBench {
    private FleetBench() {}

    /** Runs it; {@link FleetOptions} says what the words mean. */
    public static void main(String[] words) throws Exception {
        var options = FleetOptions.of(words);
        var folder = Path.of("out/bench/fleet").toAbsolutePath();
        try (var plane = FleetPlane.start(options.image(), folder);
                var fleet = Fleet.start(plane, options)) {
            System.out.printf(
                    "%d agents in sync, %.1f MiB each%n",
                    options.agents(), fleet.residentMib() / options.agents());
            if (options.idle()) {
                new Idle(plane, fleet, options).run();
            } else {
                try (var watched = Watched.open(plane.kube())) {
                    new Burst(plane, options, watched).run();
                    new Deaths(plane, fleet, options, watched).run();
                }
            }
        }
        System.exit(0);
    }
}
