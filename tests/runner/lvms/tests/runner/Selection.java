package lvms.tests.runner;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The classes that were asked for, and what they need. */
record Selection(List<TestClass> classes) {
    /** Finds them in the sources: {@code *Tests.java} below the folder of a layer. */
    static Selection of(Path tests, Options options) throws IOException, UsageException {
        var found = new ArrayList<TestClass>();
        for (var layer : options.layers()) {
            found.addAll(in(tests.resolve(layer), layer));
        }
        found.removeIf(testClass -> !options.wants(testClass.name()));
        if (found.isEmpty()) {
            throw new UsageException("no test class matches");
        }
        return new Selection(List.copyOf(found));
    }

    private static List<TestClass> in(Path folder, String layer) throws IOException {
        if (!Files.exists(folder)) {
            return List.of();
        }
        List<Path> files;
        try (var all = Files.walk(folder)) {
            files = all.filter(file -> file.toString().endsWith("Tests.java")).sorted().toList();
        }
        var classes = new ArrayList<TestClass>();
        for (var file : files) {
            classes.add(new TestClass(layer, name(file)));
        }
        return classes;
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
        if (options.realServer()) {
            needs.add("apiserver " + options.apiServer());
        }
        return needs;
    }

    private boolean has(String layer) {
        return classes.stream().anyMatch(c -> c.layer().equals(layer));
    }
}
