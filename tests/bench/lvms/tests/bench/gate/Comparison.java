package lvms.tests.bench.gate;

import lvms.tests.bench.gate.Recorded.Key;
import lvms.tests.bench.gate.Recorded.Row;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The ratios of a run beside those that were recorded and beside their goals. */
record Comparison(List<Line> lines, Run run) {
    static Comparison of(Recorded recorded, Run run) {
        var keys = new LinkedHashSet<>(recorded.rows().keySet());
        run.groups().forEach((group, part) -> keys.addAll(keys(group, part)));
        var lines =
                keys.stream()
                        .map(key -> line(key, Optional.ofNullable(recorded.rows().get(key)), run))
                        .toList();
        return new Comparison(lines, run);
    }

    private static List<Key> keys(String group, Run.Part part) {
        return part instanceof Run.Measured(var ratios)
                ? ratios.keySet().stream().map(name -> new Key(group, name)).toList()
                : List.of();
    }

    private static Line line(Key key, Optional<Row> row, Run run) {
        return switch (run.groups().get(key.group())) {
            case Run.Measured(var ratios) when ratios.containsKey(key.name()) ->
                    Line.measured(key, ratios.get(key.name()), row);
            case Run.Skipped _ -> new Line(key, Optional.empty(), row, Line.Verdict.SKIPPED);
            case Run.Failed _ -> new Line(key, Optional.empty(), row, Line.Verdict.DID_NOT_RUN);
            case null, default -> new Line(key, Optional.empty(), row, Line.Verdict.NOT_IN_RUN);
        };
    }

    /** Returns the groups with a ratio that is worse, which may be so by chance. */
    Set<String> worse() {
        return lines.stream()
                .filter(line -> line.verdict() == Line.Verdict.WORSE)
                .map(line -> line.key().group())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Returns what keeps the gate shut, a line each; nothing if it is open. */
    List<String> failures() {
        var failures = new ArrayList<>(run.failed());
        lines.stream()
                .filter(line -> line.verdict().fails())
                .map(line -> line.key() + " is " + line.words())
                .forEach(failures::add);
        return failures;
    }

    /** Returns the table, why a group was skipped, and how many ratios miss their goals. */
    String text() {
        var text = new StringBuilder(Line.HEAD);
        lines.forEach(text::append);
        run.skipped().forEach(line -> text.append('\n').append(line));
        long missing = lines.stream().filter(Line::missesItsGoal).count();
        long goals = lines.stream().filter(Line::hasGoal).count();
        return text + "%n%d of %d goals are missed%n".formatted(missing, goals);
    }
}
