package lvms.tests.runner;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A class with tests.
 *
 * @param layer where it belongs, such as {@code unit}
 * @param name its binary name
 */
record TestClass(String layer, String name) {
    /** What classes cannot run without, by how their names begin. */
    private static final Map<String, String> NEEDS =
            Map.of(
                    "lvms.deploy.monitoring.", "prometheus",
                    "lvms.tests.libraries.", "maven",
                    "lvms.tests.image.AnyMachineBlock", "oci",
                    "lvms.node.csi.NewFilesystem", "oci",
                    "lvms.lvm2.command.ImagesLvmLab", "oci");

    /** Debian packages that classes need with {@code --full}, by how their names begin. */
    private static final Map<String, List<String>> PACKAGES =
            Map.of(
                    "lvms.operator.page.Browser", List.of("chromium"),
                    "lvms.release.Push", List.of("containerd", "skopeo"),
                    "lvms.tests.image.Containerfile", List.of("buildah", "debootstrap"));

    private static final Pattern LASTS =
            Pattern.compile("\n@Lasts\\(seconds = (?<seconds>\\d+)(, full = (?<full>\\d+))?\\)");

    /** Seconds of a class that does not say how long it runs, by its layer. */
    private static final Map<String, Integer> USUAL =
            Map.of("integration", 4, "image", 5, "lab", 20, "conformance", 30);

    /** Reads a file with a line {@code layer class} for each. */
    static List<TestClass> readAll(Path file) throws IOException {
        return Files.readAllLines(file).stream().map(TestClass::of).toList();
    }

    static TestClass of(String line) {
        var words = line.split(" ", 2);
        return new TestClass(words[0], words[1]);
    }

    String line() {
        return layer + " " + name;
    }

    /** Returns what build.sh has to make for it beyond what its layer needs. */
    Optional<String> need() {
        return known(NEEDS);
    }

    /** Returns the Debian packages that it needs where the long tests run. */
    List<String> packages() {
        return known(PACKAGES).orElse(List.of());
    }

    private <T> Optional<T> known(Map<String, T> byBeginning) {
        return byBeginning.entrySet().stream()
                .filter(entry -> name.startsWith(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    /** Whether it runs this machine's LVM on loop devices. */
    boolean needsLvm() {
        return layer.equals("integration") && name.startsWith("lvms.node.");
    }

    /**
     * Returns about how long it runs, in seconds; of one that does not tell, what is usual. Its
     * source tells, since what is compiled depends on what is chosen.
     */
    int seconds(boolean full) {
        return source().flatMap(source -> seconds(source, full))
                .orElseGet(() -> USUAL.getOrDefault(layer, 1));
    }

    /** Returns what a source says of its seconds; empty if it says nothing. */
    static Optional<Integer> seconds(String source, boolean full) {
        return Optional.of(LASTS.matcher(source))
                .filter(Matcher::find)
                .map(lasts -> lasts.group(full && lasts.group("full") != null ? "full" : "seconds"))
                .map(Integer::valueOf);
    }

    private Optional<String> source() {
        var file = name.replace('.', '/') + ".java";
        try (var folders = Files.newDirectoryStream(Path.of("tests", layer))) {
            for (var folder : folders) {
                if (Files.exists(folder.resolve(file))) {
                    return Optional.of(Files.readString(folder.resolve(file)));
                }
            }
            return Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns why the whole class is left to {@code --full}; empty if it is not. */
    Optional<String> fullOnly() {
        try {
            var loaded = Class.forName(name, false, TestClass.class.getClassLoader());
            return Optional.ofNullable(loaded.getAnnotation(FullOnly.class)).map(FullOnly::value);
        } catch (ClassNotFoundException e) {
            return Optional.empty(); // running it will tell
        }
    }
}
