package lvms.node.csi;

import lvms.lvm2.filesystem.Mounts;

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
 * kubelet's folder, and what kubelet leaves there of volumes of ours. A failure to remove that is
 * logged: it must not keep a pod or a volume from ending.
 *
 * <p>Before each publication of a filesystem kubelet makes {@code
 * plugins/kubernetes.io/csi/DRIVER/SHA256-OF-HANDLE/globalmount}, also for a driver that does not
 * stage. kubelet 1.31 removes it afterwards; 1.36 writes no {@code vol_data.json} beside it,
 * without which it does not. So an empty one that has nothing beside it is removed here; kubelet
 * makes it again if it wants it, and does without it otherwise.
 *
 * <p>A kubelet that is killed while it takes a raw device from a pod may forget it, and then never
 * asks for the publication to be removed. If a pod is deleted whose filesystem was to be mounted
 * while the agent was away, kubelet leaves {@code vol_data.json} alone in the pod's folder; it then
 * cannot remove that folder, and says so every two seconds.
 */
public final class KubeletFolders {
    private static final Logger LOG = System.getLogger(KubeletFolders.class.getName());
    private static final String CSI = "plugins/kubernetes.io/csi";
    private static final String POD_VOLUMES = "volumes/kubernetes.io~csi";
    private static final String GLOBAL_MOUNT = "globalmount";
    private static final String VOLUME_DATA = "vol_data.json";
    private static final String HASH = "[0-9a-f]{64}";

    private final Path root;
    private final Path staging;
    private final Path devices;

    /**
     * @param root kubelet's folder
     * @param driver whose volumes these are
     */
    public KubeletFolders(Path root, String driver) {
        this.root = root;
        this.staging = root.resolve(CSI).resolve(driver);
        this.devices = root.resolve(CSI).resolve("volumeDevices/publish");
    }

    Path root() {
        return root;
    }

    /** Removes what is left of volumes that were published before this process began. */
    public void tidy() {
        for (var path : list(staging)) {
            if (path.getFileName().toString().matches(HASH)) {
                removeIfEmpty(path); // of one in use, too
            }
        }
    }

    /** Removes what is left of a publication that has ended. */
    void unpublished(VolumeId volume) {
        removeIfEmpty(staging.resolve(hash(volume.text())));
    }

    /**
     * Removes what is left of a volume that is gone from the disk.
     *
     * @param name of the LogicalVolume and the PersistentVolume
     * @param volumeId empty if it was never made
     */
    public void removed(String name, String volumeId) {
        if (!volumeId.isEmpty()) {
            removeIfEmpty(staging.resolve(hash(volumeId)));
        }
        var publications = devices.resolve(name);
        for (var target : list(publications)) {
            removeDevice(target);
        }
        if (list(publications).isEmpty()) {
            delete(publications);
        }
        for (var pod : list(root.resolve("pods"))) {
            removeData(pod.resolve(POD_VOLUMES).resolve(name));
        }
    }

    private static void removeData(Path volume) {
        var data = volume.resolve(VOLUME_DATA);
        boolean nothingElse = list(volume).equals(List.of(data));
        if (nothingElse && Files.isRegularFile(data, LinkOption.NOFOLLOW_LINKS)) {
            delete(data);
            delete(volume);
        }
    }

    private static void removeDevice(Path target) {
        try {
            while (VolumeMounts.numberOf(target).isPresent()) {
                Mounts.unmount(target);
                LOG.log(Level.INFO, () -> "forgotten publication removed path=" + target);
            }
            if (Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS) && Files.size(target) == 0) {
                Files.delete(target);
            }
        } catch (IOException e) {
            LOG.log(Level.WARNING, () -> "forgotten publication stays path=" + target, e);
        }
    }

    private static void removeIfEmpty(Path volume) {
        var mount = volume.resolve(GLOBAL_MOUNT);
        boolean nothingElse = list(volume).equals(List.of(mount));
        if (!nothingElse || !Files.isDirectory(mount, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        delete(mount);
        delete(volume);
    }

    /** Removes a file or an empty folder. */
    private static void delete(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (DirectoryNotEmptyException _) {
            // kubelet uses it again
        } catch (IOException e) {
            LOG.log(Level.WARNING, () -> "not removed path=" + path, e);
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
