package lvms.node.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.deploy.Patience;
import lvms.lvm2.LvmException;
import lvms.proto.lvmd.CreateLVRequest;
import lvms.proto.lvmd.RemoveLVRequest;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** A caller of lvmd knows whether lvmd refused, did nothing, or may have done it. */
@Timeout(60)
class LvmdConnectionTests {
    private static final Duration PATIENT = Duration.ofSeconds(30);
    private static final CreateLVRequest REQUEST =
            CreateLVRequest.newBuilder()
                    .setName("v")
                    .setDeviceClass("ssd")
                    .setSizeBytes(1 << 20)
                    .build();

    @TempDir Path folder;
    private FakeLvmd fake;

    @BeforeEach
    void prepare() {
        fake = new FakeLvmd(folder.resolve("lvmd.sock")).with("ssd", false);
    }

    @AfterEach
    void end() {
        fake.close();
    }

    private LvmdConnection connection(Duration change) {
        return new LvmdConnection(folder.resolve("lvmd.sock"), PATIENT, change);
    }

    @Test
    void whatLvmdSaysIsARefusalWithItsCode() throws Exception {
        fake.start();
        try (var lvmd = connection(PATIENT)) {
            var refused = assertThrows(VolumeException.class, () -> lvmd.list("none"));
            assertEquals(StatusCode.NOT_FOUND, refused.code());
            assertEquals("lvmd: device-class not found", refused.getMessage());
        }
    }

    @Test
    void anLvmdThatIsAwayIsSaidWithItsSocketAndCountsAsNothingDone() throws Exception {
        try (var lvmd = connection(PATIENT)) {
            var away = assertThrows(LvmException.Unavailable.class, () -> lvmd.list("ssd"));
            assertTrue(away.getMessage().contains(folder + "/lvmd.sock"), away.getMessage());
            assertTrue(lvmd.trouble().isPresent());
            fake.start();
            Patience.until("it connects again", () -> lvmd.trouble().isEmpty());
            assertEquals(List.of(), lvmd.list("ssd"));
        }
    }

    @Test
    void aChangeThatHangsEndsAtItsDeadlineAndMayHaveBeenMade() throws Exception {
        fake.start();
        var held = fake.holdAnswers();
        try (var lvmd = connection(Duration.ofMillis(300))) {
            assertThrows(LvmException.OutcomeUnknown.class, () -> lvmd.create(REQUEST));
            assertTrue(fake.volume("v").isPresent());
            assertEquals(1, lvmd.list("ssd").size(), "reading does not wait for it");
        } finally {
            held.countDown();
        }
    }

    /** TopoLVM's lvmd checks the space and takes it in two steps. */
    @Test
    void changesWaitForEachOther() throws Exception {
        fake.start();
        var held = fake.holdAnswers();
        try (var lvmd = connection(PATIENT);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var first = threads.submit(() -> lvmd.create(REQUEST));
            while (fake.volume("v").isEmpty()) {
                Thread.onSpinWait();
            }
            var second =
                    threads.submit(
                            () -> {
                                lvmd.remove(
                                        RemoveLVRequest.newBuilder()
                                                .setName("v")
                                                .setDeviceClass("ssd")
                                                .build());
                                return true;
                            });
            assertEquals(4 << 20, lvmd.list("ssd").getFirst().getSizeBytes());
            held.countDown();
            assertEquals("v", first.get().getName());
            assertTrue(second.get());
            assertEquals(2, fake.changes());
        }
    }

    /** Whoever reads the log must not be led astray by a library. */
    @Test
    void aConnectionIsMadeWithoutAWarningOfALibrary() throws Exception {
        var netty = Logger.getLogger("io.grpc.netty.shaded.io.netty");
        var warnings = new CopyOnWriteArrayList<String>();
        var handler =
                new Handler() {
                    @Override
                    public void publish(LogRecord logged) {
                        if (logged.getLevel().intValue() >= Level.WARNING.intValue()) {
                            warnings.add(logged.getMessage());
                        }
                    }

                    @Override
                    public void flush() {}

                    @Override
                    public void close() {}
                };
        netty.addHandler(handler);
        fake.start();
        try (var lvmd = connection(PATIENT)) {
            assertEquals(List.of(), lvmd.list("ssd"));
        } finally {
            netty.removeHandler(handler);
        }
        assertEquals(List.of(), warnings);
    }
}
