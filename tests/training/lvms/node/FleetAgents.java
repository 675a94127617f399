package lvms.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;

/**
 * A process with many node agents, each of its own node. It says how many are in sync whenever that
 * changes, a number in each line, and ends with its standard input.
 */
public final class FleetAgents {
    /** Where the objects of the nodes are. */
    public static final String NAMESPACE = "lvms-system";

    /** The device class of every node. */
    public static final String DEVICE_CLASS = "fleet";

    /**
     * The type is none that the planner knows, since it places extents on devices, and there are
     * none: what is free is then announced as it is.
     */
    private static final String CLASSES =
            """
            device-classes:
              - name: fleet
                volume-group: %s
                default: true
                spare-gb: 0
                lvcreate-options: ["--type=memory"]
            """
                    .formatted(MemoryLvm.VG);

    private static final Duration LOOK = Duration.ofMillis(100);

    private FleetAgents() {}

    /** How the node of the agent with this number is called. */
    public static String nodeName(int number) {
        return FleetAgent.nodeName(number);
    }

    /** Runs agents: KUBECONFIG FOLDER FIRST COUNT CREATION REMOVAL REPORT, milliseconds each. */
    public static void main(String[] words) throws Exception {
        var folder = Files.createDirectories(Path.of(words[1]).toAbsolutePath());
        int first = Integer.parseInt(words[2]);
        int count = Integer.parseInt(words[3]);
        var times = new EngineTimes(millis(words[4]), millis(words[5]), millis(words[6]));
        var classes = Files.writeString(folder.resolve("classes-" + first + ".yaml"), CLASSES);
        Thread.ofPlatform().daemon().start(FleetAgents::endWithInput);
        var agents = new ArrayList<FleetAgent>();
        for (int i = first; i < first + count; i++) {
            var agent = new FleetAgent(i, Path.of(words[0]), folder, classes, times);
            agent.start();
            agents.add(agent);
        }
        long told = -1;
        while (true) {
            long now = agents.stream().filter(FleetAgent::inSync).count();
            if (now != told) {
                System.out.println(now);
                told = now;
            }
            Thread.sleep(LOOK);
        }
    }

    private static Duration millis(String word) {
        return Duration.ofMillis(Long.parseLong(word));
    }

    /** As a process ends that is killed: nothing is closed. */
    private static void endWithInput() {
        try {
            System.in.readAllBytes();
        } catch (IOException e) {
            System.err.println("standard input: " + e.getMessage());
        }
        Runtime.getRuntime().halt(0);
    }
}
