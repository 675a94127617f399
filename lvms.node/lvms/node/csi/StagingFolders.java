package lvms.node.csi;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * The folders {@code plugins/kubernetes.io/csi/DRIVER/SHA256-OF-HANDLE/globalmount} that kubelet
 * makes before each publication of a filesystem, also for a driver that does not stage. kubelet
 * 1.31 removes them afterwards; 1.36 writes no {@code vol_data.json} beside them, without which it
 * does not remove them. So an empty one that has nothing beside it is removed here; kubelet makes
 * it again if it wants it, and does without it otherwise. Nothing else is touched: nothing is
 * mounted there by a driver that does not stage, and rmdir(2) refuses a mount point and content.
 */
final class StagingFolders {
    private static final Logger LOG = System.getLogger(StagingFolders.class.getName());
    private static final String GLOBAL_MOUNT = "globalmount";
    private static final String HASH = "[0-9a-f]{64}";

    private final Path folder;

    /**
     * @param kubelet kubelet's folder
     * @param driver whose folders these are
     */
    StagingFolders(Path kubelet, String driver) {
        this.folder = kubelet.resolve("plugins/kubernetes.io/csi").resolve(driver);
    }

    /** Removes that of a volume. A failure is logged: the pod can end all the same. */
    void remove(VolumeId volume) {
        removeIfEmpty(folder.resolve(hash(volume.text())));
    }

    /** Removes those that are left of all volumes; of one in use, too, since it is empty. */
    void removeAll() {
        for (var path : list(folder)) {
            if (path.getFileName().toString().matches(HASH)) {
                removeIfEmpty(path);
            }
        }
    }

    private static void removeIfEmpty(Path volume) {
        var mount = volume.resolve(GLOBAL_MOUNT);
        boolean nothingElse = list(volume).equals(List.of(mount));
        if (!nothingElse || !Files.isDirectory(mount, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try {
            Files.delete(mount);
            Files.delete(volume);
        } catch (DirectoryNotEmptyException | NoSuchFileException _) {
            // kubelet uses it, or has removed it itself
        } catch (IOException e) {
            LOG.log(Level.WARNING, () -> "staging folder not removed path=" + volume, e);
        }
    }

    private static List<Path> list(Path folder) {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return List.of();
        }
        try (var paths = Files.list(folder)) {
            return paths.toList();
        } catch (NoSuchFileException _) {
            return List.of();
        } catch (IOException e) {
            LOG.log(Level.WARNING, () -> "folder not read path=" + folder, e);
            return List.of();
        }
    }

    /** The name that kubelet gives the folder of a volume. */
    static String hash(String handle) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(handle.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e); // every Java has it
        }
    }
}
