package lvms.lvm2.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.tests.lab.machine.Disk;
import lvms.tests.lab.machine.LabJvm;
import lvms.tests.lab.machine.NodeCase;
import lvms.tests.lab.machine.NodeOptions;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Events of disks, pools and RAID, and proofs that need a device-mapper, on one node of the lab
 * without udev: what {@link DeviceGuest} does and asserts there.
 */
class DeviceLabTests extends NodeCase {
    private static final Duration DEADLINE = Duration.ofMinutes(3);
    private static final long MIB = 1L << 20;

    DeviceLabTests() {
        super(NodeOptions.named("devices", List.of(512 * MIB, 512 * MIB, 64 * MIB)));
    }

    /** Waits for a file that the guest makes; returns when it was seen, in nanoseconds. */
    private long await(String file) throws Exception {
        long end = System.nanoTime() + DEADLINE.toNanos();
        while (!Files.exists(node.share().resolve(file))) {
            assertTrue(System.nanoTime() < end, "the guest never wrote " + file);
            TimeUnit.MILLISECONDS.sleep(2);
        }
        return System.nanoTime();
    }

    private static long millis(long from, long to) {
        return TimeUnit.NANOSECONDS.toMillis(to - from);
    }

    /**
     * As an agent on the host's network hears it, and as one in a pod with a network of its own.
     */
    @Test
    void aNewDiskIsHeardOfInLessThanASecond() throws Exception {
        var name = "/dev/ubd" + (char) ('a' + node.disks().getLast().unit() + 1);
        var disk = name.substring("/dev/".length());
        var jvm = LabJvm.heap(128);
        node.start("host.log", jvm.command(DeviceGuest.class, "listen", "host", disk));
        var pod = jvm.by("unshare", "--net");
        node.start("pod.log", pod.command(DeviceGuest.class, "listen", "pod", disk));
        await("host-ready");
        await("pod-ready");
        long plugged = System.nanoTime();
        var added = node.addDisk(64 * MIB);
        assertEquals(name, added.device());
        long host = millis(plugged, await("host-Appeared"));
        long inPod = millis(plugged, await("pod-Appeared"));
        System.out.printf("a new disk was heard of after %d ms, in a pod %d ms%n", host, inPod);
        assertTrue(host < 1000 && inPod < 1000, host + " ms, in a pod " + inPod + " ms");
        long pulled = System.nanoTime();
        node.removeDisk(added);
        long gone = millis(pulled, await("host-Vanished"));
        await("pod-Vanished");
        System.out.printf("its end was heard of after %d ms%n", gone);
    }

    @Test
    @Safety(23)
    void poolsRaidAndHeldDevicesTellOfThemselves() throws Exception {
        var disks = node.disks().stream().map(Disk::device);
        var arguments = Stream.concat(Stream.of("volumes"), disks).toArray(String[]::new);
        LabJvm.heap(128).run(node, DEADLINE, DeviceGuest.class, arguments);
    }
}
