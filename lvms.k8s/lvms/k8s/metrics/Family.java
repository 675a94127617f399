package lvms.k8s.metrics;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;

/**
 * All series of one metric name, one for each combination of label values.
 *
 * @param <M> kind of metric
 */
public final class Family<M> {
    private final String name;
    private final String type;
    private final String help;
    private final List<String> labelNames;
    private final Supplier<M> maker;
    private final Map<String, Series<M>> series = new ConcurrentSkipListMap<>();
    private final Optional<M> unread;

    /** One combination of label values. */
    record Series<M>(String labels, M metric) {}

    /**
     * @param read whether anybody will read the family; if not, one metric takes all values
     */
    Family(
            String name,
            String type,
            String help,
            List<String> labelNames,
            Supplier<M> maker,
            boolean read) {
        this.name = name;
        this.type = type;
        this.help = help;
        this.labelNames = labelNames;
        this.maker = maker;
        this.unread = read ? Optional.empty() : Optional.of(maker.get());
    }

    /**
     * Returns the series of these label values, given in the order of the label names; a new one
     * starts at 0.
     */
    public M with(String... labelValues) {
        if (labelValues.length != labelNames.size()) {
            throw new IllegalArgumentException(
                    name + ": " + labelValues.length + " values for labels " + labelNames);
        }
        if (unread.isPresent()) {
            return unread.get();
        }
        return series.computeIfAbsent(labelText(labelValues), k -> new Series<>(k, maker.get()))
                .metric();
    }

    /** Forgets the series of these label values. */
    public void remove(String... labelValues) {
        series.remove(labelText(labelValues));
    }

    private String labelText(String[] values) {
        var text = new StringBuilder();
        for (int i = 0; i < values.length; i++) {
            text.append(i == 0 ? "" : ",").append(labelNames.get(i)).append("=\"");
            PrometheusText.escape(values[i], text);
            text.append('"');
        }
        return text.toString();
    }

    String name() {
        return name;
    }

    String type() {
        return type;
    }

    String help() {
        return help;
    }

    List<String> labelNames() {
        return labelNames;
    }

    Iterable<Series<M>> series() {
        return series.values();
    }
}
