package lvms.tests.docs;

import lvms.tests.runner.Safety;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/** The table of {@code docs/safety.md} that names the tests of each hazard. */
public final class SafetyTable {
    /** Where the page is, from the root of the repository. */
    public static final Path PAGE = Path.of("docs/safety.md");

    private SafetyTable() {}

    /** Returns the page with the table that the tests want. */
    static String text() throws IOException {
        return Table.atTheEndOf(PAGE, table(hazards(Files.readString(PAGE)), tests()));
    }

    /** Returns the numbers of the hazards, as the headings have them: {@code ### 17. Title}. */
    static List<Integer> hazards(String page) {
        return page.lines()
                .filter(line -> line.matches("### \\d+\\. .*"))
                .map(line -> Integer.parseInt(line.substring("### ".length(), line.indexOf('.'))))
                .toList();
    }

    /** Returns the tests of each hazard, as {@code layer: Class.method}. */
    static TreeMap<Integer, TreeSet<String>> tests() throws IOException {
        return MarkedTests.by(Safety.class, Safety::value);
    }

    /** Returns those of each hazard that no CI run leaves out. */
    static TreeMap<Integer, TreeSet<String>> testsInEachRun() throws IOException {
        return MarkedTests.inEachRun(Safety.class, Safety::value);
    }

    private static Table table(List<Integer> hazards, TreeMap<Integer, TreeSet<String>> tests) {
        var table = new Table("hazard", "tests");
        for (int hazard : hazards) {
            table.row(
                    Integer.toString(hazard),
                    String.join(", ", tests.getOrDefault(hazard, new TreeSet<>())));
        }
        return table;
    }
}
