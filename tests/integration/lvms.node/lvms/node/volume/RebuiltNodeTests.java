package lvms.node.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;

import lvms.csi.UnixSocketServer;
import lvms.lvm2.LvName;
import lvms.lvm2.NewThickVolume;
import lvms.lvm2.device.DeviceMapper;
import lvms.node.csi.CsiClient;
import lvms.node.csi.KnownVolumes;
import lvms.node.csi.KubeletFolders;
import lvms.node.csi.LvmVolumeDevices;
import lvms.node.csi.NodeService;
import lvms.node.csi.VolumeCalls;
import lvms.tests.lab.machine.LoopDisks;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * A node comes back under its name with other disks, and its volume group under its name: kubelet
 * is told that the old volume is not there, whatever the new group has. The group is made anew with
 * real LVM, the Node with a real UID.
 */
@Timeout(120)
@Safety(14)
@Lasts(seconds = 30)
class RebuiltNodeTests extends VolumeControllerCase {
    private static final String NAME = "pvc-1";

    private VolumeCalls calls;
    private Path target;
    private UnixSocketServer socket;
    private CsiClient kubelet;
    private String volumeId;
    private String formerGroup;
    private String formerNode;

    @BeforeEach
    void makeVolumeAndRebuild() throws Exception {
        formerNode = createNode();
        formerGroup = groupUuid();
        create(NAME, "8Mi");
        volumeId = made(NAME).status().volumeId();
        controller.close();
        deleteNode();
        removeGroup();
        createGroup(disks.all().getFirst());
        createNode();
    }

    @AfterEach
    void closeSocket() {
        if (kubelet != null) {
            kubelet.close();
            socket.close();
            calls.close();
        }
    }

    private void startAgent() throws Exception {
        controller = controller();
        var root = folder.toRealPath();
        target = root.resolve("kubelet/target");
        calls = new VolumeCalls(Duration.ofSeconds(30));
        var node =
                new NodeService(
                        new NodeService.NodeIdentity(
                                Volumes.NODE, "topology.topolvm.io/node", NodeService.Offer.ALL),
                        new LvmVolumeDevices(
                                KnownVolumes.of(controller::volumes),
                                classes::current,
                                groups,
                                DeviceMapper.system()),
                        calls,
                        groups.formats(),
                        new KubeletFolders(
                                Files.createDirectories(target.getParent()), "topolvm.io"),
                        _ -> {},
                        (_, _) -> {});
        socket = UnixSocketServer.inOwnFolder(root.resolve("s/csi.sock"), List.of(node));
        socket.start();
        kubelet = new CsiClient(root.resolve("s/csi.sock"));
        await(
                "the objects are known",
                () -> controller.volumes().filter(NodeVolumes::synced).isPresent());
    }

    /** It names both groups and the Node that is gone, and says what to do. */
    private void requireRefused() throws Exception {
        var refusal =
                assertThrows(
                        StatusRuntimeException.class,
                        () -> kubelet.publish(volumeId, target, formerGroup));
        var message = refusal.getStatus().getDescription();
        assertEquals(Code.FAILED_PRECONDITION, refusal.getStatus().getCode(), message);
        assertNamesBoth(message);
        assertTrue(Files.notExists(target));
    }

    private void assertNamesBoth(String message) throws Exception {
        for (var words : List.of(NAME, formerGroup, formerNode, groupUuid(), Volumes.NODE)) {
            assertTrue(message.contains(words), message);
        }
        assertEquals(1, message.lines().count());
    }

    private void requireRefusedAndUntouched() throws Exception {
        var disk = disks.all().getFirst();
        var before = LoopDisks.checksum(disk);
        startAgent();
        requireRefused();
        await("the status says so", () -> get(NAME).status().message().contains(groupUuid()));
        assertNamesBoth(get(NAME).status().message());
        requireRefused();
        assertEquals(before, LoopDisks.checksum(disk));
    }

    @Test
    void anOldVolumeIsNotPublishedFromANewGroupOfThatName() throws Exception {
        requireRefusedAndUntouched();
        assertEquals(Set.of(), inLvm());
    }

    @Test
    void aVolumeOfItsNameInTheNewGroupIsNotTakenForIt() throws Exception {
        lvm.volumes().createThick(new NewThickVolume(new LvName(VG, volumeId), 8 * MIB, Set.of()));
        requireRefusedAndUntouched();
        assertEquals(Set.of(volumeId), inLvm());
    }
}
