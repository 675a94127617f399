package lvms.lvm2.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.tests.runner.LinuxOnly;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Whatever a word holds, LVM's own parser in a worker gets exactly this word: pvs names each
 * argument that is not a device. What the grammar of its command lines cannot express goes to exec.
 * {@code -Dlvms.fuzz.seed=N} repeats a run.
 */
@Timeout(120)
@LinuxOnly
class CommandWordsTests {
    private static final int ROUNDS = Boolean.getBoolean("lvms.full") ? 3_000 : 200;

    /** No backslash: behind the parser, pvs takes it from names of devices. */
    private static final String ALPHABET = "abc-=@#:/.'\"'\" \t\r$`;|&*?~%!()[]{}<>\u0001\u00e9\n";

    private static final String SETTINGS =
            "log/report_command_log=0 global/activation=0 devices/use_devicesfile=0"
                    + " devices/filter=[\"r|.*|\"] devices/hints=\"none\"";

    @TempDir Path folder;

    @Test
    void aWordArrivesAsItIs() throws Exception {
        assumeTrue(
                Stream.of("x86_64-linux-gnu", "aarch64-linux-gnu", "../lib64")
                        .anyMatch(f -> Files.exists(Path.of("/lib", f, "liblvm2cmd.so.2.03"))),
                "liblvm2cmd.so.2.03 is not installed");
        long seed = Long.getLong("lvms.fuzz.seed", System.nanoTime());
        System.out.println("fuzz seed: " + seed);
        var random = new Random(seed);
        Files.writeString(folder.resolve("lvm.conf"), "global/use_aio=0\n");
        var exec = new NotedExec();
        var launch =
                new WorkerLaunch(
                        Path.of(System.getProperty("java.home")),
                        OptionalLong.empty(),
                        Map.of("LC_ALL", "C", "LVM_SYSTEM_DIR", folder.toString()),
                        Optional.empty(),
                        folder);
        try (var engine = WorkerEngine.start(launch, exec, 1, Duration.ofMinutes(1))) {
            var before = workers();
            int inexpressible = 0;
            for (int i = 0; i < ROUNDS; i++) {
                var given = words(random);
                var words = new ArrayList<>(List.of("pvs", "--config", SETTINGS, "--"));
                words.addAll(given);
                var reply = engine.run(new Command(Command.Effect.READ, words));
                if (reply.stdout().equals("exec")) {
                    inexpressible++;
                } else {
                    assertEquals(given, named(reply), () -> "seed " + seed + " of " + given);
                }
            }
            assertEquals(inexpressible, exec.commands().size(), "a worker died, seed " + seed);
            assertEquals(before, workers(), "a worker died, seed " + seed);
        }
    }

    /** Different ones, since pvs names each once. */
    private static List<String> words(Random random) {
        var words = new ArrayList<String>();
        for (int i = random.nextInt(5); i >= 0; i--) {
            var word = new StringBuilder();
            for (int length = random.nextInt(7); length > 0; length--) {
                word.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
            }
            word.insert(random.nextInt(word.length() + 1), "w" + i);
            boolean tag = word.charAt(0) == '@'; // pvs would look for its devices
            words.add((tag ? "w" : "") + word);
        }
        return words;
    }

    private static List<String> named(Reply reply) {
        return Stream.of(reply.stderr().split("\n"))
                .map(line -> line.split("Cannot use ", 2))
                .filter(parts -> parts.length == 2)
                .map(parts -> parts[1].replaceFirst(": device not found$", ""))
                .toList();
    }

    private static List<Long> workers() {
        return ProcessHandle.current()
                .children()
                .map(ProcessHandle::pid)
                .sorted()
                .collect(Collectors.toList());
    }
}
