package lvms.node.csi;

import static lvms.api.CodeAssertions.assertCode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.StatusCode;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;

/** Only absolute, normal paths are mounted on, and they are named as the mount table names them. */
class TargetPathTests {
    @Test
    void acceptsKubeletsPath() throws Exception {
        var text = "/var/lib/kubelet/pods/u/volumes/kubernetes.io~csi/pv/mount";
        assertEquals(Path.of(text), TargetPath.of("target_path", text).path());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "/", "some/path", "/a/../etc", "/a/./b", "/a\nb", "/a\0b", "..", "/.."})
    void refusesOthers(String text) {
        var failure =
                assertCode(StatusCode.INVALID_ARGUMENT, () -> TargetPath.of("target_path", text));
        assertTrue(failure.getMessage().startsWith("target_path"), failure.getMessage());
    }

    @Test
    void refusesAPathLongerThanTheSystemTakes() {
        assertCode(StatusCode.INVALID_ARGUMENT, () -> TargetPath.of("p", "/" + "a".repeat(4096)));
    }

    @Test
    void resolvesLinksInTheFolderButNotTheTargetItself(@TempDir Path folder) throws Exception {
        var real = Files.createDirectory(folder.toRealPath().resolve("real"));
        var link = Files.createSymbolicLink(folder.resolve("link"), real);
        Files.createSymbolicLink(real.resolve("mount"), folder);

        var resolved = new TargetPath(link.resolve("mount")).resolved();

        assertEquals(real.resolve("mount"), resolved.path());
    }

    @Test
    void leavesAPathWithoutItsFolderAsItIs() throws Exception {
        var path = new TargetPath(Path.of("/no/such/folder/mount"));
        assertEquals(path, path.resolved());
    }
}
