package lvms.tests.image;

import lvms.tests.training.Launcher;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Starts programs of the runtime image as its launchers do. Each gets an environment, a working
 * directory, a home and a folder for temporary files of its own.
 */
final class Image {
    private static final long DEADLINE_SECONDS = 30;

    /** Where QEMU finds libraries of another architecture, see build/architecture.sh. */
    static final String EMULATED_ROOT = "QEMU_LD_PREFIX";

    /** How a program ended, and what it printed. */
    record Ended(int code, String out, String err) {}

    private final Path folder = Path.of(System.getProperty("lvms.image")).toAbsolutePath();
    private final Path scratch;

    /**
     * Prepares starting programs.
     *
     * @param scratch an empty folder for what programs may write
     */
    Image(Path scratch) throws IOException {
        this.scratch = scratch;
        Files.createDirectory(scratch.resolve("home"));
        Files.createDirectory(scratch.resolve("cwd"));
        Files.createDirectory(scratch.resolve("tmp"));
    }

    Path folder() {
        return folder;
    }

    /** The words of a launcher after {@code java}. */
    List<String> launcher(String name, String... arguments) throws IOException {
        return Launcher.words(folder, name, arguments);
    }

    /** Starts {@code java} of the image; its error output lands in {@link #errors}. */
    Process start(Map<String, String> environment, List<String> words) throws IOException {
        var command = new ArrayList<String>();
        command.add(folder.resolve("bin/java").toString());
        command.add("--illegal-native-access=deny"); // so that no module but the named calls C
        command.add("-Djava.io.tmpdir=" + scratch.resolve("tmp"));
        command.addAll(words);
        var builder = new ProcessBuilder(command).directory(scratch.resolve("cwd").toFile());
        builder.redirectError(scratch.resolve("stderr").toFile());
        var emulated = Optional.ofNullable(builder.environment().get(EMULATED_ROOT));
        builder.environment().clear();
        emulated.ifPresent(root -> builder.environment().put(EMULATED_ROOT, root));
        builder.environment().put("HOME", scratch.resolve("home").toString());
        builder.environment().putAll(environment);
        return builder.start();
    }

    /** Runs a program to its end. */
    Ended run(Map<String, String> environment, List<String> words)
            throws IOException, InterruptedException {
        var process = start(environment, words);
        process.getOutputStream().close();
        var out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("does not end: " + words);
        }
        return new Ended(process.exitValue(), out, errors());
    }

    /** What the last program printed to standard error so far. */
    String errors() throws IOException {
        return Files.readString(scratch.resolve("stderr"));
    }

    /** The files that programs left where nobody told them to write. */
    List<Path> litter() throws IOException {
        var found = new ArrayList<Path>();
        for (var name : List.of("home", "cwd", "tmp")) {
            try (var files = Files.walk(scratch.resolve(name))) {
                files.skip(1).forEach(found::add);
            }
        }
        return found;
    }
}
