package lvms.deploy.monitoring;

import static org.junit.jupiter.api.Assertions.assertFalse;

import lvms.k8s.tree.Json;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * An alert that has to fire once. Half an hour is good, the next hour bad, and then all is good.
 *
 * @param labels of what it fires for
 * @param series what is served: of what it fires for, and of others
 * @param value the value of its expression while it fires; empty if no annotation has it
 */
record AlertCase(String alert, Map<String, String> labels, List<Series> series, String value) {
    private static final int BEGIN = 30;
    private static final int END = 90;
    private static final int LATER = 150;

    /** How long after its condition and its wait an alert may begin: counters need a few values. */
    private static final int SLACK = 10;

    /** A series in promtool's notation, with a value each minute. */
    record Series(String name, String values) {}

    static AlertCase of(String alert, Map<String, String> labels, Series... series) {
        return new AlertCase(alert, labels, List.of(series), "");
    }

    /** Returns the same whose expression has this value while it fires. */
    AlertCase value(String number) {
        return new AlertCase(alert, labels, series, number);
    }

    @Override
    public String toString() {
        return alert + " for " + series.getFirst().name() + " " + series.getFirst().values();
    }

    /** Writes the test as promtool reads it, beside the rules. */
    Path save(Path folder, Rules.Alert rule) throws IOException {
        var file =
                ObjectTree.builder()
                        .put("rule_files", ListTree.ofTexts(List.of("rules.json")))
                        .put("evaluation_interval", "1m")
                        .put("tests", ListTree.of(test(rule)))
                        .build();
        return Files.writeString(folder.resolve("test.json"), Json.write(file));
    }

    private ObjectTree test(Rules.Alert rule) {
        var inputs =
                series.stream()
                        .map(
                                s ->
                                        ObjectTree.ofTexts(
                                                Map.of("series", s.name(), "values", s.values())))
                        .toList();
        return ObjectTree.builder()
                .put("interval", "1m")
                .put("input_series", ListTree.of(inputs))
                .put("alert_rule_test", ListTree.of(times(rule)))
                .build();
    }

    private List<ObjectTree> times(Rules.Alert rule) {
        var times = new ArrayList<ObjectTree>();
        times.add(at(BEGIN - 1, rule, false));
        if (rule.minutes() > 0) {
            times.add(at(BEGIN + rule.minutes() - 1, rule, false));
        }
        times.add(at(BEGIN + rule.minutes() + SLACK, rule, true));
        times.add(at(END - 1, rule, true));
        times.add(at(LATER, rule, false));
        return times;
    }

    private ObjectTree at(int minute, Rules.Alert rule, boolean fires) {
        return ObjectTree.builder()
                .put("eval_time", minute + "m")
                .put("alertname", alert)
                .put("exp_alerts", fires ? ListTree.of(fired(rule)) : ListTree.EMPTY)
                .build();
    }

    private ObjectTree fired(Rules.Alert rule) {
        var all = new TreeMap<>(labels);
        all.put("severity", rule.severity());
        rule.labels().forEach((name, template) -> all.put(name, expanded(template)));
        var texts = new TreeMap<String, String>();
        rule.annotations().forEach((name, template) -> texts.put(name, expanded(template)));
        return ObjectTree.builder()
                .put("exp_labels", ObjectTree.ofTexts(all))
                .put("exp_annotations", ObjectTree.ofTexts(texts))
                .build();
    }

    /** An annotation names only labels that the alert has. */
    private String expanded(String template) {
        var text = value.isEmpty() ? template : template.replace("{{ $value }}", value);
        for (var label : labels.entrySet()) {
            text = text.replace("{{ $labels." + label.getKey() + " }}", label.getValue());
        }
        assertFalse(text.contains("{{"), text);
        return text;
    }
}
