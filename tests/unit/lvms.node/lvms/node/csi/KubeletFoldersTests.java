package lvms.node.csi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Of what kubelet leaves of a volume, nothing stays, and nothing but that is touched. */
class KubeletFoldersTests {
    private static final String ID = "65b4a6e4-1d2d-4d55-9bd2-5f0d3e0c7a11";

    @TempDir Path kubelet;

    private KubeletFolders folders;

    @BeforeEach
    void open() {
        folders = new KubeletFolders(kubelet, "topolvm.io");
    }

    @Test
    void anEmptyOneIsRemovedWithTheFolderOfItsVolume() throws Exception {
        var mount = make("topolvm.io", KubeletFolders.hash(ID));
        var other = make("topolvm.io", KubeletFolders.hash("other"));
        folders.unpublished(VolumeId.of(ID));
        assertFalse(Files.exists(mount.getParent()));
        assertTrue(Files.exists(other));
        folders.unpublished(VolumeId.of(ID));
    }

    @Test
    void whatEarlierVolumesLeftIsRemoved() throws Exception {
        for (int i = 0; i < 3; i++) {
            make("topolvm.io", KubeletFolders.hash("volume" + i));
        }
        var foreign = make("another.example", KubeletFolders.hash("volume"));
        folders.tidy();
        assertEquals(0, Files.list(plugin("topolvm.io")).count());
        assertTrue(Files.exists(foreign));
    }

    @Test
    void oneThatKubeletWillRemoveItselfStays() throws Exception {
        var mount = make("topolvm.io", KubeletFolders.hash(ID));
        Files.writeString(mount.resolveSibling("vol_data.json"), "{}");
        folders.unpublished(VolumeId.of(ID));
        folders.tidy();
        assertTrue(Files.exists(mount));
    }

    @Test
    void whatKubeletCannotRemoveItselfGoesWithItsVolume() throws Exception {
        var left = data("pod-1", "pvc-1");
        var mounted = data("pod-2", "pvc-1");
        Files.createDirectory(mounted.resolveSibling("mount"));
        var other = data("pod-1", "pvc-2");
        folders.tidy();
        assertTrue(Files.exists(left), "kubelet may be about to mount it");
        folders.removed("pvc-1", ID);
        assertFalse(Files.exists(left.getParent()));
        assertTrue(Files.exists(mounted));
        assertTrue(Files.exists(other));
    }

    private Path data(String pod, String volume) throws IOException {
        var folder = kubelet.resolve("pods").resolve(pod).resolve("volumes/kubernetes.io~csi");
        Files.createDirectories(folder.resolve(volume));
        return Files.writeString(folder.resolve(volume).resolve("vol_data.json"), "{}");
    }

    @Test
    void contentAndOtherNamesStay() throws Exception {
        var full = make("topolvm.io", KubeletFolders.hash(ID));
        Files.writeString(full.resolve("file"), "content");
        var named = make("topolvm.io", "volumes");
        var file = plugin("topolvm.io").resolve(KubeletFolders.hash("file"));
        Files.createDirectories(file);
        Files.writeString(file.resolve("globalmount"), "a file");
        folders.tidy();
        assertTrue(Files.exists(full.resolve("file")));
        assertTrue(Files.exists(named));
        assertTrue(Files.exists(file.resolve("globalmount")));
    }

    @Test
    void aLinkIsNotFollowed() throws Exception {
        var elsewhere = Files.createDirectories(kubelet.resolve("elsewhere/globalmount"));
        Files.createDirectories(plugin("topolvm.io"));
        Files.createSymbolicLink(
                plugin("topolvm.io").resolve(KubeletFolders.hash(ID)), elsewhere.getParent());
        folders.tidy();
        assertTrue(Files.exists(elsewhere));
    }

    @Test
    void aNodeWithoutAnyIsFine() {
        folders.tidy();
        assertEquals(0, kubelet.toFile().list().length);
    }

    private Path plugin(String driver) {
        return kubelet.resolve("plugins/kubernetes.io/csi").resolve(driver);
    }

    private Path make(String driver, String volume) throws IOException {
        return Files.createDirectories(plugin(driver).resolve(volume).resolve("globalmount"));
    }
}
