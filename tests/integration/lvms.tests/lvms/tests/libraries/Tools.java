package lvms.tests.libraries;

import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.system.Program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/** The programs that users of the libraries run, with the JDK of this process. */
final class Tools {
    static final String JDK = System.getProperty("java.home");

    private static final Duration DEADLINE = Duration.ofMinutes(5);
    private static final int OUTPUT_BYTES = 4 << 20;

    /** Maven's own repository; it outlives the test, so that Maven fetches its plugins once. */
    private static final Path FETCHED = Path.of("out/examples/m2").toAbsolutePath();

    private Tools() {}

    /** Runs Maven; what it knew of our libraries is forgotten, since their version stays. */
    static String maven(Path project, String... goals) throws Exception {
        forget(FETCHED.resolve("lvms"));
        var command = new ArrayList<>(List.of("mvn", "--batch-mode", "--no-transfer-progress"));
        command.add("--file=" + project.resolve("pom.xml"));
        command.add("-Dmaven.repo.local=" + FETCHED);
        command.add("-Dlvms.repository=" + Repository.FOLDER);
        command.addAll(List.of(goals));
        return run(Map.of("JAVA_HOME", JDK), command);
    }

    private static void forget(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        List<Path> files;
        try (var all = Files.walk(folder)) {
            files = all.toList();
        }
        for (var file : files.reversed()) {
            Files.delete(file);
        }
    }

    /** Runs a program that has to succeed; returns what it printed. */
    static String run(Map<String, String> environment, List<String> command)
            throws IOException, InterruptedException, TimeoutException {
        var result = new Program(command, DEADLINE, OUTPUT_BYTES, environment).run();
        assertTrue(result.succeeded(), () -> command + ": " + result);
        return result.stdout();
    }
}
