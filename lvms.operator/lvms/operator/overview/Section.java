package lvms.operator.overview;

import lvms.api.finding.Finding;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A table with a name.
 *
 * @param name its key in JSON
 * @param columns keys of the cells in JSON; those of sizes end with {@code Bytes}, those of ages
 *     with {@code Seconds}
 * @param rows one cell for each column
 */
public record Section(String name, List<String> columns, List<List<Cell>> rows) {
    public Section {
        columns = List.copyOf(columns);
        rows = rows.stream().map(List::copyOf).toList();
        int width = columns.size();
        if (rows.stream().anyMatch(row -> row.size() != width)) {
            throw new IllegalArgumentException("section " + name + ": a row has other columns");
        }
    }

    public static Section of(String name, List<String> columns, Stream<List<Cell>> rows) {
        return new Section(name, columns, rows.toList());
    }

    /** Returns findings as a table, worst first. */
    public static Section findings(List<Finding> findings) {
        return of(
                "findings",
                List.of("severity", "subject", "finding", "cure"),
                findings.stream()
                        .sorted(Comparator.comparing(Finding::severity))
                        .map(
                                f ->
                                        Stream.of(
                                                        f.severity().text(),
                                                        f.subject(),
                                                        f.text(),
                                                        f.cure())
                                                .map(Cell::of)
                                                .toList()));
    }

    /** Returns the heads of the columns: {@code SIZE} for {@code sizeBytes}. */
    public List<String> heads() {
        return columns.stream()
                .map(key -> key.replaceFirst("(Bytes|Seconds)$", ""))
                .map(key -> key.replaceAll("([A-Z])", " $1").toUpperCase(Locale.ROOT))
                .toList();
    }

    /** Returns one object for each row; members without a value are left out. */
    public ListTree json() {
        return ListTree.of(rows.stream().map(this::object).toList());
    }

    private Tree object(List<Cell> row) {
        var object = ObjectTree.builder();
        for (int i = 0; i < row.size(); i++) {
            if (!row.get(i).json().isNull()) {
                object.put(columns.get(i), row.get(i).json());
            }
        }
        return object.build();
    }
}
