package lvms.node.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.Tree;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;

/** A command beside the agent gets the history, or one line that says why not. */
@Timeout(60)
class HistorySocketTests {
    @TempDir Path folder;

    @Test
    void aListGoesThroughWholeHoweverLongItIs() throws Exception {
        var history = ListTree.of(Collections.nCopies(100_000, Tree.of("12345")));
        var path = folder.resolve("a/history.sock");
        try (var _ = HistorySocket.serve(path, () -> history)) {
            assertEquals(history, HistorySocket.read(path));
            assertEquals(history, HistorySocket.read(path));
            assertEquals(
                    "rw-------",
                    PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
        }
        assertFalse(Files.exists(path));
    }

    @Test
    void withoutAnAgentThereIsNoHistory() throws Exception {
        assertEquals(ListTree.EMPTY, HistorySocket.read(folder.resolve("nothing")));
    }

    @Test
    void whatADeadAgentLeftIsReplacedAndSaysSoBefore() throws Exception {
        var path = folder.resolve("history.sock");
        Files.createFile(path);
        var failure = assertThrows(IOException.class, () -> HistorySocket.read(path));
        assertTrue(failure.getMessage().startsWith(path + ": "), failure.getMessage());
        try (var _ = HistorySocket.serve(path, () -> ListTree.EMPTY)) {
            assertEquals(ListTree.EMPTY, HistorySocket.read(path));
        }
    }
}
