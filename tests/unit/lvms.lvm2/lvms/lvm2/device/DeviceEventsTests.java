package lvms.lvm2.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.lvm2.system.DeviceNumber;
import lvms.lvm2.system.Program;
import lvms.tests.runner.LinuxOnly;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A subscriber hears of block devices from the kernel and from nobody else. */
@Timeout(60)
@LinuxOnly
class DeviceEventsTests {
    private static final String MESSAGE =
            "add@/devices/virtual/block/loop7\0ACTION=add\0SUBSYSTEM=block\0MAJOR=7\0MINOR=7\0"
                    + "DEVNAME=loop7\0DEVTYPE=disk\0DISKSEQ=12\0";

    @TempDir Path folder;
    private final LinkedBlockingQueue<DeviceEvent> heard = new LinkedBlockingQueue<>();
    private LoopDisk disk;

    @AfterEach
    void detach() throws Exception {
        if (disk != null) {
            disk.close();
        }
    }

    private static Optional<Uevent> parse(String message) {
        return Uevent.parse(message.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aMessageOfTheKernelIsRead() {
        var uevent = parse(MESSAGE).orElseThrow();
        assertEquals("loop7", uevent.kernelName());
        assertEquals(Optional.of(new DeviceNumber(7, 7)), uevent.number());
        assertTrue(uevent.ofBlockDevice());
        assertInstanceOf(DeviceEvent.Appeared.class, DeviceEvents.event(uevent));
        var gone = parse(MESSAGE.replace("add", "remove")).orElseThrow();
        assertInstanceOf(DeviceEvent.Vanished.class, DeviceEvents.event(gone));
        var other = parse(MESSAGE.replace("add", "online")).orElseThrow();
        assertInstanceOf(DeviceEvent.Changed.class, DeviceEvents.event(other));
    }

    @Test
    void whatIsNoMessageOfTheKernelIsPassedOver() {
        assertEquals(Optional.empty(), parse(""));
        assertEquals(Optional.empty(), parse("libudev\0\0ACTION=add"));
        assertEquals(Optional.empty(), parse("@/devices/x"));
    }

    /** The kernel keeps back the events of a loop device that somebody is just setting up. */
    private void requireSyntheticUevents() throws Exception {
        disk = LoopDisk.create(folder);
        assumeTrue(Files.isWritable(sysfs("uevent")), "making a uevent needs root");
    }

    private Path sysfs(String file) {
        return Path.of("/sys/class/block", kernelName(), file);
    }

    private String kernelName() {
        return disk.device().getFileName().toString();
    }

    /** The kernel sends one for whoever writes to this file, marked with the word after it. */
    private void change(String mark) throws Exception {
        Files.writeString(
                sysfs("uevent"), "change 00000000-0000-0000-0000-000000000000 MARK=" + mark);
    }

    private Uevent await(String mark) throws Exception {
        while (true) {
            var event = heard.poll(10, TimeUnit.SECONDS);
            assertNotNull(event, "nothing was heard of " + mark);
            if (event instanceof DeviceEvent.Changed(var uevent)
                    && mark.equals(uevent.properties().get("SYNTH_ARG_MARK"))) {
                return uevent;
            }
        }
    }

    @Test
    void aChangeIsHeard() throws Exception {
        requireSyntheticUevents();
        try (var _ = DeviceEvents.start(heard::add)) {
            change("one");
            var uevent = await("one");
            assertEquals(kernelName(), uevent.kernelName());
            change("two");
            var number = await("two").number().orElseThrow();
            assertEquals(
                    Files.readString(sysfs("dev")).strip(), number.major() + ":" + number.minor());
        }
    }

    @Test
    void aListenerThatFailsHearsTheNextEvent() throws Exception {
        requireSyntheticUevents();
        try (var _ =
                DeviceEvents.start(
                        event -> {
                            heard.add(event);
                            throw new IllegalStateException("made to fail");
                        })) {
            change("first");
            await("first");
            change("second");
            await("second");
        }
    }

    @Test
    void whoIsTooSlowIsToldThatEventsWereLost() throws Exception {
        requireSyntheticUevents();
        var asleep = new CountDownLatch(1);
        try (var _ =
                DeviceEvents.start(
                        event -> {
                            heard.add(event);
                            awaitQuietly(asleep);
                        })) {
            for (int i = 0; i < 5000; i++) {
                change("flood");
            }
            asleep.countDown();
            DeviceEvent event;
            do {
                event = heard.poll(10, TimeUnit.SECONDS);
                assertNotNull(event, "no loss was told");
            } while (!(event instanceof DeviceEvent.Lost));
            change("later");
            await("later");
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sent to the same group by this process, which as root may do so. */
    @Test
    void aMessageThatAProcessForgesIsNotHeard() throws Exception {
        requireSyntheticUevents();
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "there is no python3 here");
        var forge =
                "import socket\n"
                        + "s=socket.socket(socket.AF_NETLINK,socket.SOCK_DGRAM,15)\n"
                        + "s.bind((0,0))\n"
                        + "s.sendto(b'change@/devices/virtual/block/loop0\\0ACTION=change\\0'"
                        + "b'SUBSYSTEM=block\\0SYNTH_ARG_MARK=forged\\0',(0,1))\n";
        try (var _ = DeviceEvents.start(heard::add)) {
            var sent = Program.of(Duration.ofSeconds(20), "python3", "-c", forge).run();
            assertTrue(sent.succeeded(), sent.stderr());
            change("true");
            await("true");
            assertTrue(
                    heard.stream().noneMatch(event -> event.toString().contains("forged")),
                    heard.toString());
        }
    }

    @Test
    void anIdleSubscriberDoesNotWakeUp() throws Exception {
        requireSyntheticUevents();
        try (var _ = DeviceEvents.start(heard::add)) {
            change("ready");
            await("ready");
            assertTrue(sleptThrough(), "the thread wakes up though nothing happens");
        }
        assertTrue(gone("device-events"), "the thread ends with the subscription");
    }

    /** The kernel still lists a thread for a moment after Java's has ended. */
    private static boolean gone(String thread) throws Exception {
        for (long end = System.nanoTime() + 10_000_000_000L; System.nanoTime() < end; ) {
            if (wakeUps(thread) < 0) {
                return true;
            }
            Thread.sleep(10);
        }
        return false;
    }

    /** Other programs' devices and networks may raise events in each of the spells. */
    private static boolean sleptThrough() throws Exception {
        for (int spell = 0; spell < 10; spell++) {
            long before = wakeUps("device-events");
            long eventsBefore = uevents();
            Thread.sleep(1500); // the time that is measured
            if (wakeUps("device-events") - before <= uevents() - eventsBefore) {
                return true;
            }
        }
        return false;
    }

    private static long uevents() throws IOException {
        return Long.parseLong(Files.readString(Path.of("/sys/kernel/uevent_seqnum")).strip());
    }

    private static long wakeUps(String thread) throws Exception {
        try (var tasks = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (var task : tasks) {
                var status = status(task);
                if (status.contains("Name:\t" + thread + "\n")) {
                    return status.lines()
                            .filter(line -> line.startsWith("voluntary_ctxt_switches"))
                            .mapToLong(line -> Long.parseLong(line.split("\\s+")[1]))
                            .sum();
                }
            }
        }
        return -1;
    }

    private static String status(Path task) throws Exception {
        try {
            return Files.readString(task.resolve("status"));
        } catch (IOException e) { // no such file, or no such process while it is read
            if (Files.exists(task)) {
                throw e;
            }
            return "";
        }
    }
}
