package lvms.debian;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.tests.runner.Needs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;

/** A layer has what its list keeps of a package, its copyright, and a note for scanners. */
@Needs({"tar", "xz"})
class LayerTests {
    private static final String CONTROL = "Package: tool\nVersion: 1:2-3\n";

    @TempDir Path folder;

    private Deb tool() throws Exception {
        return new Deb(folder.resolve("tool"))
                .with("usr/bin/tool", "program")
                .with("usr/bin/other", "not wanted")
                .with("usr/lib/x86_64-linux-gnu/libtool.so.1", "library")
                .with("usr/share/doc/tool/copyright", "free")
                .with("usr/share/doc/tool/changelog", "long");
    }

    private Path root() throws Exception {
        return Files.createDirectories(folder.resolve("root"));
    }

    private void unpack(Path file, String kept) throws Exception {
        var list = Files.writeString(folder.resolve("contents"), "# kept\n\n" + kept + "\n");
        new Layer(root()).unpack(Contents.read(list), Map.of("tool", file));
    }

    @ParameterizedTest(name = "packed by {0}")
    @CsvSource({"--xz, .xz", "--gzip, .gz", "'', ''"})
    void keepsWhatIsListedAndTheCopyright(String compression, String ending) throws Exception {
        unpack(
                tool().pack(CONTROL, compression, ending),
                "tool ./usr/bin/tool ./usr/lib/*/libtool.so.*");
        assertEquals("program", Files.readString(root().resolve("usr/bin/tool")));
        assertTrue(Files.exists(root().resolve("usr/lib/x86_64-linux-gnu/libtool.so.1")));
        assertFalse(Files.exists(root().resolve("usr/bin/other")));
        assertEquals("free", Files.readString(root().resolve("usr/share/doc/tool/copyright")));
        assertFalse(Files.exists(root().resolve("usr/share/doc/tool/changelog")));
        assertEquals(CONTROL, Files.readString(root().resolve("var/lib/dpkg/status.d/tool")));
    }

    @Test
    void keepsTheCopyrightAloneOfAPackageWithoutPatterns() throws Exception {
        unpack(tool().pack(CONTROL, "--xz", ".xz"), "tool");
        assertTrue(Files.exists(root().resolve("usr/share/doc/tool/copyright")));
        assertFalse(Files.exists(root().resolve("usr/bin")));
    }

    @Test
    void keepsTheLinkOfAPackageWhoseCopyrightIsThatOfAnother() throws Exception {
        var linked =
                new Deb(folder.resolve("linked"))
                        .with("usr/bin/tool", "program")
                        .withLink("usr/share/doc/tool", "libtool");
        unpack(linked.pack(CONTROL, "--xz", ".xz"), "tool ./usr/bin/tool");
        var doc = root().resolve("usr/share/doc/tool");
        assertEquals(Path.of("libtool"), Files.readSymbolicLink(doc));
    }

    /** Debian 13's packages name {@code /usr}, those before {@code /lib}: both end in one place. */
    @Test
    void followsTheLinksOfAMergedUsr() throws Exception {
        Files.createDirectories(root().resolve("usr/lib"));
        Files.createSymbolicLink(root().resolve("lib"), Path.of("usr/lib"));
        var old = new Deb(folder.resolve("old")).with("lib/libold.so", "library");
        unpack(old.pack(CONTROL, "--xz", ".xz"), "tool ./lib/libold.so");
        assertTrue(Files.isSymbolicLink(root().resolve("lib")));
        assertTrue(
                Files.isRegularFile(
                        root().resolve("usr/lib/libold.so"), LinkOption.NOFOLLOW_LINKS));
    }

    @Test
    void aPatternThatMatchesNothingIsToldWithThePackage() throws Exception {
        var file = tool().pack(CONTROL, "--xz", ".xz");
        var failure =
                assertThrows(DebianException.class, () -> unpack(file, "tool ./usr/sbin/tool"));
        assertTrue(
                failure.getMessage().startsWith("package.deb: tar: ./usr/sbin/tool: Not found"),
                failure.getMessage());
        assertEquals(1, failure.getMessage().lines().count());
    }

    @Test
    void aPackageThatIsNotPinnedIsTold() throws Exception {
        var file = tool().pack(CONTROL, "--xz", ".xz");
        var failure =
                assertThrows(DebianException.class, () -> unpack(file, "lvm2 ./usr/sbin/lvm"));
        assertEquals(
                "no package lvm2 is pinned, which "
                        + folder.resolve("contents")
                        + " names: ./build.sh oci --update",
                failure.getMessage());
    }

    @Test
    void whatIsNoPackageIsTold() throws Exception {
        var page = Files.writeString(folder.resolve("page.deb"), "<html>Please log in</html>\n");
        var failure = assertThrows(DebianException.class, () -> unpack(page, "tool ./usr/bin/*"));
        assertEquals(page + " is no package of Debian", failure.getMessage());
    }

    @Test
    void aPackageThatBreaksOffIsTold() throws Exception {
        var whole = Files.readAllBytes(tool().pack(CONTROL, "--xz", ".xz"));
        var cut = Files.write(folder.resolve("cut.deb"), Arrays.copyOf(whole, whole.length - 50));
        var failure = assertThrows(DebianException.class, () -> unpack(cut, "tool ./usr/bin/*"));
        assertEquals(cut + " breaks off", failure.getMessage());
    }
}
