package lvms.lvm2.filesystem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.tests.runner.LinuxOnly;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** One holder at a time, also if each removes the file when it is done, as LVM does. */
@Timeout(120)
@LinuxOnly
class FileLockTests {
    private static final int HOLDERS = 4;
    private static final int TURNS = 2_000;

    @TempDir Path folder;
    private final AtomicInteger inside = new AtomicInteger();

    @Safety(11)
    @Test
    void aFileThatIsRemovedMeanwhileKeepsNobodyOut() throws Exception {
        var file = folder.resolve("V_vg");
        try (var threads = Executors.newFixedThreadPool(HOLDERS)) {
            var holders = new ArrayList<Callable<Integer>>();
            for (int i = 0; i < HOLDERS; i++) {
                holders.add(() -> take(file));
            }
            for (var holder : threads.invokeAll(holders)) {
                assertEquals(TURNS, holder.get());
            }
        }
    }

    private int take(Path file) throws Exception {
        int turns = 0;
        while (turns < TURNS) {
            try (var lock = FileLock.tryLock(file).orElse(null)) {
                if (lock != null) {
                    assertEquals(1, inside.incrementAndGet(), "two hold the lock");
                    turns++;
                    inside.decrementAndGet();
                    Files.delete(file);
                }
            }
        }
        return turns;
    }

    @Test
    void aFileThatIsNotThereIsNotMade() throws Exception {
        var file = folder.resolve("none");
        assertTrue(FileLock.tryExisting(file).isEmpty());
        assertTrue(Files.notExists(file));
        try (var _ = FileLock.tryLock(file).orElseThrow()) {
            assertEquals(Optional.empty(), FileLock.tryExisting(file));
        }
        try (var _ = FileLock.tryExisting(file).orElseThrow()) {
            assertEquals(Optional.empty(), FileLock.tryLock(file));
        }
    }
}
