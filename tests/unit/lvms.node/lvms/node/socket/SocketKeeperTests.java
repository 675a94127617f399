package lvms.node.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A socket is closed to others, replaces what a dead process left, and comes back when it is lost.
 */
@Timeout(30)
class SocketKeeperTests {
    @TempDir Path folder;

    private SocketKeeper keeper() {
        return SocketKeeper.inOwnFolder(folder.resolve("own/s.sock"), List.of());
    }

    private static boolean answers(Path socket) {
        try (var channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            return channel.connect(UnixDomainSocketAddress.of(socket));
        } catch (IOException _) {
            return false;
        }
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    void socketAndFolderAreClosedToOthers() throws Exception {
        Files.createDirectory(
                folder.resolve("own"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        try (var keeper = keeper()) {
            keeper.start();
            var socket = keeper.socket();
            assertEquals(
                    "rw-------",
                    PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)));
            assertEquals(
                    "rwx------",
                    PosixFilePermissions.toString(
                            Files.getPosixFilePermissions(socket.getParent())));
            assertTrue(answers(socket));
        }
        assertFalse(Files.exists(folder.resolve("own/s.sock")));
    }

    @Test
    void replacesTheSocketOfADeadProcess() throws Exception {
        var socket = Files.createDirectory(folder.resolve("own")).resolve("s.sock");
        try (var dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            dead.bind(UnixDomainSocketAddress.of(socket));
        }
        assertTrue(Files.exists(socket));
        try (var keeper = keeper()) {
            keeper.start();
            assertTrue(answers(socket));
        }
    }

    @Test
    void leavesAFileThatIsNoSocketAlone() throws Exception {
        var file =
                Files.writeString(
                        Files.createDirectory(folder.resolve("own")).resolve("s.sock"), "x");
        try (var keeper = keeper()) {
            assertThrows(IOException.class, keeper::start);
        }
        assertEquals("x", Files.readString(file));
    }

    @Test
    void aLostSocketComesBack() throws Exception {
        try (var keeper = keeper()) {
            keeper.start();
            Files.delete(keeper.socket());
            await(() -> answers(keeper.socket()));
        }
    }

    @Test
    void theSocketOfASuccessorIsLeftAlone() throws Exception {
        try (var keeper = keeper()) {
            keeper.start();
            var successor = keeper();
            successor.start();
            assertTrue(answers(keeper.socket()));
            successor.close();
            await(() -> answers(keeper.socket()));
        }
    }

    @Test
    void aPredecessorThatEndsLeavesTheSocketOfItsSuccessor() throws Exception {
        var predecessor = keeper();
        predecessor.start();
        try (var keeper = keeper()) {
            keeper.start();
            predecessor.close();
            assertTrue(answers(keeper.socket()));
            try (var files = Files.list(keeper.socket().getParent())) {
                assertEquals(List.of(keeper.socket()), files.toList());
            }
        }
    }
}
