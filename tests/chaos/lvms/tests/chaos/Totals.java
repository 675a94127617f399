package lvms.tests.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** How much of each kind was done, kept in a file so that several runs add up. Any thread. */
final class Totals {
    private static final Path FILE = Path.of("out/chaos/totals.properties");
    private static final String SEED = "seed";
    private static final String RUNS = "runs";
    private static final String WORK = "work.";
    private static final String HARM = "harm.";
    private static final String WITH_PODS = "pods";
    private static final String RECKONINGS = "reckonings";

    private final Map<String, Long> counts;

    private Totals(Map<String, Long> counts) {
        this.counts = counts;
    }

    static Totals begin(long seed) {
        var totals = new Totals(new TreeMap<>());
        totals.counts.put(SEED, seed);
        return totals;
    }

    /** Reads the sums of the runs before. */
    static Totals load() throws IOException {
        if (!Files.exists(FILE)) {
            throw new IOException("there is no run to resume: " + FILE + " does not exist");
        }
        var file = new Properties();
        try (var in = Files.newBufferedReader(FILE)) {
            file.load(in);
        }
        var counts = new TreeMap<String, Long>();
        file.forEach((key, value) -> counts.put(key.toString(), Long.valueOf(value.toString())));
        return new Totals(counts);
    }

    synchronized void save() throws IOException {
        Files.createDirectories(FILE.getParent());
        Files.writeString(
                FILE,
                counts.entrySet().stream()
                        .map(e -> e.getKey() + "=" + e.getValue() + "\n")
                        .collect(Collectors.joining()));
    }

    long seed() {
        return counts.get(SEED);
    }

    /** Returns how many runs there were before. */
    long runs() {
        return counts.getOrDefault(RUNS, 0L);
    }

    void ran() {
        add(RUNS);
    }

    void worked(Work work) {
        add(WORK + work);
        if (work.withPod()) {
            add(WITH_PODS);
        }
    }

    void harmed(Harm harm) {
        add(HARM + harm);
    }

    void reckoned() {
        add(RECKONINGS);
    }

    private synchronized void add(String key) {
        counts.merge(key, 1L, Long::sum);
    }

    /** Returns how many operations there were. */
    long operations() {
        return sum(WORK);
    }

    private synchronized long sum(String prefix) {
        return counts.entrySet().stream()
                .filter(e -> e.getKey().startsWith(prefix))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    @Override
    public String toString() {
        return ("%d operations (%s), %d of them with pods; %d faults (%s); %d reckonings in %d"
                        + " runs, seed %d")
                .formatted(
                        operations(),
                        each(WORK),
                        counts.getOrDefault(WITH_PODS, 0L),
                        sum(HARM),
                        each(HARM),
                        counts.getOrDefault(RECKONINGS, 0L),
                        runs(),
                        seed());
    }

    private synchronized String each(String prefix) {
        return counts.entrySet().stream()
                .filter(e -> e.getKey().startsWith(prefix))
                .map(
                        e ->
                                e.getKey()
                                                .substring(prefix.length())
                                                .replace('_', ' ')
                                                .toLowerCase()
                                        + " "
                                        + e.getValue())
                .collect(Collectors.joining(", "));
    }
}
