package lvms.tests.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A table in Markdown. A cell is Markdown too; only what would end it is escaped. */
public final class Table {
    private static final String START = "<!-- Made by ./build.sh docs; do not edit below. -->\n";

    private final StringBuilder text = new StringBuilder();

    /** Begins a table with these column heads. */
    public Table(String... heads) {
        row(heads);
        row(Arrays.stream(heads).map(head -> "---").toArray(String[]::new));
    }

    /** Adds a row. */
    public void row(String... cells) {
        text.append(
                Stream.of(cells)
                        .map(cell -> cell.replace("|", "\\|").replace("\n", " "))
                        .map(cell -> cell.isEmpty() ? " |" : " " + cell + " |")
                        .collect(Collectors.joining("", "|", "\n")));
    }

    /** Returns the text of a page that ends in a table, with another table. */
    static String atTheEndOf(Path page, Table table) throws IOException {
        var text = Files.readString(page);
        int start = text.indexOf(START);
        if (start < 0) {
            throw new IOException(page + " has no line " + START.strip());
        }
        return text.substring(0, start) + START + "\n" + table;
    }

    /** Returns a word as code, and nothing for nothing. */
    public static String code(String word) {
        return word.isEmpty() ? "" : "`" + word + "`";
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
