package lvms.node.mending;

import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.LiveDeviceClasses;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** The watch goes on, whatever one group does. */
@Timeout(90)
@Safety(24)
class UnfinishedDevicesTests {
    private static final Duration SOON = Duration.ofMillis(1);
    private final LiveDeviceClasses classes = LiveDeviceClasses.of(both());
    private final Semaphore looks = new Semaphore(0);

    private static NodeDeviceClass inGroup(String vg, boolean isDefault) {
        return new NodeDeviceClass(
                vg,
                vg,
                isDefault,
                new NodeDeviceClass.Provisioning.Thick(),
                0,
                Optional.empty(),
                List.of(),
                Optional.empty());
    }

    private static DeviceClasses both() {
        return new DeviceClasses(List.of(inGroup("sick", true), inGroup("sound", false)), Map.of());
    }

    private void again() throws InterruptedException {
        assertTrue(looks.tryAcquire(60, TimeUnit.SECONDS));
    }

    @Test
    void aGroupThatGivesNoAnswerKeepsNoOtherWaiting() throws Exception {
        var never = new CountDownLatch(1);
        try (var watch = new UnfinishedDevices(classes, vg -> look(vg, never), SOON)) {
            watch.start();
            assertTrue(looks.tryAcquire(60, TimeUnit.SECONDS));
            again();
        }
    }

    private void look(String vg, CountDownLatch never) throws InterruptedException {
        if (vg.equals("sick")) {
            never.await();
        }
        looks.release();
    }

    @Test
    void aBugInOneLookEndsNoLaterOne() throws Exception {
        try (var watch = new UnfinishedDevices(classes, vg -> fail(), SOON)) {
            watch.start();
            assertTrue(looks.tryAcquire(60, TimeUnit.SECONDS));
            again();
            again();
            again();
        }
    }

    private void fail() {
        looks.release();
        throw new IllegalStateException("a bug");
    }
}
