package lvms.tests.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** What docs/architecture.md names in code font exists: types, their methods, packages, files. */
class ArchitectureTests {
    private static final Path PAGE = Path.of("docs/architecture.md");
    private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");
    private static final Pattern TYPE =
            Pattern.compile("([A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*)([.]([A-Za-z]+))?");
    private static final Pattern PACKAGE = Pattern.compile("lvms([.][a-z0-9]+)+");
    private static final Pattern FILE = Pattern.compile("(docs|deploy|tests|build|jlink)/\\S+");

    /** Words in code font that look like types and are a pattern of names. */
    private static final Set<String> NOT_TYPES = Set.of("TYPE", "Changes");

    private final TreeMap<String, List<Path>> types = new TreeMap<>();

    @Test
    void namesOnlyWhatExists() throws Exception {
        readTypes();
        var missing = new ArrayList<String>();
        var words = CODE.matcher(withoutFences(Files.readString(PAGE)));
        while (words.find()) {
            if (!exists(words.group(1))) {
                missing.add(words.group(1));
            }
        }
        assertEquals(List.of(), missing, PAGE + " names what does not exist");
    }

    private boolean exists(String word) throws IOException {
        var type = TYPE.matcher(word);
        if (type.matches() && !NOT_TYPES.contains(word)) {
            return type.group(3) == null
                    ? types.containsKey(type.group(1))
                    : mentions(types.getOrDefault(type.group(1), List.of()), type.group(3));
        }
        if (PACKAGE.matcher(word).matches()) {
            return Files.exists(Path.of("out/classes", word)) || isPackage(word);
        }
        return !FILE.matcher(word).matches() || Files.exists(Path.of(word));
    }

    /** A method or a nested type. */
    private static boolean mentions(List<Path> files, String member) throws IOException {
        for (var file : files) {
            if (Pattern.compile("\\b" + member + "\\b").matcher(Files.readString(file)).find()) {
                return true;
            }
        }
        return false;
    }

    private boolean isPackage(String name) {
        var folder = name.replace('.', '/');
        return types.values().stream()
                .flatMap(List::stream)
                .anyMatch(file -> file.getParent().endsWith(folder));
    }

    private void readTypes() throws IOException {
        try (var files = Files.walk(Path.of(""))) {
            files.filter(f -> f.toString().matches("(lvms[.][^/]+|src)/lvms/.*[.]java"))
                    .forEach(
                            f ->
                                    types.computeIfAbsent(
                                                    f.getFileName().toString().replace(".java", ""),
                                                    _ -> new ArrayList<>())
                                            .add(f));
        }
    }

    private static String withoutFences(String text) {
        return text.replaceAll("(?s)```.*?```", "");
    }
}
