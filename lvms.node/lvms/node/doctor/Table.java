package lvms.node.doctor;

import java.util.ArrayList;
import java.util.List;

/** Columns of text, as wide as needed; an empty text if there is no row. */
public final class Table {
    private final List<List<String>> rows = new ArrayList<>();

    public Table(String... header) {
        rows.add(List.of(header));
    }

    public void add(String... cells) {
        if (cells.length != rows.getFirst().size()) {
            throw new IllegalArgumentException("cells: " + List.of(cells));
        }
        rows.add(List.of(cells));
    }

    /** The lines, each with its line end. */
    public String text() {
        if (rows.size() == 1) {
            return "";
        }
        var out = new StringBuilder();
        for (var row : rows) {
            var line = new StringBuilder();
            for (int i = 0; i < row.size(); i++) {
                line.append(row.get(i)).repeat(' ', width(i) - row.get(i).length() + 2);
            }
            out.append(line.toString().stripTrailing()).append('\n');
        }
        return out.toString();
    }

    private int width(int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }

    /** Bytes as a person reads them: {@code 512 B}, {@code 10.5 GiB}. */
    static String size(long bytes) {
        double value = bytes;
        var units = List.of("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB");
        int unit = 0;
        while (value >= 1024 && unit < units.size() - 1) {
            value /= 1024;
            unit++;
        }
        var text = value == Math.rint(value) ? "%.0f %s" : "%.1f %s";
        return text.formatted(value, units.get(unit));
    }
}
