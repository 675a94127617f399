package lvms.tests.bench.scale;

import lvms.tests.bench.Setting;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What is measured.
 *
 * @param setting the image, how long a process is left alone, and options for each JVM
 * @param operator numbers of volumes in the cluster, rising
 * @param agent numbers of volumes of one node, rising
 * @param deadline how long a process may take until it is ready
 * @param folder for the data of etcd, logs and histograms
 * @param plot file that gets the picture
 */
record Scale(
        Setting setting,
        List<Integer> operator,
        List<Integer> agent,
        Duration deadline,
        Path folder,
        Path plot) {
    private static final String SETTLE = "40"; // half of it is the window for the CPU
    private static final List<Integer> OPERATOR = List.of(1_000, 10_000);
    private static final List<Integer> LARGE = List.of(1_000, 10_000, 50_000, 100_000);
    private static final List<Integer> AGENT = List.of(100, 1_000, 10_000);
    private static final Duration DEADLINE = Duration.ofMinutes(2);
    private static final Path FOLDER = Path.of("out/bench/scale").toAbsolutePath();
    private static final Path PLOT = Path.of("docs/scale.svg");

    /**
     * Reads {@code IMAGE [--all] [--sizes N,N] [--settle SECONDS] [--deadline SECONDS] [--plot
     * FILE] [JVM OPTION]...}.
     */
    static Scale of(String... words) {
        var others = new ArrayList<>(List.of(words[0], "--settle", SETTLE));
        var scale = new Scale(Setting.of(words[0]), OPERATOR, AGENT, DEADLINE, FOLDER, PLOT);
        for (int i = 1; i < words.length; i++) {
            switch (words[i]) {
                case "--all" -> scale = scale.sizes(LARGE, AGENT);
                case "--sizes" -> {
                    var sizes = numbers(words[++i]);
                    scale = scale.sizes(sizes, sizes);
                }
                case "--deadline" -> scale = scale.deadline(Long.parseLong(words[++i]));
                case "--plot" -> scale = scale.plot(Path.of(words[++i]));
                default -> others.add(words[i]);
            }
        }
        return scale.setting(Setting.of(others.toArray(String[]::new)));
    }

    private static List<Integer> numbers(String words) {
        return Stream.of(words.split(",")).map(Integer::valueOf).sorted().toList();
    }

    private Scale sizes(List<Integer> ofOperator, List<Integer> ofAgent) {
        return new Scale(setting, ofOperator, ofAgent, deadline, folder, plot);
    }

    private Scale deadline(long seconds) {
        return new Scale(setting, operator, agent, Duration.ofSeconds(seconds), folder, plot);
    }

    private Scale plot(Path file) {
        return new Scale(setting, operator, agent, deadline, folder, file);
    }

    private Scale setting(Setting other) {
        return new Scale(other, operator, agent, deadline, folder, plot);
    }
}
