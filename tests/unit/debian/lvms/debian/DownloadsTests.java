package lvms.debian;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Packages come by HTTP from a mirror or a snapshot, and count if they have the SHA-256 of the pin.
 */
class DownloadsTests {
    private static final String PATH = "pool/main/t/tool/tool_2-3_arm64.deb";

    @TempDir Path folder;
    private HttpServer server;
    private final Map<String, byte[]> served = new ConcurrentHashMap<>();
    private final List<String> asked = new ArrayList<>();

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            var path = exchange.getRequestURI().getPath();
            asked.add(path);
            var bytes = served.get(path);
            exchange.sendResponseHeaders(
                    bytes == null ? 404 : 200, bytes == null ? -1 : bytes.length);
            if (bytes != null) {
                exchange.getResponseBody().write(bytes);
            }
        }
    }

    private String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private Map<String, Path> fetch(String content, String... header) throws Exception {
        var mirrors = Map.of("debian", URI.create(address() + "/mirror/debian"));
        return fetch(mirrors, content, header);
    }

    private Map<String, Path> fetch(Map<String, URI> mirrors, String content, String... header)
            throws Exception {
        var digest = MessageDigest.getInstance("SHA-256").digest(bytes(content));
        var pin = "tool 1:2-3 " + HexFormat.of().formatHex(digest) + " debian/" + PATH;
        var text = String.join("\n", header) + "\n" + pin + "\n";
        var lock = Lock.read(Files.writeString(folder.resolve("debian-arm64.lock"), text));
        var archive =
                new Archive(mirrors, Optional.of(URI.create(address() + "/archive")), new Http());
        return new Downloads(archive, folder.resolve("cache")).fetch(lock);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private List<String> cached() throws IOException {
        try (var files = Files.list(folder.resolve("cache"))) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    @Test
    void comesFromTheMirrorOnce() throws Exception {
        served.put("/mirror/debian/" + PATH, bytes("package"));
        var file = fetch("package").get("tool");
        assertEquals("package", Files.readString(file));
        fetch("package");
        assertEquals(List.of("/mirror/debian/" + PATH), asked);
        assertEquals(List.of("tool_2-3_arm64.deb"), cached());
    }

    /** As with the packages that a release kept, on a machine that is no Debian. */
    @Test
    void noMirrorIsNeededForWhatIsThere() throws Exception {
        var failure = assertThrows(DebianException.class, () -> fetch(Map.of(), "package"));
        assertEquals(
                "tool 1:2-3 is not at hand, and no mirror is known here: set LVMS_DEBIAN_MIRROR to"
                        + " the address of one, without /debian",
                failure.getMessage());
        Files.writeString(folder.resolve("cache/tool_2-3_arm64.deb"), "package");
        assertEquals("package", Files.readString(fetch(Map.of(), "package").get("tool")));
    }

    @Test
    void aVersionThatMovedOnComesFromTheSnapshotOfTheLock() throws Exception {
        served.put("/archive/debian/20261127T101500Z/" + PATH, bytes("package"));
        var file = fetch("package", "# pinned", "# snapshot 20261127T101500Z").get("tool");
        assertEquals("package", Files.readString(file));
    }

    @Test
    void whatNobodyHasIsToldWithTheWayOut() throws Exception {
        var failure =
                assertThrows(
                        DebianException.class,
                        () -> fetch("package", "# snapshot 20261127T101500Z"));
        assertEquals(
                ("tool 1:2-3 is no longer at %1$s/mirror/debian, and not at %1$s/archive:"
                                + " renew the pins with ./build.sh oci --update, or set"
                                + " LVMS_DEBIAN_SNAPSHOTS to an archive that has it")
                        .formatted(address()),
                failure.getMessage());
        assertEquals(List.of(), cached());
    }

    @Test
    void anotherFileThanThePinnedOneIsRefusedAndNotKept() throws Exception {
        served.put("/mirror/debian/" + PATH, bytes("something else"));
        var failure = assertThrows(DebianException.class, () -> fetch("package"));
        var line = failure.getMessage();
        assertTrue(line.startsWith("tool_2-3_arm64.deb came with SHA-256 "), line);
        assertTrue(line.endsWith(": take another mirror (LVMS_DEBIAN_MIRROR)"), line);
        assertEquals(1, line.lines().count());
        assertEquals(List.of(), cached());
    }

    @Test
    void aCachedFileThatIsNotWholeIsFetchedAgain() throws Exception {
        served.put("/mirror/debian/" + PATH, bytes("package"));
        Files.createDirectories(folder.resolve("cache"));
        Files.writeString(folder.resolve("cache/tool_2-3_arm64.deb"), "pack");
        assertEquals("package", Files.readString(fetch("package").get("tool")));
    }

    @Test
    void aMirrorThatCannotBeReachedIsToldWithItsAddress() throws Exception {
        server.stop(0);
        var failure = assertThrows(DebianException.class, () -> fetch("package"));
        assertTrue(
                failure.getMessage()
                        .startsWith(
                                "tool 1:2-3 could not be fetched from "
                                        + address()
                                        + "/mirror/debian/"
                                        + PATH
                                        + ": "),
                failure.getMessage());
        assertEquals(1, failure.getMessage().lines().count());
    }

    @Test
    void aLineThatIsNoPinIsToldWithItsFile() throws Exception {
        var failure = assertThrows(DebianException.class, () -> fetch("package", "tool 2-3"));
        assertEquals(
                folder.resolve("debian-arm64.lock")
                        + ": \"tool 2-3\" is not: package version sha256 archive/path",
                failure.getMessage());
    }
}
