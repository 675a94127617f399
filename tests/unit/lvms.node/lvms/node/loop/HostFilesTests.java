package lvms.node.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.OptionalLong;

/** A path of the host means the same to a container, links included. */
class HostFilesTests {
    @TempDir Path root;
    private HostFiles host;

    @BeforeEach
    void folders() throws IOException {
        host = new HostFiles(root);
        Files.createDirectories(root.resolve("data/loops"));
        Files.createDirectories(root.resolve("var"));
    }

    private void link(String at, String to) throws IOException {
        Files.createSymbolicLink(root.resolve(at), Path.of(to));
    }

    private Path seen(String path) throws IOException {
        return host.seen(host.real(Path.of(path)));
    }

    @Test
    void seesAPathBelowItsRoot() throws IOException {
        assertEquals(root.resolve("data/loops/a"), seen("/data/loops/a"));
        assertEquals(root.resolve("nowhere/a"), seen("/nowhere/a"));
    }

    /** Followed by the kernel, an absolute link would lead to the container's own files. */
    @Test
    void followsLinksAsTheHostDoes() throws IOException {
        link("var/absolute", "/data/loops");
        link("var/relative", "../data/loops");
        link("var/twice", "/var/absolute");
        link("var/outside", "../../../../data/loops");
        for (var name : new String[] {"absolute", "relative", "twice", "outside"}) {
            assertEquals(root.resolve("data/loops/a"), seen("/var/" + name + "/a"), name);
        }
        assertTrue(host.isFolder(host.real(Path.of("/var/absolute"))));
    }

    @Test
    void givesUpOnLinksThatLeadToThemselves() throws IOException {
        link("var/a", "/var/b");
        link("var/b", "a");
        assertThrows(IOException.class, () -> seen("/var/a/file"));
    }

    @Test
    void makesAFileThatTakesNoSpaceAndIsRootsAlone() throws IOException {
        var file = Path.of("/data/loops/a.img");
        assertEquals(OptionalLong.empty(), host.size(file));
        Files.createFile(root.resolve("data/loops/a.img.part")); // of a pass that was killed
        host.makeSparse(file, 1L << 30);
        assertEquals(OptionalLong.of(1L << 30), host.size(file));
        var here = root.resolve("data/loops/a.img");
        assertEquals(
                "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(here)));
        host.remove(file);
        host.remove(file);
        try (var left = Files.list(root.resolve("data/loops"))) {
            assertFalse(left.findAny().isPresent());
        }
    }

    @Test
    void aFolderIsNoFile() {
        assertThrows(IOException.class, () -> host.size(Path.of("/data/loops")));
    }
}
