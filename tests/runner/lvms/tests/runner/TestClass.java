package lvms.tests.runner;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
                    "lvms.node.csi.NewFilesystem", "oci",
                    "lvms.lvm2.command.ImagesLvmLab", "oci");

    /** Debian packages that classes need with {@code --full}, by how their names begin. */
    private static final Map<String, List<String>> PACKAGES =
            Map.of(
                    "lvms.operator.page.Browser", List.of("chromium"),
                    "lvms.release.Push", List.of("containerd", "skopeo"),
                    "lvms.tests.image.Containerfile", List.of("buildah", "debootstrap"));

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

    /** Returns about how long it runs, in seconds; 0 if it does not tell. */
    int seconds() {
        try {
            var loaded = Class.forName(name, false, TestClass.class.getClassLoader());
            var lasts = loaded.getAnnotation(Lasts.class);
            return lasts == null ? 0 : lasts.seconds();
        } catch (ClassNotFoundException e) {
            return 0; // running it will tell
        }
    }
}
