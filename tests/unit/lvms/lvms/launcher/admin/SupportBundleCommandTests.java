package lvms.launcher.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import lvms.launcher.flag.Flags;
import lvms.launcher.flag.UsageException;
import lvms.tests.runner.Needs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How old logs may be, and an archive that tar reads. */
class SupportBundleCommandTests {
    private static final Instant NOW = Instant.parse("2026-01-02T12:00:00Z");
    @TempDir private Path folder;

    private static Optional<Instant> since(String flag, Map<String, String> variables)
            throws UsageException {
        return LogAge.since(flag, variables, NOW);
    }

    @ParameterizedTest
    @CsvSource({
        "2h, 2026-01-02T10:00:00Z",
        "2h30m, 2026-01-02T09:30:00Z",
        "90s, 2026-01-02T11:58:30Z",
    })
    void anAgeCountsBackFromNow(String age, Instant expected) throws Exception {
        assertEquals(Optional.of(expected), since(age, Map.of("MUST_GATHER_SINCE", "9h")));
        assertEquals(Optional.of(expected), since("", Map.of("MUST_GATHER_SINCE", age)));
    }

    @Test
    void aTimeIsTakenAsItIs() throws Exception {
        var time = Map.of("MUST_GATHER_SINCE_TIME", "2026-01-01T00:00:00Z");
        assertEquals(Optional.of(Instant.parse("2026-01-01T00:00:00Z")), since("", time));
        assertEquals(Optional.empty(), since("", Map.of()));
    }

    private static String refusal(String flag, Map<String, String> variables) {
        return assertThrows(UsageException.class, () -> since(flag, variables)).getMessage();
    }

    @Test
    void whatIsNoAgeOrTimeIsOneLine() {
        assertEquals("age of logs 2d: must be such as 2h30m, 10m or 90s", refusal("2d", Map.of()));
        assertEquals(
                "MUST_GATHER_SINCE_TIME=noon: not a time",
                refusal("", Map.of("MUST_GATHER_SINCE_TIME", "noon")));
    }

    @Test
    void aFileThatExistsIsNotOverwritten() throws Exception {
        var file = Files.createFile(folder.resolve("a.tar"));
        var command = new SupportBundleCommand();
        var flags = Flags.parse(command.flags(), List.of("--output=" + file));
        var failure = assertThrows(UsageException.class, () -> command.run(flags));
        assertEquals("flag --output=" + file + ": the file exists", failure.getMessage());
    }

    @Test
    void anArchiveIsReadBackAndHalfOfOneIsNone() throws Exception {
        var bytes = new ByteArrayOutputStream();
        try (var tar = new Tar(bytes, NOW)) {
            tar.add("lvs-a.txt", "LV VG".getBytes(StandardCharsets.UTF_8));
            tar.add("empty", new byte[0]);
            tar.add("exact", new byte[512]);
        }
        var archive = bytes.toByteArray();
        var files = Tar.read(archive).orElseThrow();
        assertEquals(List.of("lvs-a.txt", "empty", "exact"), List.copyOf(files.keySet()));
        assertEquals("LV VG", new String(files.get("lvs-a.txt"), StandardCharsets.UTF_8));
        assertEquals(512, files.get("exact").length);
        for (int length = 0; length < archive.length; length += 100) {
            assertEquals(Optional.empty(), Tar.read(Arrays.copyOf(archive, length)));
        }
        assertEquals(
                Optional.empty(),
                Tar.read("no archive".repeat(100).getBytes(StandardCharsets.UTF_8)));
    }

    /** Whoever owns a node says what is in its archive. */
    @Test
    void aNodesFilesStayInItsFolder() throws Exception {
        var bytes = new ByteArrayOutputStream();
        try (var tar = new Tar(bytes, NOW)) {
            for (var name : List.of("vgs.txt", "../n2/vgs.txt", "/etc/passwd", "a/b", "..", "")) {
                tar.add(name, new byte[1]);
            }
        }
        var written = new ArrayList<String>();
        assertFalse(
                Bundle.unpacked("n1", bytes.toByteArray(), (name, _) -> written.add(name)),
                "an archive with other names is not taken without a word");
        assertEquals(List.of("nodes/n1/vgs.txt"), written);
        assertFalse(Bundle.unpacked("n1", new byte[7], (name, _) -> written.add(name)));
    }

    @Test
    @Needs("tar")
    void tarReadsTheArchive() throws Exception {
        var file = folder.resolve("b.tar");
        var large = "x".repeat(1000);
        try (var tar = new Tar(new FileOutputStream(file.toFile()), NOW)) {
            tar.add("logs/a.log", large.getBytes(StandardCharsets.UTF_8));
            tar.add("empty", new byte[0]);
            tar.add("exact", new byte[512]);
            assertThrows(IOException.class, () -> tar.add("n".repeat(101), new byte[0]));
            tar.add("nodes/" + "n".repeat(140) + "/vgs.txt", new byte[0]);
        }
        var process =
                new ProcessBuilder("tar", "--extract", "--verbose", "--file", file.toString())
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), said);
        assertEquals(
                List.of("logs/a.log", "empty", "exact", "nodes/" + "n".repeat(140) + "/vgs.txt"),
                said.lines().toList());
        assertEquals(large, Files.readString(folder.resolve("logs/a.log")));
        assertEquals(512, Files.size(folder.resolve("exact")));
    }
}
