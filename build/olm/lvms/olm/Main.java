package lvms.olm;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes bundle and catalogue into an empty folder. Words: {@code to=FOLDER version=V image=REF},
 * and if they are others than those of {@link Release#of}: {@code bundle-image=REF namespace=NAME
 * architectures=A,B}.
 */
final class Main {
    private final Map<String, String> words = new HashMap<>();

    private Main(String[] args) {
        for (var word : args) {
            var parts = word.split("=", 2);
            words.put(parts[0], parts[1]);
        }
    }

    public static void main(String[] args) throws IOException {
        var main = new Main(args);
        try {
            var bundle = Bundle.of(Path.of("deploy"), main.release());
            Documents.write(Documents.of(bundle), Path.of(main.words.get("to")));
        } catch (IllegalArgumentException e) {
            System.err.println("olm: " + e.getMessage());
            System.exit(1);
        }
    }

    private Release release() {
        var release = Release.of(words.get("version"), words.get("image"));
        if (words.containsKey("bundle-image")) {
            release = release.withBundleImage(words.get("bundle-image"));
        }
        if (words.containsKey("namespace")) {
            release = release.withNamespace(words.get("namespace"));
        }
        if (words.containsKey("architectures")) {
            release = release.withArchitectures(List.of(words.get("architectures").split(",")));
        }
        return release;
    }
}
