package lvms.tests.bench.scale;

import lvms.tests.bench.Figures;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * A picture of the rows as SVG: memory and time to readiness over the number of volumes. It has a
 * ground of its own and two sets of colours, since nobody knows on which page it is shown.
 *
 * @param machine where it was measured
 */
record Plot(List<Row> operator, List<Row> agent, String machine) {
    private static final int WIDTH = 790;
    private static final int LEFT = 70;
    private static final int RIGHT = 560;
    private static final int HEIGHT = 200;
    private static final int TICKS = 5;
    private static final String STYLE =
            """
            <style>
            .ground { fill: #ffffff } text { fill: #24292f } .grid { stroke: #d8dee4 }
            .operator { stroke: #0969da; fill: #0969da } .agent { stroke: #bc4c00; fill: #bc4c00 }
            polyline, .sample { stroke-width: 2 }
            .anonymous { stroke-dasharray: 7 4 } .live { stroke-dasharray: 2 4 }
            @media (prefers-color-scheme: dark) {
            .ground { fill: #0d1117 } text { fill: #e6edf3 } .grid { stroke: #30363d }
            .operator { stroke: #58a6ff; fill: #58a6ff } .agent { stroke: #f0883e; fill: #f0883e } }
            </style>
            """;

    private record Point(double x, double y) {}

    /**
     * A line of a diagram.
     *
     * @param style classes of the style sheet
     */
    private record Line(String name, String style, List<Point> points) {
        static Line of(String name, String style, List<Row> rows, ToDoubleFunction<Row> value) {
            var points =
                    rows.stream()
                            .filter(Row::measured)
                            .map(row -> new Point(row.volumes(), value.applyAsDouble(row)))
                            .toList();
            return new Line(name, style, points);
        }
    }

    String svg() {
        var out = new StringBuilder();
        var failed = Stream.concat(operator.stream(), agent.stream()).filter(r -> !r.measured());
        var remarks =
                failed.map(r -> r.process() + ", " + Row.count(r.volumes()) + ": " + r.remark())
                        .toList();
        int height = 590 + 18 * remarks.size();
        write(
                out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\"",
                WIDTH,
                height);
        out.append(" role=\"img\" font-family=\"sans-serif\" font-size=\"13\">\n");
        out.append("<title>Memory and time to readiness over the number of volumes</title>\n");
        out.append(STYLE);
        write(out, "<rect class=\"ground\" width=\"%d\" height=\"%d\"/>%n", WIDTH, height);
        diagram(out, "Memory, MiB", 50, memory());
        diagram(out, "Start to ready, s", 330, readiness());
        int y = 580;
        for (var remark : remarks) {
            text(out, LEFT, y, "start", remark);
            y += 18;
        }
        text(out, LEFT, y, "start", machine);
        return out.append("</svg>\n").toString();
    }

    private List<Line> memory() {
        var lines = new ArrayList<Line>();
        for (var rows : List.of(operator, agent)) {
            var name = rows.getFirst().process();
            var colour = rows == operator ? "operator" : "agent";
            lines.add(Line.of(name + ", RSS", colour, rows, of(Figures::residentMib)));
            lines.add(
                    Line.of(
                            name + ", anonymous",
                            colour + " anonymous",
                            rows,
                            of(Figures::anonymousMib)));
            lines.add(Line.of(name + ", live heap", colour + " live", rows, Row::liveMib));
        }
        return lines;
    }

    private List<Line> readiness() {
        ToDoubleFunction<Row> seconds = row -> row.figures().readyMillis() / 1e3;
        return List.of(
                Line.of(operator.getFirst().process(), "operator", operator, seconds),
                Line.of(agent.getFirst().process(), "agent", agent, seconds));
    }

    private static ToDoubleFunction<Row> of(ToDoubleFunction<Figures> figure) {
        return row -> figure.applyAsDouble(row.figures());
    }

    private static void diagram(StringBuilder out, String title, int top, List<Line> lines) {
        var points = lines.stream().map(Line::points).flatMap(List::stream).toList();
        double stepX = step(most(points, Point::x));
        double stepY = step(most(points, Point::y));
        double perX = (RIGHT - LEFT) / (stepX * TICKS);
        double perY = HEIGHT / (stepY * TICKS);
        int bottom = top + HEIGHT;
        text(out, LEFT, top - 16, "start", title);
        for (int i = 0; i <= TICKS; i++) {
            double x = LEFT + i * stepX * perX;
            double y = bottom - i * stepY * perY;
            grid(out, LEFT, y, RIGHT, y);
            grid(out, x, top, x, bottom);
            text(out, LEFT - 8, y + 4, "end", tick(i * stepY));
            text(out, x, bottom + 18, "middle", tick(i * stepX));
        }
        text(out, (LEFT + RIGHT) / 2.0, bottom + 36, "middle", "volumes");
        int y = top + 6;
        for (var line : lines) {
            draw(out, line, p -> LEFT + p.x() * perX, p -> bottom - p.y() * perY);
            write(
                    out,
                    "<path class=\"sample %s\" style=\"fill:none\" d=\"M%d %dh30\"/>%n",
                    line.style(),
                    RIGHT + 16,
                    y);
            text(out, RIGHT + 54, y + 4, "start", line.name());
            y += 22;
        }
    }

    private static double most(List<Point> points, ToDoubleFunction<Point> axis) {
        return points.stream().mapToDouble(axis).max().orElse(1);
    }

    /** The least round distance of ticks with which the last of them is not below the value. */
    private static double step(double value) {
        double power = Math.pow(10, Math.floor(Math.log10(value / TICKS)));
        return Stream.of(1.0, 2.0, 5.0, 10.0)
                .map(factor -> factor * power)
                .filter(step -> step * TICKS >= value)
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    private static String tick(double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%,.0f", value)
                : String.format(Locale.ROOT, "%.1f", value);
    }

    private static void draw(
            StringBuilder out, Line line, ToDoubleFunction<Point> x, ToDoubleFunction<Point> y) {
        write(out, "<polyline class=\"%s\" style=\"fill:none\" points=\"", line.style());
        for (var point : line.points()) {
            write(out, "%.1f,%.1f ", x.applyAsDouble(point), y.applyAsDouble(point));
        }
        out.append("\"/>\n");
        for (var point : line.points()) {
            write(
                    out,
                    "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"><title>%s, %s:"
                            + " %.1f</title></circle>%n",
                    line.style(),
                    x.applyAsDouble(point),
                    y.applyAsDouble(point),
                    line.name(),
                    tick(point.x()),
                    point.y());
        }
    }

    private static void grid(StringBuilder out, double x1, double y1, double x2, double y2) {
        write(out, "<path class=\"grid\" d=\"M%.1f %.1fL%.1f %.1f\"/>%n", x1, y1, x2, y2);
    }

    private static void text(StringBuilder out, double x, double y, String anchor, String text) {
        write(
                out,
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n",
                x,
                y,
                anchor,
                text.replace("&", "&amp;").replace("<", "&lt;"));
    }

    private static void write(StringBuilder out, String format, Object... values) {
        out.append(String.format(Locale.ROOT, format, values));
    }
}
