package lvms.tests.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.tests.build.SmallProject.Edit;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.spi.ToolProvider;

/**
 * What the build compiles after an edit is what it would compile from nothing, and only what the
 * edit can be seen from is compiled again. Contents decide: all sources are older than the classes.
 */
@Lasts(seconds = 120)
class IncrementalCompileTests {
    private static final long SEED = Long.getLong("lvms.seed", 20_260_101);
    private static final Set<String> ALL = Set.of("lvms.low", "lvms.mid", "lvms", "unit/lvms.mid");

    /** What an edit is seen by; of the others, only the classes count. */
    private static final Map<Edit, Set<String>> SEEING =
            Map.of(
                    Edit.BODY, Set.of("lvms.low"),
                    Edit.PRIVATE_MEMBER, Set.of("lvms.low"),
                    Edit.RESOURCE, Set.of("lvms.low"),
                    Edit.PACKAGE_PRIVATE, Set.of("lvms.mid", "unit/lvms.mid"),
                    Edit.CONSTANT, ALL,
                    Edit.SIGNATURE, ALL,
                    Edit.SUPERCLASS, ALL);

    @TempDir private Path temporary;

    private final Random random = new Random(SEED);
    private final SmallProject project = new SmallProject(random);
    private Build build;
    private int builds;

    @BeforeEach
    void makeTheProject() throws Exception {
        build = build();
        project.write(build.folder());
    }

    /** There are no jars of others; all else is the product's own way to compile. */
    private Build build() throws Exception {
        var parts = Files.createDirectories(temporary.resolve("incremental/build"));
        for (var file : List.of("Fingerprint.java", "compile.sh", "machine.sh", "toolchain.sh")) {
            Files.copy(Path.of("build", file), parts.resolve(file));
        }
        Files.writeString(parts.resolve("trees"), "unit/lvms.mid: lvms.mid\n");
        return new Build(
                parts.getParent(),
                """
                set -euo pipefail
                say() { printf '%s\\n' "$*"; }
                die() { say "$*"; exit 1; }
                . build/machine.sh
                . build/toolchain.sh
                . build/compile.sh
                modularize() { mkdir --parents out/modules; touch out/modules.stamp; }
                third_party_jars() { :; }
                compile "$@"
                """);
    }

    private Set<String> compiled() throws Exception {
        project.write(build.folder());
        var result = build.compile(SmallProject.TREES);
        assertEquals(0, result.status(), result.output());
        return result.compiled();
    }

    @Test
    void eachEditGivesTheClassesOfABuildFromNothing() throws Exception {
        assertEquals(ALL, compiled());
        assertEquals(Set.of(), compiled());
        var edits = new ArrayList<>(List.of(Edit.values()));
        Collections.shuffle(edits, random);
        var before = build.made();
        for (var edit : edits) {
            var name = edit + " of seed " + SEED;
            project.edit(edit);
            var seeing = SEEING.get(edit);
            var compiled = compiled();
            assertTrue(seeing == null || seeing.equals(compiled), name + ": " + compiled);
            assertEquals(fromNothing(), build.made(), name);
            assertNotEquals(before, build.made(), name + " changed nothing");
            before = build.made();
        }
    }

    /** Returns what javac makes of the sources, called for each tree with nothing there yet. */
    private Map<String, String> fromNothing() throws Exception {
        var fresh = new Build(temporary.resolve("fresh" + ++builds), "");
        var folder = fresh.folder();
        project.write(folder);
        var modules = folder.resolve("out/classes");
        for (var module : List.of("lvms.low", "lvms.mid", "lvms")) {
            var sources = folder.resolve(module.equals("lvms") ? "src" : module);
            javac(sources, modules.resolve(module), "--module-path", modules.toString());
        }
        Files.copy(
                folder.resolve("lvms.low/lvms/low/text.txt"),
                modules.resolve("lvms.low/lvms/low/text.txt"));
        javac(
                folder.resolve("tests/unit/lvms.mid"),
                folder.resolve("out/test-classes/unit/lvms.mid"),
                "--class-path",
                modules.resolve("lvms.mid") + ":" + modules.resolve("lvms.low"));
        return fresh.made();
    }

    private static void javac(Path sources, Path classes, String... path) throws Exception {
        var words = new ArrayList<>(List.of("--release", "25", "-d", classes.toString()));
        words.addAll(List.of(path));
        try (var files = Files.walk(sources)) {
            files.map(Path::toString).filter(f -> f.endsWith(".java")).forEach(words::add);
        }
        var javac = ToolProvider.findFirst("javac").orElseThrow();
        assertEquals(0, javac.run(System.out, System.err, words.toArray(String[]::new)));
    }

    @Test
    void whatNoLongerCompilesFailsUntilItIsRepaired() throws Exception {
        compiled();
        var mid = build.folder().resolve("lvms.mid/lvms/mid/Mid.java");
        var good = Files.readString(mid);
        Files.writeString(mid, good.replace("String kind()", "String other()"));
        for (int run = 0; run < 2; run++) {
            var broken = build.compile(SmallProject.TREES);
            assertEquals(1, broken.status());
            assertTrue(broken.output().contains("Top.java"), broken.output());
            assertTrue(broken.output().endsWith("not compiled: lvms\n"), broken.output());
        }
        Files.writeString(mid, good);
        var repaired = build.compile(SmallProject.TREES);
        assertEquals(0, repaired.status(), repaired.output());
        assertTrue(repaired.compiled().containsAll(Set.of("lvms.mid", "lvms")));
    }

    @Test
    void theWayBackToWhatWasCompiledCompilesNothing() throws Exception {
        compiled();
        project.edit(Edit.SIGNATURE);
        project.write(build.folder());
        project.edit(Edit.SIGNATURE);
        assertEquals(Set.of(), compiled());
    }
}
