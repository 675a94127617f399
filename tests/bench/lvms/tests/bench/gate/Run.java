package lvms.tests.bench.gate;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * What became of each group of ratios.
 *
 * @param groups in the order they ran
 */
record Run(SequencedMap<String, Part> groups) {
    /** A line for each group: its name, {@code ran}, {@code skipped} or {@code failed}, and why. */
    static final String OUTCOMES = "outcomes";

    /** Has the files of those that ran again. */
    static final String FIRST = "first";

    private static final List<String> COLUMNS = List.of("ratio", "value");

    /** One group. */
    sealed interface Part {
        /** Says what became of it. */
        default String words() {
            return switch (this) {
                case Measured _ -> "ran";
                case Skipped(var why) -> "was skipped: " + why;
                case Failed(var why) -> "did not run: " + why;
            };
        }
    }

    /** Its benchmark ran. */
    record Measured(SequencedMap<String, BigDecimal> ratios) implements Part {}

    /** This machine cannot run it. */
    record Skipped(String why) implements Part {}

    /** It could run and did not, or not to its end. */
    record Failed(String why) implements Part {}

    /** Returns a line for each group that could run and did not. */
    List<String> failed() {
        return words(Failed.class);
    }

    /** Returns a line for each group that was skipped. */
    List<String> skipped() {
        return words(Skipped.class);
    }

    private List<String> words(Class<? extends Part> kind) {
        return groups.entrySet().stream()
                .filter(group -> kind.isInstance(group.getValue()))
                .map(group -> group.getKey() + " " + group.getValue().words())
                .toList();
    }

    /** Reads what benchmarks and build.sh left; of a group that ran again, the last line counts. */
    static Run read(Path folder) throws IOException, UsageException {
        var groups = new LinkedHashMap<String, Part>();
        var columns = List.of("group", "outcome", "reason");
        for (var line : Table.read(folder.resolve(OUTCOMES), columns).entries()) {
            var group = line.text(0);
            groups.put(
                    group,
                    switch (line.text(1)) {
                        case "ran" -> measured(folder, group);
                        case "skipped" -> new Skipped(line.text(2));
                        case "failed" -> new Failed(line.text(2));
                        default -> throw line.expected("ran, skipped or failed");
                    });
        }
        return new Run(groups);
    }

    private static Part measured(Path folder, String group) throws IOException, UsageException {
        var file = folder.resolve(group + ".tsv");
        if (Files.notExists(file)) {
            return new Failed("it ended well and wrote no ratios");
        }
        var ratios = ratios(file);
        var first = folder.resolve(FIRST).resolve(group + ".tsv");
        if (Files.exists(first)) {
            ratios(first).forEach((name, ratio) -> ratios.merge(name, ratio, BigDecimal::min));
        }
        return new Measured(ratios);
    }

    private static SequencedMap<String, BigDecimal> ratios(Path file)
            throws IOException, UsageException {
        var ratios = new LinkedHashMap<String, BigDecimal>();
        for (var line : Table.read(file, COLUMNS).entries()) {
            ratios.put(line.text(0), line.number(1));
        }
        return ratios;
    }
}
