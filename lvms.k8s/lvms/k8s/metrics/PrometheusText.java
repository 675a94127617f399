package lvms.k8s.metrics;

/** The text exposition format, version 0.0.4. */
final class PrometheusText {
    private PrometheusText() {}

    static void write(Family<?> family, StringBuilder out) {
        out.append("# HELP ").append(family.name()).append(' ');
        out.append(family.help().replace("\\", "\\\\").replace("\n", "\\n")).append('\n');
        out.append("# TYPE ").append(family.name()).append(' ').append(family.type()).append('\n');
        for (var series : family.series()) {
            switch (series.metric()) {
                case Counter c -> line(out, family.name(), series.labels(), "", c.value());
                case Gauge g -> line(out, family.name(), series.labels(), "", g.value());
                case Summary s -> summary(out, family.name(), series.labels(), s);
                case Histogram h -> histogram(out, family.name(), series.labels(), h);
                default -> throw new AssertionError("no such metric: " + series.metric());
            }
        }
    }

    private static void histogram(StringBuilder out, String name, String labels, Histogram h) {
        long total = 0;
        for (int i = 0; i < h.buckets(); i++) {
            total += h.countIn(i);
            var bound = "le=\"" + number(h.bound(i)) + "\"";
            line(out, name + "_bucket", labels, bound, total);
        }
        line(out, name + "_sum", labels, "", h.sum());
        line(out, name + "_count", labels, "", total);
    }

    private static void summary(StringBuilder out, String name, String labels, Summary s) {
        line(out, name + "_sum", labels, "", s.sum());
        line(out, name + "_count", labels, "", s.count());
    }

    private static void line(
            StringBuilder out, String name, String labels, String bound, double value) {
        out.append(name);
        if (!labels.isEmpty() || !bound.isEmpty()) {
            out.append('{').append(labels);
            out.append(labels.isEmpty() || bound.isEmpty() ? "" : ",").append(bound).append('}');
        }
        out.append(' ').append(number(value)).append('\n');
    }

    private static String number(double value) {
        if (Double.isInfinite(value)) {
            return value > 0 ? "+Inf" : "-Inf";
        }
        long whole = (long) value;
        return whole == value ? Long.toString(whole) : Double.toString(value);
    }

    static void escape(String value, StringBuilder out) {
        for (int i = 0; i < value.length(); i++) {
            switch (value.charAt(i)) {
                case '\\' -> out.append("\\\\");
                case '"' -> out.append("\\\"");
                case '\n' -> out.append("\\n");
                default -> out.append(value.charAt(i));
            }
        }
    }
}
