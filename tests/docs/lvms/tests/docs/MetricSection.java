package lvms.tests.docs;

import lvms.tests.docs.Registrations.Metric;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/** Every metric, from the registrations in the sources of our modules. */
final class MetricSection {
    private static final Path REGISTRY = Path.of("lvms.k8s/lvms/k8s/metrics/MetricsRegistry.java");

    private MetricSection() {}

    static String text() throws IOException {
        var text = new StringBuilder("## Metrics\n\n");
        text.append("Served at `/metrics` in the Prometheus text format, where the flag says.");
        text.append(" A process has the metrics of the\nmodules that it uses: those of");
        text.append(" `lvms.k8s` are in the operator and in the node agent.\n");
        for (var module : modules().entrySet()) {
            text.append("\n### Metrics of ").append(module.getKey()).append("\n\n");
            var table = new Table("metric", "type", "labels", "help");
            module.getValue()
                    .forEach(
                            metric ->
                                    table.row(
                                            Table.code(metric.name()),
                                            metric.type(),
                                            String.join(
                                                    ", ",
                                                    metric.labels().stream()
                                                            .map(Table::code)
                                                            .toList()),
                                            metric.help()));
            text.append(table);
        }
        return text.toString();
    }

    private static TreeMap<String, TreeSet<Metric>> modules() throws IOException {
        var modules = new TreeMap<String, TreeSet<Metric>>();
        for (var file : sources()) {
            for (var metric : Registrations.in(file)) {
                modules.computeIfAbsent(
                                file.getName(0).toString(),
                                _ -> new TreeSet<>(Comparator.comparing(Metric::name)))
                        .add(metric);
            }
        }
        return modules;
    }

    private static List<Path> sources() throws IOException {
        try (var files =
                Files.find(
                        Path.of(""),
                        Integer.MAX_VALUE,
                        (file, _) ->
                                file.toString().matches("(lvms[.][^/]+|src)/lvms/.*[.]java")
                                        && !file.equals(REGISTRY))) {
            var sources = files.sorted().toList();
            return sources.stream().filter(MetricSection::namesRegistry).toList();
        }
    }

    private static boolean namesRegistry(Path file) {
        try {
            return Files.readString(file).contains("etrics");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
