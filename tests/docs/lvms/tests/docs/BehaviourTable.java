package lvms.tests.docs;

import lvms.tests.runner.Behaviour;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeMap;
import java.util.TreeSet;

/** The table of {@code docs/k8s.md} that names the tests of each behaviour of the client. */
public final class BehaviourTable {
    /** Where the page is, from the root of the repository. */
    public static final Path PAGE = Path.of("docs/k8s.md");

    /** One line for each behaviour: {@code 42. The rule.} */
    private static final Path RULES = Path.of("tests/docs/behaviours.txt");

    /** How the rule of a behaviour ends that no test shows whole. */
    private static final String NOT_YET = " (not yet)";

    private BehaviourTable() {}

    /** A sentence that a client keeps, and whether a test shows it. */
    record Rule(String sentence, boolean tested) {}

    /** Returns the page with the table that the tests want. */
    static String text() throws IOException {
        return Table.atTheEndOf(PAGE, table(rules(), tests()));
    }

    /** Returns the rules by their numbers. */
    static TreeMap<Integer, Rule> rules() throws IOException {
        var rules = new TreeMap<Integer, Rule>();
        for (var line : Files.readAllLines(RULES)) {
            int dot = line.indexOf(". ");
            var text = line.substring(dot + 2);
            boolean tested = !text.endsWith(NOT_YET);
            var sentence = tested ? text : text.substring(0, text.length() - NOT_YET.length());
            rules.put(Integer.parseInt(line.substring(0, dot)), new Rule(sentence, tested));
        }
        return rules;
    }

    /** Returns the tests of each behaviour, as {@code layer: Class.method}. */
    static TreeMap<Integer, TreeSet<String>> tests() throws IOException {
        return MarkedTests.by(Behaviour.class, Behaviour::value);
    }

    private static Table table(
            TreeMap<Integer, Rule> rules, TreeMap<Integer, TreeSet<String>> tests) {
        var table = new Table("number", "behaviour", "tests");
        rules.forEach(
                (number, rule) ->
                        table.row(
                                Integer.toString(number),
                                rule.sentence(),
                                rule.tested()
                                        ? String.join(
                                                ", ", tests.getOrDefault(number, new TreeSet<>()))
                                        : "not yet"));
        return table;
    }
}
