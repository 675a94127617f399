package lvms.tests.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

/** The image holds what the product needs and nothing else. */
class ContentsTests {
    private static final List<String> MODULES =
            List.of(
                    "com.google.common",
                    "com.google.common.util.concurrent.internal",
                    "com.google.gson",
                    "com.google.protobuf",
                    "io.grpc",
                    "io.grpc.internal",
                    "io.grpc.netty.shaded",
                    "io.grpc.protobuf",
                    "io.grpc.protobuf.lite",
                    "io.grpc.stub",
                    "io.grpc.util",
                    "io.perfmark",
                    "java.base",
                    "java.logging",
                    "java.management",
                    "java.net.http",
                    "jdk.jfr",
                    "jdk.management",
                    "lvms",
                    "lvms.api",
                    "lvms.csi",
                    "lvms.k8s",
                    "lvms.lvm2",
                    "lvms.node",
                    "lvms.operator",
                    "lvms.proto");

    @TempDir private Path scratch;
    private Image image;

    @BeforeEach
    void open() throws Exception {
        image = new Image(scratch);
    }

    private static List<String> names(Path folder) throws Exception {
        try (var files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    /** Among those that are not there is jdk.unsupported, the door to sun.misc.Unsafe. */
    @Test
    void holdsExactlyTheseModules() throws Exception {
        var listed = image.run(Map.of(), List.of("--list-modules"));
        assertEquals(0, listed.code(), listed.err());
        assertEquals(
                MODULES, listed.out().lines().map(line -> line.split("@")[0]).sorted().toList());
    }

    @Test
    void holdsNoOtherProgramThanJavaAndOurs() throws Exception {
        assertEquals(
                List.of(
                        "hypertopolvm",
                        "java",
                        "lvmd",
                        "lvms",
                        "lvms-operator",
                        "lvms-vgmanager",
                        "topolvm-controller",
                        "topolvm-node",
                        "topolvm-scheduler"),
                names(image.folder().resolve("bin")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"lvms", "lvms-operator", "lvms-vgmanager", "lvmd"})
    void eachKindOfProcessHasItsArgumentsOfJava(String name) throws Exception {
        var arguments = Files.readString(image.folder().resolve("lib/" + name + ".args"));
        assertTrue(arguments.contains("\n--illegal-native-access=deny\n"), arguments);
        assertTrue(arguments.endsWith("\n--module lvms/lvms.launcher.Main\n"), arguments);
        assertFalse(arguments.contains("@"), arguments);
        assertFalse(arguments.contains("=/"), "a place, although the folder may be moved");
    }

    @ParameterizedTest
    @CsvSource({
        "hypertopolvm, lvms-operator",
        "topolvm-controller, lvms-operator",
        "topolvm-node, lvms-vgmanager",
        "topolvm-scheduler, lvms-operator"
    })
    void topolvmsProgramsAreLaunchedLikeOurs(String name, String like) throws Exception {
        var bin = image.folder().resolve("bin");
        assertEquals(-1, Files.mismatch(bin.resolve(name), bin.resolve(like)));
    }

    @Test
    void cachesCanBeReadByEveryUser() throws Exception {
        for (var kind : List.of("server", "worker")) {
            var cache = image.folder().resolve("lib/" + kind + ".aot");
            assertEquals(
                    "rw-r--r--",
                    PosixFilePermissions.toString(Files.getPosixFilePermissions(cache)));
        }
    }
}
