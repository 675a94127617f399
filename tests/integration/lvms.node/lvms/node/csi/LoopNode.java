package lvms.node.csi;

import lvms.csi.IdentityService;
import lvms.csi.UnixSocketServer;
import lvms.lvm2.filesystem.MountTable;
import lvms.lvm2.filesystem.Mounts;
import lvms.node.format.Formats;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The node service behind its socket; loop devices stand for logical volumes. Needs root. */
final class LoopNode {
    private final Path folder;
    private final LoopVolumes volumes;
    private final VolumeCalls calls = new VolumeCalls(Duration.ofSeconds(30));
    private final Formats formats;
    private final KubeletFolders folders;
    private final UnixSocketServer server;
    private final CsiClient csi;
    private final List<String> told = new CopyOnWriteArrayList<>();

    LoopNode(Path temporary) throws Exception {
        folder = temporary.toRealPath();
        volumes = new LoopVolumes(folder);
        formats = agent(Duration.ofMillis(50));
        var kubelet = Files.createDirectory(folder.resolve("kubelet"));
        folders = new KubeletFolders(kubelet, "topolvm.io");
        var node =
                new NodeService(
                        new NodeService.NodeIdentity(
                                "n1", "topology.topolvm.io/node", NodeService.Offer.ALL),
                        volumes,
                        calls,
                        formats,
                        folders,
                        _ -> {},
                        (_, trouble) -> trouble.ifPresent(told::add));
        var identity = new IdentityService("topolvm.io", "1.0", () -> true);
        var socket = folder.resolve("s/csi.sock");
        server = UnixSocketServer.inOwnFolder(socket, List.of(identity, node));
        server.start();
        csi = new CsiClient(socket);
    }

    Path folder() {
        return folder;
    }

    LoopVolumes volumes() {
        return volumes;
    }

    Formats formats() {
        return formats;
    }

    KubeletFolders folders() {
        return folders;
    }

    CsiClient csi() {
        return csi;
    }

    /** What was wrong with volumes, as the agent is told. */
    List<String> told() {
        return told;
    }

    /** What an agent that starts on this machine knows of filesystems. */
    Formats agent(Duration patience) {
        return Formats.notedIn(folder.resolve("formats"), patience);
    }

    Path target(String name) {
        return folder.resolve("kubelet").resolve(name);
    }

    void close() throws Exception {
        csi.close();
        server.close();
        calls.close();
        for (var mount : MountTable.read().mounts().reversed()) {
            if (mount.mountPoint().startsWith(folder)) {
                Mounts.unmount(mount.mountPoint());
            }
        }
        volumes.close();
    }
}
