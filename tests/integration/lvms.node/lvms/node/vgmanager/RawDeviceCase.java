package lvms.node.vgmanager;

import lvms.api.ErasureConfig;
import lvms.api.nativestor.RawDevice;
import lvms.deploy.Roles;
import lvms.k8s.client.ListOptions;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.ObjectTree;
import lvms.node.discovery.Discovery;
import lvms.node.disk.DiskUser;
import lvms.node.rawdevice.RawDevices;
import lvms.tests.server.Definitions;

import org.junit.jupiter.api.BeforeEach;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** A node whose agent gives raw devices to volumes, beside volume groups. */
abstract class RawDeviceCase extends VolumeGroupCase {
    static final long GIB = 1L << 30;
    static final String SECRET = "what a tenant wrote";

    /** How much an agent that is started erases in a second, in bytes. */
    long rate = ErasureConfig.DEFAULT_RATE.bytes();

    @BeforeEach
    final void define() throws Exception {
        Definitions.install(kube, Definitions.NATIVESTOR);
    }

    @Override
    final DiskUser others() {
        return new Discovery(
                true,
                List.of(),
                List.of(new RawDevices(agentKube, NODE, true, rate)),
                InstantSource.system());
    }

    @Override
    final Path[] roles() {
        return new Path[] {Roles.AGENT, Roles.RAW_DEVICES};
    }

    final Optional<RawDevice> found(Path device) throws Exception {
        return kube.list(RawDevice.TYPE, ListOptions.all()).items().stream()
                .map(RawDevice::of)
                .filter(object -> object.spec().realPath().equals(device.toString()))
                .findFirst();
    }

    final RawDevice object(Path device) throws Exception {
        return found(device).orElseThrow();
    }

    final void awaitFree(Path device) throws Exception {
        until(() -> found(device).filter(RawDevice::free).isPresent());
    }

    final void want(Path device, String volume) throws Exception {
        kube.mergePatch(
                RawDevice.TYPE,
                MergePatch.of(object(device).object()).annotation(RawDevice.VOLUME, volume));
    }

    void write(KubeObject object, String volumeId) throws Exception {
        kube.mergePatchStatus(
                RawDevice.TYPE,
                MergePatch.of(object).status(ObjectTree.builder().put("name", volumeId).build()));
    }

    /** As a person gives a device back that was retained; the wish goes with the content. */
    void release(Path device) throws Exception {
        write(object(device).object(), "");
    }

    static void put(Path device, long offset) throws Exception {
        try (var channel = FileChannel.open(device, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(SECRET.getBytes(StandardCharsets.UTF_8)), offset);
            channel.force(true);
        }
    }

    static boolean isAt(Path device, long offset) throws Exception {
        try (var channel = FileChannel.open(device, StandardOpenOption.READ)) {
            var found = ByteBuffer.allocate(SECRET.length());
            channel.read(found, offset);
            return new String(found.array(), StandardCharsets.UTF_8).equals(SECRET);
        }
    }

    /** An event of the cluster makes the agent look again. */
    void wake(Path disk) throws Exception {
        kube.mergePatch(
                RawDevice.TYPE,
                MergePatch.of(object(disk).object())
                        .label("look", Long.toString(System.nanoTime())));
    }
}
