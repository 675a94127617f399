package lvms.release;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes a release. Words: {@code to=FOLDER scratch=FOLDER}, those of {@link Release} and {@link
 * Inputs}, and {@code key=FILE}; images, gatherers and locks once for each. Without {@code to} it
 * writes nothing, and says what is wrong with the words of {@link Release} and the key.
 */
final class Main {
    private final Map<String, List<String>> words = new HashMap<>();

    private Main(String[] args) {
        for (var word : args) {
            var parts = word.split("=", 2);
            words.computeIfAbsent(parts[0], _ -> new ArrayList<>()).add(parts[1]);
        }
    }

    public static void main(String[] args) {
        try {
            new Main(args).write();
        } catch (IOException | IllegalArgumentException e) {
            System.err.println("release: " + said(e));
            System.exit(1);
        }
    }

    /** The system says of a file only its name. */
    static String said(Exception e) {
        if (e instanceof NoSuchFileException missing) {
            return missing.getFile() + " is missing";
        }
        return e instanceof FileSystemException failed && failed.getReason() != null
                ? failed.getFile() + ": " + failed.getReason()
                : e.getMessage();
    }

    private void write() throws IOException {
        var release =
                new Release(
                        word("version"),
                        word("commit"),
                        Instant.ofEpochSecond(Long.parseLong(word("seconds"))),
                        word("registry"),
                        word("downloads"),
                        word("builder"));
        Optional<Signature> key = Optional.empty();
        if (words.containsKey("key")) {
            key = Optional.of(Signature.with(Path.of(word("key"))));
        }
        if (!words.containsKey("to")) {
            return;
        }
        var to = Files.createDirectories(Path.of(word("to")));
        var scratch = Files.createDirectories(Path.of(word("scratch")));
        new Publication(release, inputs(), to, scratch).write(key);
    }

    private Inputs inputs() {
        return new Inputs(
                paths("image"),
                paths("gatherer"),
                Path.of(word("tree")),
                Path.of(word("chart")),
                Path.of(word("maven")),
                Path.of(word("jars")),
                Path.of(word("debian")),
                paths("lock"),
                Path.of(word("archive")),
                word("prefix"),
                word("reference"),
                Boolean.parseBoolean(word("aot")));
    }

    private String word(String name) {
        var values = words.getOrDefault(name, List.of());
        if (values.size() != 1) {
            throw new IllegalArgumentException(name + "=... is wanted once");
        }
        return values.getFirst();
    }

    private List<Path> paths(String name) {
        return words.getOrDefault(name, List.of()).stream().map(Path::of).toList();
    }
}
