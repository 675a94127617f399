package lvms.tests.bench.fleet;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** The agents of all nodes. The last process has those that die. */
final class Fleet implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(15);
    private static final Duration LOOK = Duration.ofMillis(100);

    private final List<AgentProcess> processes = new ArrayList<>();
    private final FleetPlane plane;
    private final int agents;
    private final int dying;

    private Fleet(FleetPlane plane, int agents, int dying) {
        this.plane = plane;
        this.agents = agents;
        this.dying = dying;
    }

    /** Creates the nodes and starts their agents, until all are in sync and announced. */
    static Fleet start(FleetPlane plane, FleetOptions options) throws Exception {
        plane.addNodes(options.agents());
        int dying = options.idle() ? 0 : options.dying();
        var fleet = new Fleet(plane, options.agents(), dying);
        int living = options.agents() - dying;
        int each = Math.ceilDiv(living, options.processes());
        for (int first = 0; first < living; first += each) {
            fleet.add(first, Math.min(each, living - first), options);
        }
        if (dying > 0) {
            fleet.add(living, dying, options);
        }
        fleet.awaitSync(options.agents());
        await("all nodes have room", () -> plane.nodesWithRoom() == options.agents());
        return fleet;
    }

    private void add(int first, int count, FleetOptions options) throws IOException {
        var folder = plane.folder().resolve("agents");
        processes.add(AgentProcess.start(plane.agents(), folder, first, count, options.times()));
    }

    /** Waits until so many agents follow the API server; returns milliseconds. */
    double awaitSync(int count) throws Exception {
        return await(count + " of " + agents + " agents are in sync", () -> inSync() == count);
    }

    private int inSync() {
        return processes.stream().mapToInt(AgentProcess::inSync).sum();
    }

    /** Kills the agents of the last nodes. */
    void killSome() {
        processes.getLast().kill();
    }

    /** Returns whether the agent of a node is among those that die. */
    boolean dies(String node) {
        return Integer.parseInt(node.substring(1)) >= agents - dying;
    }

    /** Returns the resident memory of all processes. */
    double residentMib() throws IOException {
        double all = 0;
        for (var process : processes) {
            all += process.residentMib();
        }
        return all;
    }

    private static double await(String what, Callable<Boolean> state) throws Exception {
        long began = System.nanoTime();
        while (!state.call()) {
            if (System.nanoTime() - began > PATIENCE.toNanos()) {
                throw new IllegalStateException("not within " + PATIENCE + ": " + what);
            }
            Thread.sleep(LOOK);
        }
        return (System.nanoTime() - began) / 1e6;
    }

    @Override
    public void close() {
        processes.forEach(AgentProcess::close);
    }
}
