package lvms.tests.bench.fleet;

import lvms.node.EngineTimes;
import lvms.node.FleetAgents;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What is measured.
 *
 * @param image folder of the runtime image
 * @param agents how many nodes there are
 * @param volumes how many claims there are for each node
 * @param idle whether the agents have nothing to do
 * @param processes how many processes the agents are spread over
 * @param window how long idle agents are watched
 * @param times how long LVM takes
 */
record FleetOptions(
        Path image,
        int agents,
        int volumes,
        boolean idle,
        int processes,
        Duration window,
        EngineTimes times) {
    private static final String USAGE =
            "usage: bench fleet [--agents N] [--volumes N] | --idle N [--window SECONDS];"
                    + " [--processes N] [--creation MS] [--removal MS] [--report MS]";

    /** Long enough for a watch to end by itself and begin again. */
    private static final Duration WINDOW = Duration.ofMinutes(10);

    /** Reads {@code IMAGE} and what {@link #USAGE} says. */
    static FleetOptions of(String... words) {
        var image = Path.of(words[0]).toAbsolutePath();
        var options = new FleetOptions(image, 100, 20, false, 2, WINDOW, EngineTimes.USUAL);
        for (int i = 1; i < words.length; i += 2) {
            if (i + 1 == words.length) {
                throw new IllegalArgumentException(USAGE);
            }
            options = options.with(words[i], Integer.parseInt(words[i + 1]));
        }
        return options;
    }

    private FleetOptions with(String option, int value) {
        var millis = Duration.ofMillis(value);
        return switch (option) {
            case "--agents" ->
                    new FleetOptions(image, value, volumes, false, processes, window, times);
            case "--volumes" ->
                    new FleetOptions(image, agents, value, false, processes, window, times);
            case "--idle" -> new FleetOptions(image, value, 0, true, processes, window, times);
            case "--processes" ->
                    new FleetOptions(image, agents, volumes, idle, value, window, times);
            case "--window" ->
                    new FleetOptions(
                            image,
                            agents,
                            volumes,
                            idle,
                            processes,
                            Duration.ofSeconds(value),
                            times);
            case "--creation" -> with(new EngineTimes(millis, times.removal(), times.report()));
            case "--removal" -> with(new EngineTimes(times.creation(), millis, times.report()));
            case "--report" -> with(new EngineTimes(times.creation(), times.removal(), millis));
            default -> throw new IllegalArgumentException(USAGE);
        };
    }

    private FleetOptions with(EngineTimes other) {
        return new FleetOptions(image, agents, volumes, idle, processes, window, other);
    }

    /** How many of the nodes lose their agent. */
    int dying() {
        return Math.ceilDiv(agents, 10);
    }

    int claims() {
        return agents * volumes;
    }

    /** Returns the node of each claim, in turn. */
    List<String> nodesOfClaims() {
        return IntStream.range(0, claims())
                .mapToObj(i -> FleetAgents.nodeName(i % agents))
                .toList();
    }
}
