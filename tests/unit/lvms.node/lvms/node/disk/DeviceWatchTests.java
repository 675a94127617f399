package lvms.node.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.device.DeviceEvent;
import lvms.node.deviceclass.LvmdConfigFile;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** The watch looks at the devices when the kernel says so, and always where it cannot be heard. */
@Timeout(60)
class DeviceWatchTests {
    @TempDir Path folder;

    private final Disks disks = new Disks();
    private final LinkedBlockingQueue<String> changes = new LinkedBlockingQueue<>();
    private final CountDownLatch subscribed = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile Consumer<DeviceEvent> kernel;

    /** Devices that a test changes. */
    private static final class Disks extends NoDisks {
        private final AtomicInteger looks = new AtomicInteger();
        private volatile String fingerprint = "sda";

        @Override
        public long sequence(String kernelName) {
            throw new AssertionError("nobody asks");
        }

        @Override
        public String fingerprint() {
            looks.incrementAndGet();
            return fingerprint;
        }
    }

    private Runnable hear(Consumer<DeviceEvent> listener) {
        kernel = listener;
        subscribed.countDown();
        return ended::countDown;
    }

    private DeviceWatch watch(DeviceWatch.Source source) {
        var config = new LvmdConfigFile(folder.resolve("lvmd.yaml"));
        return new DeviceWatch(
                disks, config::fingerprint, source, () -> changes.add(disks.fingerprint));
    }

    private String next() throws InterruptedException {
        return changes.poll(10, TimeUnit.SECONDS);
    }

    /** Making volumes has many events; each look reads a file for each volume there is. */
    @Test
    void aBurstOfEventsIsFewLooks() throws Exception {
        try (var watch = watch(this::hear)) {
            watch.start();
            assertEquals("sda", next(), "the first look");
            subscribed.await();
            int before = disks.looks.get();
            long began = System.nanoTime();
            for (int i = 0; i < 200; i++) {
                kernel.accept(new DeviceEvent.Lost());
                Thread.sleep(1);
            }
            long periods = (System.nanoTime() - began) / Duration.ofMillis(200).toNanos();
            int looks = disks.looks.get() - before;
            assertTrue(looks <= periods + 2, () -> looks + " looks");
        }
    }

    @Test
    void aDiskThatTheKernelTellsOfIsSeen() throws Exception {
        try (var watch = watch(this::hear)) {
            watch.start();
            assertEquals("sda", next(), "the first look");
            subscribed.await();
            disks.fingerprint = "sda sdb";
            long told = System.nanoTime();
            kernel.accept(new DeviceEvent.Lost());
            assertEquals("sda sdb", next());
            assertTrue(System.nanoTime() - told < TimeUnit.SECONDS.toNanos(5));
        }
        assertTrue(ended.await(10, TimeUnit.SECONDS), "the subscription ends with the watch");
    }

    @Test
    void linksThatUdevMakesLaterAreSeen() throws Exception {
        try (var watch = watch(this::hear)) {
            watch.start();
            assertEquals("sda", next());
            disks.fingerprint = "sda sdb";
            kernel.accept(new DeviceEvent.Lost());
            assertEquals("sda sdb", next());
            disks.fingerprint = "sda sdb by-id/sdb";
            assertEquals("sda sdb by-id/sdb", next());
        }
    }

    @Test
    void quietDevicesAreLeftAlone() throws Exception {
        try (var watch = watch(this::hear)) {
            watch.start();
            assertEquals("sda", next());
            int looks = 0;
            while (looks != disks.looks.get()) { // until the links are taken to be settled
                looks = disks.looks.get();
                assertNull(changes.poll(2, TimeUnit.SECONDS));
            }
            Files.writeString(folder.resolve("lvmd.yaml"), "device-classes: []\n");
            assertNotNull(next(), "the file is watched even so");
        }
    }

    @Test
    void whereTheKernelCannotBeHeardTheDevicesAreLookedAt() throws Exception {
        DeviceWatch.Source deaf =
                _ -> {
                    throw new IOException("made to fail");
                };
        try (var watch = watch(deaf)) {
            watch.start();
            assertEquals("sda", next());
            disks.fingerprint = "";
            assertEquals("", next());
        }
    }
}
