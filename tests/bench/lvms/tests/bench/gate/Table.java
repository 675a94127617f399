package lvms.tests.bench.gate;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A file of lines whose columns have a tab between them; a line that begins with # is a comment.
 */
record Table(Path file, List<Entry> entries) {
    /**
     * What a line says.
     *
     * @param file of which it is
     * @param number of the line, from 1
     */
    record Entry(Path file, int number, List<String> columns) {
        String text(int column) {
            return columns.get(column);
        }

        /** Returns a number above zero. */
        BigDecimal number(int column) throws UsageException {
            try {
                var value = new BigDecimal(text(column));
                if (value.signum() > 0) {
                    return value;
                }
            } catch (NumberFormatException _) {
                throw expected("a number, found " + text(column));
            }
            throw expected("a number above 0, found " + text(column));
        }

        UsageException expected(String what) {
            return new UsageException(file + " line " + number + ": expected " + what);
        }
    }

    /**
     * Reads one.
     *
     * @param columns what each line has
     */
    static Table read(Path file, List<String> columns) throws IOException, UsageException {
        var entries = new ArrayList<Entry>();
        int number = 0;
        for (var text : lines(file)) {
            number++;
            if (text.isBlank() || text.startsWith("#")) {
                continue;
            }
            var entry = new Entry(file, number, List.of(text.split("\t", -1)));
            if (entry.columns().size() != columns.size()) {
                throw entry.expected(
                        String.join(", ", columns) + " with tabs between, found: " + text);
            }
            entries.add(entry);
        }
        return new Table(file, List.copyOf(entries));
    }

    private static List<String> lines(Path file) throws IOException, UsageException {
        try {
            return Files.readAllLines(file);
        } catch (NoSuchFileException _) {
            throw new UsageException("there is no " + file);
        }
    }
}
