package lvms.node;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.tests.runner.LinuxOnly;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One node agent at a time. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@LinuxOnly
class NodeLockTests {
    private static final Duration SOON = Duration.ofMillis(5);

    @TempDir Path folder;

    @Test
    void theNextAgentWaitsForTheFirst() throws Exception {
        var file = folder.resolve("vgmanager/vgmanager.lock");
        var second = new CompletableFuture<NodeLock>();
        var waiting = new CompletableFuture<Thread>();
        try (var _ = NodeLock.acquire(file, SOON)) {
            assertTrue(Files.exists(file));
            Thread.ofVirtual()
                    .start(
                            () -> {
                                waiting.complete(Thread.currentThread());
                                try {
                                    second.complete(NodeLock.acquire(file, SOON));
                                } catch (Exception e) {
                                    second.completeExceptionally(e);
                                }
                            });
            var thread = waiting.get(5, TimeUnit.SECONDS);
            while (thread.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            assertFalse(second.isDone());
        }
        second.get(5, TimeUnit.SECONDS).close();
    }
}
