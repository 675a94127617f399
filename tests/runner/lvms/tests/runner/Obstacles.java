package lvms.tests.runner;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What keeps this machine from running a part of the tests, as build.sh found it.
 *
 * @param reasons by what is needed: {@code lab}, {@code conformance}, {@code e2e}, {@code
 *     apiserver}, {@code oci}, {@code prometheus}, {@code maven}
 */
record Obstacles(Map<String, String> reasons) {
    static final Obstacles NONE = new Obstacles(Map.of());

    /** Reads a file with a line {@code need reason} for each. */
    static Obstacles read(Path file) throws IOException {
        var reasons = new LinkedHashMap<String, String>();
        for (var line : Files.readAllLines(file)) {
            var words = line.split(" ", 2);
            reasons.put(words[0], words[1]);
        }
        return new Obstacles(reasons);
    }

    /** Returns why the class cannot run here. */
    Optional<String> of(TestClass testClass) {
        var need = testClass.layer().equals("integration") ? "apiserver" : testClass.layer();
        return Optional.ofNullable(reasons.get(need)).or(() -> testClass.need().map(reasons::get));
    }

    /** As tests ask for them that can do a part of their work without. */
    Map<String, String> properties() {
        var properties = new LinkedHashMap<String, String>();
        reasons.forEach((need, reason) -> properties.put("lvms.skip." + need, reason));
        return properties;
    }
}
