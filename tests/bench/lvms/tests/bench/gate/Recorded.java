package lvms.tests.bench.gate;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Collectors;

/**
 * The file with the goal of each ratio, and what it was when it was recorded.
 *
 * @param rows in the order of the file
 */
record Recorded(SequencedMap<Key, Row> rows) {
    static final Path FILE = Path.of("tests/bench/recorded.tsv");

    private static final String NONE = "-";
    private static final List<String> COLUMNS = List.of("group", "ratio", "goal", "recorded");
    private static final String HEAD =
            """
            # What each ratio of `./build.sh bench all --quick` was, and its goal, \
            which only people change.
            # `./build.sh bench all --quick --record` writes the last column anew; \
            see docs/performance.md.
            # group	ratio	goal	recorded
            """;

    /** What a ratio is known by. */
    record Key(String group, String name) {
        @Override
        public String toString() {
            return group + ": " + name;
        }
    }

    /**
     * One of them.
     *
     * @param goal at most this, if anybody has said so
     */
    record Row(Optional<BigDecimal> goal, BigDecimal ratio) {
        String text() {
            return goal.map(BigDecimal::toPlainString).orElse(NONE) + "\t" + ratio.toPlainString();
        }
    }

    static Recorded read(Path file) throws IOException, UsageException {
        var rows = new LinkedHashMap<Key, Row>();
        for (var line : Table.read(file, COLUMNS).entries()) {
            var key = new Key(line.text(0), line.text(1));
            boolean none = line.text(2).equals(NONE);
            var goal = none ? Optional.<BigDecimal>empty() : Optional.of(line.number(2));
            if (rows.put(key, new Row(goal, line.number(3))) != null) {
                throw line.expected("each ratio once, found " + key + " again");
            }
        }
        return new Recorded(rows);
    }

    /** Returns the ratios of a group. */
    List<Key> keys(String group) {
        return rows.keySet().stream().filter(key -> key.group().equals(group)).toList();
    }

    /**
     * Returns it with the ratios of a run, in its order: goals stay, and so does what the run
     * skipped. What no benchmark has any more is left out.
     */
    Recorded renewed(Run run) {
        var renewed = new LinkedHashMap<Key, Row>();
        run.groups()
                .forEach(
                        (group, part) -> {
                            if (part instanceof Run.Measured(var ratios)) {
                                ratios.forEach((name, ratio) -> renew(renewed, group, name, ratio));
                            } else {
                                keys(group).forEach(key -> renewed.put(key, rows.get(key)));
                            }
                        });
        return new Recorded(renewed);
    }

    private void renew(Map<Key, Row> renewed, String group, String name, BigDecimal ratio) {
        var key = new Key(group, name);
        var goal = Optional.ofNullable(rows.get(key)).flatMap(Row::goal);
        renewed.put(key, new Row(goal, ratio));
    }

    String text() {
        return rows.entrySet().stream()
                .map(
                        e ->
                                e.getKey().group()
                                        + "\t"
                                        + e.getKey().name()
                                        + "\t"
                                        + e.getValue().text())
                .collect(Collectors.joining("\n", HEAD, "\n"));
    }
}
