package lvms.tests.docs;

import lvms.tests.runner.Safety;

import java.io.IOException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The table of {@code docs/safety.md} that names the tests of each hazard. */
public final class SafetyTable {
    /** Where the page is, from the root of the repository. */
    public static final Path PAGE = Path.of("docs/safety.md");

    private static final String START = "<!-- Made by ./build.sh docs; do not edit below. -->\n";

    private SafetyTable() {}

    /** Returns the page with the table that the tests want. */
    static String text() throws IOException {
        var page = Files.readString(PAGE);
        int start = page.indexOf(START);
        if (start < 0) {
            throw new IOException(PAGE + " has no line " + START.strip());
        }
        return page.substring(0, start) + START + "\n" + table(hazards(page), tests());
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
        var tests = new TreeMap<Integer, TreeSet<String>>();
        for (var layer : List.of("unit", "integration", "image", "lab", "conformance", "e2e")) {
            for (var type : classes(Path.of("tests", layer))) {
                note(tests, type, layer + ": `" + type.getSimpleName() + "`");
                for (var method : methods(type)) {
                    note(
                            tests,
                            method,
                            layer + ": `" + type.getSimpleName() + "." + method.getName() + "`");
                }
            }
        }
        return tests;
    }

    /** Returns the methods of a class and of those that it extends. */
    private static List<Method> methods(Class<?> type) {
        return Stream.<Class<?>>iterate(type, Objects::nonNull, Class::getSuperclass)
                .flatMap(each -> Stream.of(each.getDeclaredMethods()))
                .toList();
    }

    private static void note(
            TreeMap<Integer, TreeSet<String>> tests, AnnotatedElement element, String name) {
        var safety = element.getAnnotation(Safety.class);
        if (safety != null) {
            IntStream.of(safety.value())
                    .forEach(n -> tests.computeIfAbsent(n, any -> new TreeSet<>()).add(name));
        }
    }

    private static List<Class<?>> classes(Path folder) throws IOException {
        List<Path> files;
        try (var all = Files.walk(folder)) {
            files = all.filter(file -> file.toString().endsWith("Tests.java")).toList();
        }
        var classes = new ArrayList<Class<?>>();
        for (var file : files) {
            // tests/LAYER/MODULE/PACKAGE/Class.java
            var name =
                    folder.relativize(file)
                            .subpath(1, folder.relativize(file).getNameCount())
                            .toString();
            try {
                classes.add(
                        Class.forName(
                                name.replace(".java", "").replace('/', '.'),
                                false,
                                SafetyTable.class.getClassLoader()));
            } catch (ClassNotFoundException e) {
                throw new IOException(file + " is not compiled", e);
            }
        }
        return classes;
    }

    private static String table(List<Integer> hazards, TreeMap<Integer, TreeSet<String>> tests) {
        var table = new Table("hazard", "tests");
        for (int hazard : hazards) {
            table.row(
                    Integer.toString(hazard),
                    String.join(", ", tests.getOrDefault(hazard, new TreeSet<>())));
        }
        return table.toString();
    }
}
