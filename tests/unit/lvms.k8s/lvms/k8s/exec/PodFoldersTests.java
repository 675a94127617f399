package lvms.k8s.exec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.KubeClient;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.websocket.SocketServer;
import lvms.tests.runner.Needs;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/**
 * A folder arrives as it was, whichever way it goes; a container never writes outside of the folder
 * that was named; and a copy that ended early says how far it came.
 */
@Timeout(120)
class PodFoldersTests {
    private static final ObjectKey POD = ObjectKey.of("default", "web-0");
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String SUCCESS = "{\"status\":\"Success\"}";

    private final List<AutoCloseable> opened = new ArrayList<>();
    @TempDir private Path folder;
    private SocketServer server;

    @AfterEach
    void closeAll() throws Exception {
        for (var closeable : opened.reversed()) {
            closeable.close();
        }
    }

    private PodFiles files(SocketServer.Script script) throws Exception {
        server = SocketServer.start(script);
        opened.add(server);
        var address = URI.create("http://127.0.0.1:" + server.port());
        var kube = KubeClient.open(KubeConfig.ofServer(address), "exec/1");
        opened.add(kube);
        return new PodFiles(kube, LONG);
    }

    /** A pod whose tar prints these bytes, and ends in order. */
    private PodFiles archive(byte[] archive) throws Exception {
        return files(
                with -> {
                    with.accept("v5.channel.k8s.io");
                    for (int at = 0; at < archive.length; at += 10_000) {
                        int end = Math.min(archive.length, at + 10_000);
                        with.say(1, Arrays.copyOfRange(archive, at, end));
                    }
                    with.say(3, SUCCESS);
                    with.awaitEnd();
                });
    }

    private interface Content {
        void writeTo(TarWriter tar) throws IOException;
    }

    private static byte[] tar(Content content) throws IOException {
        var out = new ByteArrayOutputStream();
        var tar = new TarWriter(out, 0);
        content.writeTo(tar);
        tar.end();
        return out.toByteArray();
    }

    private static void file(TarWriter tar, String name, String content) throws IOException {
        var bytes = content.getBytes(StandardCharsets.UTF_8);
        tar.add(TarEntry.file(name, 0644, bytes.length), new ByteArrayInputStream(bytes));
    }

    private Path path(String name, byte[] content, String mode) throws IOException {
        var path = folder.resolve(name);
        Files.createDirectories(path.getParent());
        Files.write(path, content);
        return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    private static byte[] random(int bytes) {
        var content = new byte[bytes];
        new Random(bytes).nextBytes(content);
        return content;
    }

    /** Every name below a folder with what it is. */
    private static TreeMap<String, String> content(Path root) throws IOException {
        var content = new TreeMap<String, String>();
        try (var walk = Files.walk(root)) {
            for (var path : walk.filter(p -> !p.equals(root)).toList()) {
                content.put(root.relativize(path).toString(), what(path));
            }
        }
        return content;
    }

    private static String what(Path path) throws IOException {
        if (Files.isSymbolicLink(path)) {
            return "link to " + Files.readSymbolicLink(path);
        }
        var mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
        return Files.isDirectory(path)
                ? "folder " + mode
                : mode + " " + Base64.getEncoder().encodeToString(Files.readAllBytes(path));
    }

    @Test
    @Needs("tar")
    void aFolderGoesToAPodAndComesBackAsItWas() throws Exception {
        path("from/a file", random(1), "rw-------");
        path("from/empty", new byte[0], "r--rw-rw-");
        path("from/-x $(y);'z'", random(512), "rwxr-xr-x");
        path("from/deep/er/" + "n".repeat(100), random(513), "rw-r--r--");
        path("from/deep/" + "m".repeat(200) + "/" + "k".repeat(250), random(7), "rwxrwxrwx");
        path("from/large", random(3_000_001), "rw-rw----");
        var from = folder.resolve("from");
        Files.createDirectory(from.resolve("nothing in it"));
        var open = Files.createDirectory(from.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.createSymbolicLink(from.resolve("deep/up"), Path.of("../a file"));
        Files.createSymbolicLink(from.resolve("..data"), Path.of("deep/er"));
        Files.createSymbolicLink(from.resolve("nowhere"), Path.of("x".repeat(150)));
        var files = files(new LocalPod());
        var there = folder.resolve("in the pod/data");
        files.writeFolder(POD, "web", from, there.toString());
        assertEquals(content(from), content(there));
        var back = folder.resolve("back/again");
        files.readFolder(POD, "web", there.toString(), back);
        assertEquals(content(from), content(back));
        files.readFolder(POD, "web", there.toString(), back); // over what is there
        assertEquals(content(from), content(back));
    }

    /** As tar writes a file with two names, and one that POSIX.1-2001 has records for. */
    @ParameterizedTest
    @ValueSource(strings = {"gnu", "posix", "ustar", "v7"})
    @Needs("tar")
    void eachFormOfAnArchiveIsRead(String format) throws Exception {
        var name = format.equals("gnu") || format.equals("posix") ? "n".repeat(180) : "name";
        path("from/" + name, random(1000), "rw-r--r--");
        path("from/d/b", random(1000), "rw-r--r--");
        Files.createLink(folder.resolve("from/second"), folder.resolve("from/" + name));
        var from = folder.resolve("from");
        var command = List.of("tar", "--format=" + format, "-cf", "-", "-C", from.toString(), ".");
        var packed = new ProcessBuilder(command).start().getInputStream().readAllBytes();
        archive(packed).readFolder(POD, "web", "/d", folder.resolve("to"));
        assertEquals(content(from), content(folder.resolve("to")));
        assertTrue(
                Files.isSameFile(folder.resolve("to/second"), folder.resolve("to").resolve(name)));
    }

    @Test
    void whatIsReplacedAndWhatStays() throws Exception {
        path("to/kept", random(1), "rw-r--r--");
        path("to/f", random(2), "rw-r--r--");
        path("outside", random(3), "rw-r--r--");
        Files.createSymbolicLink(folder.resolve("to/l"), folder.resolve("outside"));
        var packed =
                tar(
                        tar -> {
                            file(tar, "./f", "new");
                            file(tar, "./l", "not through the link");
                        });
        archive(packed).readFolder(POD, "web", "/d", folder.resolve("to"));
        assertEquals("new", Files.readString(folder.resolve("to/f")));
        assertEquals("not through the link", Files.readString(folder.resolve("to/l")));
        assertEquals(1, Files.size(folder.resolve("to/kept")));
        assertEquals(3, Files.size(folder.resolve("outside")));
    }

    private static final Path OUTSIDE = Path.of("..", "evil");

    /** Each is an archive with one thing that would lead out; the folder beside stays empty. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "a name that goes up        | f ../evil/x             | its name leads out",
                "a name that goes down, up  | f a/../../evil/x        | its name leads out",
                "an absolute name           | f ABS/x                 | its name leads out",
                "a folder that goes up      | d ../evil/x             | its name leads out",
                "an absolute link           | l a ABS                 | out of the folder",
                "a link that goes up        | l a ../evil             | out of the folder",
                "a link that goes down, up  | l a b/../../evil        | out of the folder",
                "a link deep down           | d b/, l b/a ../../evil  | out of the folder",
                "a link by another          | l s ., l t s/../evil    | out of the folder",
                "a file through a link      | d r/, l s r, f s/x      | is no folder here",
                "a folder through a link    | d r/, l s r, d s/x      | is no folder here",
                "a link through a link      | d r/, l s r, l s/x ..   | is no folder here",
                "a second name outside      | h a ../evil/x           | no file of it",
                "a second name of nothing   | h a b                   | no file of it",
                "a second name by a link    | d r/, f r/x, l s r, h a s/x | by a link",
                "a second name of a link    | l s r, h a s            | no file of it",
                "a file where a folder is   | d a/, f a               | is a folder here",
                "a link where a folder is   | d a/, l a b             | is a folder here",
                "a folder where a file is   | f a, d a/               | is no folder here",
            })
    void aContainerWritesNothingElsewhere(String name, String things, String expected)
            throws Exception {
        var evil = Files.createDirectory(folder.resolve("evil"));
        var files = archive(tar(tar -> put(tar, things.replace("ABS", evil.toString()))));
        var to = folder.resolve("to");
        var failure =
                assertThrows(ExecException.class, () -> files.readFolder(POD, "web", "/d", to));
        assertTrue(failure.getMessage().contains(expected), failure.getMessage());
        assertTrue(failure.getMessage().contains("is refused"), failure.getMessage());
        assertEquals(1, failure.getMessage().lines().count());
        assertEquals(List.of(), List.copyOf(content(evil).keySet()));
        assertFalse(Files.exists(to.resolve(OUTSIDE).resolve("x"), LinkOption.NOFOLLOW_LINKS));
    }

    private static void put(TarWriter tar, String things) throws IOException {
        for (var thing : things.split(",")) {
            var words = thing.strip().split(" ");
            switch (words[0]) {
                case "f" -> file(tar, words[1], "content");
                case "d" -> tar.add(TarEntry.folder(words[1], 0755));
                case "l" -> tar.add(TarEntry.link(words[1], words[2]));
                default ->
                        tar.add(new TarEntry(TarEntry.Kind.HARD_LINK, words[1], words[2], 0644, 0));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/etc/passwd", "../../x", "sub/../../x", "sub/.."})
    void aLinkOutOfAFolderIsNotSent(String target) throws Exception {
        path("from/a", random(1), "rw-r--r--");
        Files.createSymbolicLink(folder.resolve("from/b"), Path.of(target));
        var files = files(new LocalPod());
        var failure =
                assertThrows(
                        ExecException.class,
                        () -> files.writeFolder(POD, "web", folder.resolve("from"), "/d"));
        assertTrue(failure.getMessage().contains("from/b is refused"), failure.getMessage());
        assertTrue(server.heads.isEmpty(), "it is refused before anything is sent");
    }

    @Test
    @Needs("tar")
    void whatIsNeitherFileNorFolderNorLinkIsNotCopied() throws Exception {
        var from = Files.createDirectory(folder.resolve("from"));
        var pipe = from.resolve("pipe");
        assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
        var files = files(new LocalPod());
        var failure =
                assertThrows(ExecException.class, () -> files.writeFolder(POD, "web", from, "/d"));
        assertTrue(failure.getMessage().contains("pipe is a device"), failure.getMessage());
        failure =
                assertThrows(
                        ExecException.class,
                        () -> files.readFolder(POD, "web", from.toString(), folder.resolve("to")));
        assertTrue(failure.getMessage().contains("pipe is a device"), failure.getMessage());
    }

    @Test
    @Needs("tar")
    void aFolderThatIsNotThereIsNamed() throws Exception {
        var files = files(new LocalPod());
        var missing = folder.resolve("missing");
        var failure =
                assertThrows(
                        ExecException.class, () -> files.writeFolder(POD, "web", missing, "/d"));
        assertTrue(failure.getMessage().contains("missing is no folder"), failure.getMessage());
        failure =
                assertThrows(
                        ExecException.class,
                        () -> files.readFolder(POD, "web", missing.toString(), folder));
        assertTrue(failure.getMessage().contains("exit code 2: tar:"), failure.getMessage());
        var file = path("file", random(1), "rw-r--r--");
        failure =
                assertThrows(
                        ExecException.class,
                        () -> files.writeFolder(POD, "web", folder, file.toString()));
        assertTrue(failure.getMessage().contains("mkdir:"), failure.getMessage());
    }

    /** The first two are there, and nothing has the name of what broke off. */
    @Test
    void aCopyThatBreaksOffSaysHowFarItCame() throws Exception {
        var packed =
                tar(
                        tar -> {
                            tar.add(TarEntry.folder("./d/", 0755));
                            file(tar, "./d/whole", "whole");
                            file(tar, "./big", "x".repeat(100_000));
                        });
        var files =
                files(
                        with -> {
                            with.accept("v5.channel.k8s.io");
                            with.say(1, Arrays.copyOf(packed, 512 + 1024 + 512 + 40_000));
                        });
        path("to/big", random(5), "rw-r--r--");
        var to = folder.resolve("to");
        var failure =
                assertThrows(ExecException.class, () -> files.readFolder(POD, "web", "/data", to));
        assertTrue(
                failure.getMessage().startsWith("copy of /data in pod default/web-0 to " + to),
                failure.getMessage());
        assertTrue(
                failure.getMessage()
                        .endsWith(
                                "; copied: 2, the last is d/whole; not whole: big, 40000 of"
                                        + " 100000 bytes"),
                failure.getMessage());
        assertEquals(List.of("big", "d", "d/whole"), List.copyOf(content(to).keySet()));
        assertEquals(5, Files.size(to.resolve("big")), "the former one is still there");
    }

    /** The connection is fine, and so is the exit code: only the archive has no end. */
    @Test
    void anArchiveWithoutItsEndIsNoCopy() throws Exception {
        var whole = tar(tar -> file(tar, "a", "content"));
        var files = archive(Arrays.copyOf(whole, 1024));
        var failure =
                assertThrows(
                        ExecException.class,
                        () -> files.readFolder(POD, "web", "/d", folder.resolve("to")));
        assertTrue(failure.getMessage().contains("breaks off"), failure.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "\u0000\u0001", "ustar", "99999999999"})
    void whatIsNoArchiveIsRefused(String text) throws Exception {
        var files = archive(text.repeat(2000).getBytes(StandardCharsets.UTF_8));
        var failure =
                assertThrows(
                        ExecException.class,
                        () -> files.readFolder(POD, "web", "/d", folder.resolve("to")));
        assertTrue(failure.getMessage().contains("is no tar archive"), failure.getMessage());
    }

    @Test
    void aSizeBeyondEightGibibytesIsWrittenAndRead() throws Exception {
        var out = new ByteArrayOutputStream();
        var entry = TarEntry.file("huge", 0644, 9L << 30);
        var nothing = new ByteArrayInputStream(new byte[0]);
        assertThrows(IOException.class, () -> new TarWriter(out, 0).add(entry, nothing));
        var read = new TarReader(new ByteArrayInputStream(out.toByteArray())).next();
        assertEquals(entry, read.orElseThrow());
    }

    @ParameterizedTest(name = "{0} below {1} folders: {2}")
    @CsvSource({
        "a, 0, false",
        "a/b, 0, false",
        "./a, 0, false",
        "../a, 1, false",
        "../../a, 2, false",
        ".., 1, false",
        "..a/b, 0, false",
        "../a, 0, true",
        "../../a, 1, true",
        "a/.., 0, true",
        "a/../b, 5, true",
        "/a, 5, true",
        "'', 5, true",
    })
    void aLinkStaysOrLeadsOut(String target, int depth, boolean out) {
        assertEquals(out, ArchiveNames.leadsOut(depth, target));
    }
}
