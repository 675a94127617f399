package lvms.tests.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What is measured.
 *
 * @param image folder of the runtime image
 * @param runs how often; the median counts
 * @param settle how long a process is left alone before it is looked at
 * @param volumes numbers of volumes
 * @param options options for each JVM, behind those of the image
 */
public record Setting(
        Path image, int runs, Duration settle, List<Integer> volumes, List<String> options) {
    private static final int RUNS = 3;
    private static final Duration SETTLE = Duration.ofSeconds(20);
    private static final List<Integer> VOLUMES = List.of(0, 250);

    /** Reads {@code IMAGE [--runs N] [--settle SECONDS] [--volumes N,N] [JVM OPTION]...}. */
    public static Setting of(String... words) {
        var setting =
                new Setting(Path.of(words[0]).toAbsolutePath(), RUNS, SETTLE, VOLUMES, List.of());
        for (int i = 1; i < words.length; i++) {
            setting =
                    switch (words[i]) {
                        case "--runs" -> setting.runs(Integer.parseInt(words[++i]));
                        case "--settle" -> setting.settle(Long.parseLong(words[++i]));
                        case "--volumes" -> setting.volumes(words[++i]);
                        default -> setting.option(words[i]);
                    };
        }
        return setting;
    }

    private Setting runs(int other) {
        return new Setting(image, other, settle, volumes, options);
    }

    private Setting settle(long seconds) {
        return new Setting(image, runs, Duration.ofSeconds(seconds), volumes, options);
    }

    private Setting volumes(String numbers) {
        var parsed = Stream.of(numbers.split(",")).map(Integer::valueOf).toList();
        return new Setting(image, runs, settle, parsed, options);
    }

    private Setting option(String word) {
        if (!word.startsWith("-X") && !word.startsWith("-D")) {
            throw new IllegalArgumentException("not an option of a JVM: " + word);
        }
        var all = new ArrayList<>(options);
        all.add(word);
        return new Setting(image, runs, settle, volumes, List.copyOf(all));
    }
}
