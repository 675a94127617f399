package lvms.node.csi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;

/**
 * The root directory of a mounted filesystem. A new one is opened to all users, as TopoLVM leaves
 * it, for pods without fsGroup; later its mode belongs to the application.
 *
 * @param made when it was made
 * @param modified when an entry was last made or removed in it
 * @param changed when its mode or owner was last changed
 */
record FilesystemRoot(FileTime made, FileTime modified, FileTime changed) {
    private static final int SHARED_MODE = 02777;

    /**
     * Opens the root of a filesystem that nobody has touched since mkfs. That is told by its times
     * and not by who called mkfs, since an earlier call may have been cut right after it.
     */
    static void openNew(Path mounted) throws IOException {
        if (read(mounted).untouched()) {
            Files.setAttribute(mounted, "unix:mode", SHARED_MODE, LinkOption.NOFOLLOW_LINKS);
        }
    }

    private static FilesystemRoot read(Path mounted) throws IOException {
        var times =
                Files.readAttributes(mounted, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        var changed = Files.getAttribute(mounted, "unix:ctime", LinkOption.NOFOLLOW_LINKS);
        return new FilesystemRoot(
                times.creationTime(), times.lastModifiedTime(), (FileTime) changed);
    }

    boolean untouched() {
        return made.equals(modified) && made.equals(changed);
    }
}
