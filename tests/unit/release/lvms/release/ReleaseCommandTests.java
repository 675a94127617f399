package lvms.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.tests.runner.Needs;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code ./build.sh release} says in one line why a tree cannot be released, before it builds. */
class ReleaseCommandTests {
    private static final String TIME = "2026-01-02T03:04:05Z";

    @TempDir private Path folder;
    private Path tree;

    /** How a program ended, and what it printed. */
    private record Ended(int code, String out) {}

    @BeforeEach
    void copyTheBuild() throws Exception {
        tree = Files.createDirectory(folder.resolve("tree"));
        for (var part : List.of("build", "jlink", "tests")) {
            copyScripts(SmallRelease.TREE.resolve(part));
        }
        Files.copy(SmallRelease.TREE.resolve("build.sh"), tree.resolve("build.sh"));
        tree.resolve("build.sh").toFile().setExecutable(true);
        Files.copy(SmallRelease.TREE.resolve(".gitattributes"), tree.resolve(".gitattributes"));
        Files.writeString(tree.resolve(".gitignore"), "out\n");
        git("init", "--quiet");
        commit();
    }

    private void copyScripts(Path from) throws IOException {
        List<Path> files;
        try (var all = Files.walk(from)) {
            files =
                    all.filter(f -> f.toString().matches(".*[.](sh|lock|tsv)|.*/build/commit"))
                            .toList();
        }
        for (var file : files) {
            var copy = tree.resolve(SmallRelease.TREE.relativize(file));
            Files.createDirectories(copy.getParent());
            Files.copy(file, copy);
        }
    }

    private void commit() throws Exception {
        git("add", "--all");
        git("commit", "--quiet", "--message=all");
    }

    private String git(String... words) throws Exception {
        var command =
                new ArrayList<>(
                        List.of(
                                "git",
                                "-c",
                                "user.name=t",
                                "-c",
                                "user.email=t@example.com",
                                "-c",
                                "commit.gpgsign=false",
                                "-C",
                                tree.toString()));
        command.addAll(List.of(words));
        var ended = run(folder, command);
        assertEquals(0, ended.code(), ended.out());
        return ended.out().strip();
    }

    private static Ended run(Path where, List<String> command) throws Exception {
        var builder =
                new ProcessBuilder(command).directory(where.toFile()).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
        builder.environment().put("GIT_COMMITTER_DATE", TIME);
        builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        var process = builder.start();
        process.getOutputStream().close();
        var out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), out);
    }

    private void assertRefused(String line, String... options) throws Exception {
        var command = new ArrayList<>(List.of("./build.sh", "release"));
        command.addAll(List.of(options));
        var ended = run(tree, command);
        assertEquals(1, ended.code(), ended.out());
        assertEquals("build.sh: release: " + line + "\n", ended.out());
        assertFalse(Files.exists(tree.resolve("out/release")));
        assertFalse(Files.exists(tree.resolve("out/release.new")));
    }

    private String version() throws IOException {
        return Files.readString(tree.resolve("build.sh"))
                .lines()
                .filter(line -> line.startsWith("readonly VERSION="))
                .map(line -> line.substring(line.indexOf('=') + 1))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aTreeWithChangesIsNotReleased() throws Exception {
        git("tag", "v" + version());
        Files.writeString(tree.resolve("new"), "x");
        assertRefused(
                "the tree has changes that are not committed: commit them, and tag that commit");
    }

    @Test
    void aCommitWithoutATagIsNotReleased() throws Exception {
        git("tag", "v" + version() + "-rc1");
        git("tag", "something");
        assertRefused(
                "commit " + git("rev-parse", "HEAD") + " has no tag vX.Y.Z: git tag v" + version());
    }

    @Test
    void theTagOfAnEarlierCommitDoesNotCount() throws Exception {
        git("tag", "v" + version());
        Files.writeString(tree.resolve("new"), "x");
        commit();
        assertRefused(
                "commit " + git("rev-parse", "HEAD") + " has no tag vX.Y.Z: git tag v" + version());
    }

    @Test
    void aTagOfAnotherVersionIsRefused() throws Exception {
        git("tag", "v9.8.7");
        assertRefused("the commit is tagged v9.8.7, but its build.sh has the version " + version());
    }

    @Test
    void wordsThatCannotBeAreRefused() throws Exception {
        git("tag", "v" + version());
        assertRefused(
                "no image can be built for linux/sparc: --arch names those to release",
                "--arch",
                "sparc");
        assertRefused("--arch amd64,amd64 names amd64 twice", "--arch", "amd64,amd64");
        assertRefused("--arch amd64;: expected a list such as amd64,arm64", "--arch", "amd64;");
        assertRefused(
                "--key none.pem: there is no such file, or it cannot be read",
                "--arch",
                "amd64",
                "--key",
                "none.pem");
        assertRefused("--registry is unknown, or needs a value", "--registry");
        assertRefused("unknown option --loud", "--loud", "very");
    }

    @Test
    @Needs("tar")
    void theArchiveOfTheSourcesKnowsItsCommit() throws Exception {
        git("tag", "v" + version());
        var archive = folder.resolve("archive");
        Files.createDirectory(archive);
        git("archive", "--output=" + folder.resolve("a.tar"), "HEAD");
        Tool.run(
                List.of(
                        "tar",
                        "-xf",
                        folder.resolve("a.tar").toString(),
                        "-C",
                        archive.toString()));
        var script =
                "say() { printf '%s\\n"
                        + "' \"$*\"; }; JAR_DATE=2000-01-01T00:00:00Z; . build/sources.sh;"
                        + " source_commit; source_date; source_tags";
        var told = git("rev-parse", "HEAD") + "\n" + TIME + "\nv" + version() + "\n";
        for (var place : List.of(tree, archive)) {
            assertEquals(told, run(place, List.of("bash", "-euc", script)).out());
        }
        Files.writeString(tree.resolve("new"), "x");
        assertTrue(
                run(tree, List.of("bash", "-euc", script))
                        .out()
                        .startsWith(git("rev-parse", "HEAD") + "-modified\n"));
    }
}
