package lvms.tests.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Packages are rooms: none is too large to know, and none needs itself by way of another. */
class PackageTests {
    private static final Path CLASSES = Path.of("out/classes");
    private static final Path TESTKIT = Path.of("out/test-modules/lvms.k8s.testkit");
    private static final int MOST_TYPES = 30;

    /** What users of the library see: requests, reports and failures of LVM. */
    private static final Map<String, Integer> LARGER = Map.of("lvms.lvm2", 45);

    private static final Pattern TYPE = Pattern.compile("L(lvms/[\\w/]+)/\\w+[$\\w]*[;<]");

    static List<Path> modules() throws IOException {
        try (var folders = Files.list(CLASSES)) {
            return Stream.concat(folders, Stream.of(TESTKIT))
                    .filter(f -> !f.endsWith("lvms.proto"))
                    .sorted()
                    .toList();
        }
    }

    private static List<Path> classes(Path module) throws IOException {
        try (var files = Files.walk(module)) {
            return files.filter(f -> f.toString().endsWith(".class"))
                    .filter(f -> !f.endsWith("module-info.class"))
                    .filter(f -> !f.endsWith("package-info.class"))
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("modules")
    void noneNeedsItselfByWayOfAnother(Path module) throws Exception {
        var needs = new TreeMap<String, Set<String>>();
        for (var file : classes(module)) {
            needs.computeIfAbsent(packageOf(module, file), _ -> new TreeSet<>())
                    .addAll(packagesIn(file));
        }
        assertTrue(needs.size() > 0, "no classes in " + module);
        needs.forEach((name, others) -> others.remove(name));
        needs.keySet().removeIf(name -> !reachable(name, needs).contains(name));
        assertEquals(Map.of(), needs, "these packages are on a cycle");
    }

    private static String packageOf(Path module, Path file) {
        return module.relativize(file).getParent().toString().replace('/', '.');
    }

    private static Set<String> packagesIn(Path file) throws IOException {
        var found = new HashSet<String>();
        for (var entry : ClassFile.of().parse(file).constantPool()) {
            if (entry instanceof ClassEntry type) {
                var text = type.asInternalName();
                TYPE.matcher(text.startsWith("[") ? text : "L" + text + ";")
                        .results()
                        .forEach(name -> found.add(name.group(1).replace('/', '.')));
            } else if (entry instanceof Utf8Entry text) { // descriptors and signatures
                TYPE.matcher(text.stringValue())
                        .results()
                        .forEach(name -> found.add(name.group(1).replace('/', '.')));
            }
        }
        return found;
    }

    private static Set<String> reachable(String from, Map<String, Set<String>> needs) {
        var seen = new HashSet<String>();
        var next = new ArrayDeque<>(needs.get(from));
        while (!next.isEmpty()) {
            var name = next.pop();
            if (seen.add(name)) {
                next.addAll(needs.getOrDefault(name, Set.of()));
            }
        }
        return seen;
    }

    @ParameterizedTest
    @MethodSource("modules")
    void noneHasMoreTypesThanOneCanKnow(Path module) throws Exception {
        var types =
                classes(module).stream()
                        .filter(file -> !file.getFileName().toString().contains("$"))
                        .collect(
                                Collectors.groupingBy(
                                        file -> packageOf(module, file), Collectors.counting()));
        types.entrySet().removeIf(e -> e.getValue() <= LARGER.getOrDefault(e.getKey(), MOST_TYPES));
        assertEquals(Map.of(), types);
    }
}
