package lvms.tests.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.tests.runner.FullOnly;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Edits of our own modules, in a copy: what is compiled after each is what is compiled from
 * nothing, to the byte.
 */
@FullOnly("three builds from nothing; IncrementalCompileTests has a small project")
class ProductCompileTests {
    private static final List<String> TREES = List.of("lvms", "unit/lvms.operator");

    /** What was edited until now, by its name. */
    private final Map<String, String> edited = new TreeMap<>();

    @TempDir private Path temporary;

    private Build build;
    private int copies;

    @BeforeEach
    void compileTheProduct() throws Exception {
        build = copy();
        assertEquals(0, build.compile(TREES).status());
    }

    private Build copy() throws Exception {
        var folder = Files.createDirectory(temporary.resolve("copy" + ++copies));
        var words =
                """
                mkdir "$1/out" && cp -R out/deps out/modules out/modules.stamp "$1/out" &&
                git ls-files -z --cached --others --exclude-standard \
                    '*.java' '*.proto' build* jlink |
                    xargs -0 find 2>/dev/null | tar -c -T - | tar -x -C "$1"
                """;
        var process =
                new ProcessBuilder("bash", "-c", words, "copy", folder.toString())
                        .inheritIO()
                        .start();
        assertEquals(0, process.waitFor());
        var script =
                """
                set -euo pipefail
                export LC_ALL=C.UTF-8
                readonly VERSION=0 CACHE=out/cache
                readonly JAR_DATE=2026-01-01T00:00:00Z ARTIFACTS=build/artifacts.tsv
                say() { printf '%s\\n' "$*"; }
                die() { say "$*"; exit 1; }
                for part in build/{machine,toolchain,artifacts,compile}.sh jlink/modules.sh; do
                    . $part
                done
                compile "$@"
                """;
        return new Build(folder, script);
    }

    private void edit(String file, String before, String after) throws IOException {
        var path = build.folder().resolve(file);
        var text = Files.readString(path);
        assertTrue(text.contains(before), file + " has no " + before);
        edited.put(file, text.replace(before, after));
        Files.writeString(path, edited.get(file));
    }

    private Set<String> compiled() throws Exception {
        var result = build.compile(TREES);
        assertEquals(0, result.status(), result.output());
        var fresh = copy();
        for (var file : edited.entrySet()) {
            Files.writeString(fresh.folder().resolve(file.getKey()), file.getValue());
        }
        var whole = fresh.compile(TREES);
        assertEquals(0, whole.status(), whole.output());
        assertEquals(fresh.made(), build.made());
        return result.compiled();
    }

    @Test
    void aConstantAMethodAndAMemberOfAPackage() throws Exception {
        edit("lvms.api/lvms/api/Names.java", "\"vg-manager\"", "\"edited\"");
        var above = Set.of("lvms.api", "lvms.csi", "lvms.node", "lvms.operator", "lvms");
        var constant = compiled();
        assertTrue(constant.containsAll(above), constant.toString());
        assertTrue(!constant.contains("lvms.k8s"), constant.toString());

        edit(
                "lvms.k8s/lvms/k8s/object/Types.java",
                "public final class Types {",
                "public final class Types { /** Is new. */ public static void added() {}");
        var method = compiled();
        assertTrue(method.containsAll(above), method.toString());
        assertTrue(method.contains("unit/lvms.operator"), method.toString());

        edit(
                "lvms.operator/lvms/operator/provision/ClaimPlan.java",
                "sealed interface ClaimPlan {",
                "sealed interface ClaimPlan { static void added() {}");
        assertEquals(Set.of("lvms.operator", "unit/lvms.operator"), compiled());
    }
}
