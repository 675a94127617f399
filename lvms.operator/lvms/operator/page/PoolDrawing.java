package lvms.operator.page;

import lvms.operator.volume.SizeRules;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** A pool as two bars, of its data and its metadata, and its last day as two lines. */
record PoolDrawing(PoolFill pool, Instant now) {
    private static final Duration DAY = Duration.ofDays(1);
    private static final double WARN = 80;
    private static final double FULL = 95;

    void write(Html html) {
        html.begin("figure", "class", "pool");
        html.begin("figcaption").element("strong", name());
        html.text(" " + caption()).end("figcaption");
        bar(html, "data", pool.dataPercent());
        bar(html, "metadata", pool.metadataPercent());
        history(html);
        html.end("figure");
    }

    private String name() {
        return pool.node() + ": " + pool.group() + "/" + pool.name();
    }

    private String caption() {
        return "%s, %d volumes with %s promised%s"
                .formatted(
                        SizeRules.text(pool.sizeBytes()),
                        pool.volumes(),
                        SizeRules.text(pool.promisedBytes()),
                        pool.health().map(h -> ", " + h).orElse(""));
    }

    private void bar(Html html, String what, OptionalDouble percent) {
        var words =
                what
                        + " "
                        + (percent.isPresent()
                                ? percent(percent.getAsDouble()) + " full"
                                : "not known: the pool is not active");
        html.element("p", words);
        if (percent.isPresent()) {
            double full = percent.getAsDouble();
            svg(html, "bar fill", "0 0 100 1", name() + ": " + words);
            html.begin(
                            "rect",
                            "width",
                            number(full),
                            "height",
                            "1",
                            "class",
                            full >= FULL ? "bad" : full >= WARN ? "warn" : "good")
                    .end("rect");
            html.end("svg");
        }
    }

    private void history(Html html) {
        var day = pool.history().stream().filter(this::today).toList();
        if (day.size() < 2) {
            html.begin("p", "class", "none").text("No history yet.").end("p");
            return;
        }
        var first = day.getFirst();
        var last = day.getLast();
        var words =
                "Since %s: data from %s to %s (solid), metadata from %s to %s (dashed)"
                        .formatted(
                                first.time(),
                                percent(first.dataPercent()),
                                percent(last.dataPercent()),
                                percent(first.metadataPercent()),
                                percent(last.metadataPercent()));
        svg(html, "history", "0 0 1440 100", words);
        line(html, "line data", day, PoolFill.Sample::dataPercent);
        line(html, "line metadata", day, PoolFill.Sample::metadataPercent);
        html.end("svg").element("p", words + ". The width is one day, the height 100 %.");
    }

    private static void svg(Html html, String classes, String box, String words) {
        html.begin(
                "svg",
                "class",
                classes,
                "role",
                "img",
                "viewBox",
                box,
                "preserveAspectRatio",
                "none");
        html.element("title", words);
    }

    private boolean today(PoolFill.Sample sample) {
        return !sample.time().isBefore(now.minus(DAY));
    }

    private void line(
            Html html,
            String classes,
            List<PoolFill.Sample> day,
            ToDoubleFunction<PoolFill.Sample> percent) {
        var points =
                day.stream()
                        .map(s -> x(s) + "," + number(100 - percent.applyAsDouble(s)))
                        .collect(Collectors.joining(" "));
        html.begin("polyline", "class", classes, "points", points).end("polyline");
    }

    /** Minutes since this time yesterday. */
    private long x(PoolFill.Sample sample) {
        long minutes = Duration.between(now.minus(DAY), sample.time()).toMinutes();
        return Math.clamp(minutes, 0, DAY.toMinutes());
    }

    private static String percent(double value) {
        return number(value) + " %";
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value).replace(".0", "");
    }
}
