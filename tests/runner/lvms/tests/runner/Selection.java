package lvms.tests.runner;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The classes that were asked for, and what they need.
 *
 * @param trees folders below {@code tests} that are compiled for them, such as {@code
 *     unit/lvms.k8s}
 */
record Selection(List<TestClass> classes, Set<String> trees) {
    /** What the node's integration tests run on loop devices. */
    private static final List<String> LVM = List.of("lvm2", "xfsprogs", "btrfs-progs");

    /** Finds them in the sources: {@code *Tests.java} below the folder of a layer. */
    static Selection of(Path tests, Options options) throws IOException, UsageException {
        var found = new ArrayList<TestClass>();
        var trees = new LinkedHashSet<>(List.of("runner"));
        boolean some = false;
        for (var layer : options.layers()) {
            var classes = new LinkedHashMap<TestClass, Path>();
            for (var file : in(tests.resolve(layer))) {
                var testClass = new TestClass(layer, name(file));
                if (options.wants(testClass.name())) {
                    classes.put(testClass, tests.resolve(layer).relativize(file));
                }
            }
            some |= !classes.isEmpty();
            for (var testClass : options.share().of(classes.keySet(), options::seconds)) {
                found.add(testClass);
                trees.add(layer + "/" + classes.get(testClass).getName(0));
            }
        }
        if (!some) {
            throw new UsageException("no test class matches");
        }
        return new Selection(List.copyOf(found), trees);
    }

    private static List<Path> in(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (var all = Files.walk(folder)) {
            return all.filter(file -> file.toString().endsWith("Tests.java")).sorted().toList();
        }
    }

    private static String name(Path file) throws IOException {
        var simple = file.getFileName().toString().replace(".java", "");
        try (var lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith("package "))
                            .findFirst()
                            .map(line -> line.substring("package ".length()).replace(";", "."))
                            .orElse("")
                    + simple;
        }
    }

    /** Returns what build.sh has to make first, a line each: a name and its arguments. */
    Set<String> needs(Options options) {
        var needs = new LinkedHashSet<String>();
        if (classes.stream().anyMatch(c -> !c.layer().equals("unit"))) {
            needs.add("kubectl");
        }
        if (has("image") || has("lab")) {
            needs.add("image");
        }
        boolean containers = classes.stream().anyMatch(c -> c.name().contains(".image.Container"));
        if (containers || options.imagesLvm()) {
            needs.add("oci");
        }
        classes.stream().map(TestClass::need).flatMap(Optional::stream).forEach(needs::add);
        if (options.full()) {
            classes.stream()
                    .flatMap(testClass -> testClass.packages().stream())
                    .forEach(name -> needs.add("package " + name));
        }
        for (var layer : List.of("lab", "conformance", "e2e")) {
            if (has(layer)) {
                needs.add(layer);
            }
        }
        if (options.server().real() && has("integration")) {
            needs.add("apiserver " + options.server().version());
        }
        if (classes.stream().anyMatch(TestClass::needsLvm)) {
            LVM.forEach(name -> needs.add("package " + name));
        }
        return needs;
    }

    boolean has(String layer) {
        return classes.stream().anyMatch(c -> c.layer().equals(layer));
    }
}
