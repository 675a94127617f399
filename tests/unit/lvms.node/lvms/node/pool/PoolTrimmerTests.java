package lvms.node.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.ThinPoolConfig;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.tree.Json;
import lvms.lvm2.LvName;
import lvms.lvm2.Lvm;
import lvms.lvm2.VolumeGroupReport;
import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.device.ThinPoolUsage;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A pool is trimmed when its class asks for it: on schedule, and when it is nearly full. */
class PoolTrimmerTests {
    private static final LvName POOL = new LvName("vg1", "pool");
    private static final Duration WEEK = Duration.ofDays(7);
    private static final Duration PERIOD = Duration.ofSeconds(2);

    private volatile Optional<ThinPoolConfig> config = config(", \"trim\": {}");
    private volatile Instant now = Instant.parse("2026-11-23T12:00:00Z");
    private final LinkedBlockingQueue<String> reads = new LinkedBlockingQueue<>();
    private final Semaphore turn = new Semaphore(1, true);
    private final MetricsRegistry metrics = new MetricsRegistry();
    private final PoolTrimmer trimmer = new PoolTrimmer(POOL, "thin", shared());

    private static Optional<ThinPoolConfig> config(String more) {
        return Optional.of(
                ThinPoolConfig.of(
                        Json.parse("{\"name\": \"pool\", \"overprovisionRatio\": 10" + more + "}")
                                .asObject()));
    }

    private PoolTrimmer.Shared shared() {
        return new PoolTrimmer.Shared(
                "node1",
                Path.of("/var/lib/kubelet"),
                new Groups(),
                _ -> config.flatMap(PoolTrim::of),
                DeviceMapper.system(),
                new TrimMetrics(metrics, "node1"),
                () -> now,
                turn);
    }

    /** A machine whose group is gone: each pass asks for it and ends. */
    private final class Groups implements PoolGroups {
        @Override
        public Optional<VolumeGroupReport> fresh(String vg) {
            reads.add(vg);
            return Optional.empty();
        }

        @Override
        public Lvm limitedTo(String vg) {
            throw new AssertionError("trimming changes no group");
        }
    }

    private static ThinPoolUsage used(int percent, String mode) {
        return ThinPoolUsage.parse(
                "1 10/1000 %d/100 - %s discard_passdown queue_if_no_space - 128"
                        .formatted(percent, mode));
    }

    private void looks(ThinPoolUsage usage) {
        now = now.plus(PERIOD);
        trimmer.look(usage);
    }

    private void passes() throws Exception {
        assertEquals("vg1", reads.poll(30, TimeUnit.SECONDS));
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (trimmer.running()) {
            assertTrue(System.nanoTime() < deadline, "the pass ends");
            Thread.sleep(2);
        }
    }

    private void idle() {
        assertFalse(trimmer.running());
        assertNull(reads.poll());
    }

    @Test
    void beginsOnceInEachInterval() throws Exception {
        looks(used(10, "rw"));
        idle();
        for (int week = 0; week < 3; week++) {
            now = now.plus(WEEK);
            looks(used(10, "rw"));
            passes();
            looks(used(10, "rw"));
            idle();
        }
        assertTrue(
                metrics.text()
                        .contains(
                                "lvms_trim_end_timestamp_seconds{node=\"node1\",device_class=\"thin\"}"
                                    + " "),
                metrics.text());
    }

    @Test
    void aClassThatDoesNotAskForItIsNeverTrimmed() {
        config = config("");
        now = now.plus(WEEK);
        looks(used(99, "rw"));
        looks(used(99, "rw"));
        idle();
        config = Optional.empty();
        looks(used(99, "rw"));
        idle();
        assertFalse(metrics.text().contains("lvms_trim_end_timestamp_seconds{"));
    }

    @Test
    void aPoolThatStaysNearlyFullIsTrimmedAtMostOnceAnHour() throws Exception {
        looks(used(80, "rw"));
        idle(); // it may grow first
        looks(used(80, "rw"));
        passes();
        looks(used(100, "out_of_data_space"));
        looks(used(100, "out_of_data_space"));
        idle();
        now = now.plus(Duration.ofHours(1));
        looks(used(100, "out_of_data_space"));
        passes();
    }

    @Test
    void aPoolThatGrowsIsNotTrimmedForIt() {
        looks(used(80, "rw"));
        looks(used(70, "rw"));
        looks(used(80, "rw"));
        idle();
    }

    @Test
    void brokenMetadataIsLeftAlone() {
        now = now.plus(WEEK);
        looks(used(90, "ro"));
        looks(used(90, "rw needs_check"));
        looks(ThinPoolUsage.parse("Fail"));
        idle();
    }

    @Test
    void onePoolOfANodeAtATime() throws Exception {
        turn.acquire();
        now = now.plus(WEEK);
        looks(used(10, "rw"));
        assertTrue(trimmer.running());
        assertNull(reads.poll(50, TimeUnit.MILLISECONDS));
        turn.release();
        passes();
    }

    @Test
    void nothingIsShownOfAClassThatIsGone() throws Exception {
        now = now.plus(WEEK);
        looks(used(10, "rw"));
        passes();
        trimmer.end();
        assertFalse(metrics.text().contains("lvms_trim_end_timestamp_seconds{"));
    }
}
