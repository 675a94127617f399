package lvms.node;

import static java.lang.System.Logger.Level.INFO;

import lvms.lvm2.filesystem.FileLock;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The lock that lets one node agent at a time change this node's LVM, so that an old pod is gone
 * before the new one acts. Take it before you start anything that changes volumes. The kernel
 * releases it when the process ends.
 */
public final class NodeLock implements AutoCloseable {
    /** The lock file, unless told otherwise. */
    public static final Path FILE = Path.of("/var/lock/vgmanager/vgmanager.lock");

    private static final System.Logger LOG = System.getLogger(NodeLock.class.getName());
    private static final Duration RETRY = Duration.ofSeconds(3);

    private final FileLock lock;

    private NodeLock(FileLock lock) {
        this.lock = lock;
    }

    /**
     * Waits for the lock, without limit: an agent of another pod may be finishing a step.
     *
     * @param file usually {@link #FILE}; its folder is made
     * @throws IOException if the file cannot be made or locked
     */
    public static NodeLock acquire(Path file) throws IOException, InterruptedException {
        return acquire(file, RETRY);
    }

    static NodeLock acquire(Path file, Duration retry) throws IOException, InterruptedException {
        var lock = FileLock.tryLock(made(file));
        if (lock.isEmpty()) {
            LOG.log(INFO, () -> "another node agent holds the lock, waiting file=" + file);
        }
        while (lock.isEmpty()) {
            Thread.sleep(retry);
            lock = FileLock.tryLock(file);
        }
        return new NodeLock(lock.get());
    }

    private static Path made(Path file) throws IOException {
        try {
            Files.createDirectories(file.getParent());
            return file;
        } catch (AccessDeniedException e) {
            throw new IOException(
                    "folder %s: access denied; this program runs as root"
                            .formatted(file.getParent()),
                    e);
        }
    }

    /** Lets the next agent in. */
    @Override
    public void close() {
        lock.close();
    }
}
