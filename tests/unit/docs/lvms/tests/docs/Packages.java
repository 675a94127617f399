package lvms.tests.docs;

import static java.util.stream.Collectors.toCollection;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The packages of compiled modules and what their classes name, generated code left out.
 *
 * @param types top-level types by package
 * @param names packages that a package's classes name, by package; its own is left out
 */
record Packages(Map<String, Set<String>> types, Map<String, Set<String>> names) {
    private static final String GENERATED = "lvms.proto";
    private static final Pattern DESCRIBED = Pattern.compile("L((?:\\w+/)+)[\\w$]+[;<]");

    /** Reads every class below the folders, each of which holds one folder a module. */
    static Packages of(Path... folders) throws IOException {
        var packages = new Packages(new TreeMap<>(), new TreeMap<>());
        for (var folder : folders) {
            try (var files = Files.walk(folder)) {
                files.filter(file -> file.toString().endsWith(".class"))
                        .filter(file -> !file.endsWith("module-info.class"))
                        .map(Packages::parse)
                        .forEach(packages::add);
            }
        }
        return packages;
    }

    private static ClassModel parse(Path file) {
        try {
            return ClassFile.of().parse(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void add(ClassModel model) {
        var type = model.thisClass().asInternalName();
        var home = packageOf(type);
        if (home.startsWith(GENERATED) || type.endsWith("package-info")) {
            return;
        }
        if (type.indexOf('$') < 0) {
            types.computeIfAbsent(home, _ -> new TreeSet<>()).add(type);
        }
        var named = names.computeIfAbsent(home, _ -> new TreeSet<>());
        for (var entry : model.constantPool()) {
            namedBy(entry).filter(name -> !name.equals(home)).forEach(named::add);
        }
    }

    /** A class that only a signature names has no class entry, but a descriptor. */
    private static Stream<String> namedBy(PoolEntry entry) {
        return switch (entry) {
            case ClassEntry named when !named.asInternalName().startsWith("[") ->
                    Stream.of(packageOf(named.asInternalName()));
            case Utf8Entry text ->
                    DESCRIBED.matcher(text.stringValue()).results().map(Packages::described);
            default -> Stream.empty();
        };
    }

    private static String described(MatchResult type) {
        return packageOf(type.group(1));
    }

    private static String packageOf(String type) {
        return type.substring(0, Math.max(0, type.lastIndexOf('/'))).replace('/', '.');
    }

    /** Returns the arrows that are part of a cycle, as {@code from -> to}. */
    List<String> cycles() {
        var arrows = new ArrayList<String>();
        for (var from : types.keySet()) {
            for (var to : names.get(from)) {
                if (types.containsKey(to) && reachedFrom(to).contains(from)) {
                    arrows.add(from + " -> " + to);
                }
            }
        }
        return arrows;
    }

    private Set<String> reachedFrom(String start) {
        var reached = new TreeSet<String>();
        var open = new ArrayDeque<>(List.of(start));
        while (!open.isEmpty()) {
            for (var next : names.getOrDefault(open.pop(), Set.of())) {
                if (types.containsKey(next) && reached.add(next)) {
                    open.add(next);
                }
            }
        }
        return reached;
    }

    /** Returns the packages of ours whose classes name a package or one below it. */
    Set<String> naming(String library) {
        return names.entrySet().stream()
                .filter(entry -> entry.getValue().stream().anyMatch(within(library)))
                .map(Map.Entry::getKey)
                .collect(toCollection(TreeSet::new));
    }

    private static Predicate<String> within(String library) {
        return name -> name.equals(library) || name.startsWith(library + ".");
    }
}
