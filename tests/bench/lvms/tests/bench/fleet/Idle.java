package lvms.tests.bench.fleet;

import java.time.Duration;
import java.time.Instant;

/** Agents with nothing to do, and what they do when the API server was killed. */
record Idle(FleetPlane plane, Fleet fleet, FleetOptions options) {
    private static final Duration SETTLE = Duration.ofSeconds(30);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final double EACH_SECOND = 0.02;
    private static final double AFTER_RESTART = 12;
    private static final double SYNC_SECONDS = 60;

    void run() throws Exception {
        System.out.printf("%n| %-45s | %9s | %7s | %-4s |%n", "what", "value", "goal", "");
        System.out.printf("| %s | %s: | %s: | ---- |%n", "-".repeat(45), "-".repeat(8), "------");
        var idle = idle();
        var restart = restart();
        print("requests in " + options.window().toSeconds() + " s without work", idle);
        print("requests from the kill to a minute after the restart", restart);
    }

    private FleetAudit.Requests idle() throws Exception {
        Thread.sleep(SETTLE);
        var from = Instant.now();
        Thread.sleep(options.window());
        var requests = plane.audit().between(from, Instant.now());
        double seconds = options.window().toSeconds();
        row("requests a second, each agent", each(requests) / seconds, EACH_SECOND);
        row("- of the agent that sent most", requests.most() / seconds, 0);
        return requests;
    }

    /** The restart waits until each agent has noticed that the server is gone. */
    private FleetAudit.Requests restart() throws Exception {
        var from = Instant.now();
        plane.kill();
        fleet.awaitSync(0);
        plane.restart();
        var ready = Instant.now();
        double millis = fleet.awaitSync(options.agents());
        var end = ready.plus(MINUTE);
        Thread.sleep(Duration.between(Instant.now(), end));
        var requests = plane.audit().between(from, end);
        row("API server ready to all agents in sync, s", millis / 1000, SYNC_SECONDS);
        row("requests in the first minute, each agent", each(requests), AFTER_RESTART);
        row("- of the agent that sent most", requests.most(), 0);
        return requests;
    }

    private double each(FleetAudit.Requests requests) {
        return (double) requests.all() / options.agents();
    }

    private static void row(String what, double value, double goal) {
        System.out.printf(
                "| %-45s | %9.4f | %7s | %-4s |%n",
                what,
                value,
                goal == 0 ? "-" : Double.toString(goal),
                goal == 0 ? "" : value <= goal ? "well" : "over");
    }

    private void print(String title, FleetAudit.Requests requests) {
        System.out.printf("%n%s, each agent%n%n", title);
        requests.byKind()
                .forEach(
                        (kind, count) ->
                                System.out.printf(
                                        "  %8.3f  %s%n", (double) count / options.agents(), kind));
    }
}
