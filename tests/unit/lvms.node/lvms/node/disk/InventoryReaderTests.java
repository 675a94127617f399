package lvms.node.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;
import lvms.lvm2.label.PvLabel;
import lvms.node.proof.DiskTaking;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** LVM is asked only if something may have changed; devices are read each time. */
class InventoryReaderTests {
    private final List<NodeDevice> devices = new ArrayList<>();
    private final List<String> calls = new ArrayList<>();
    private String stamp = "uuid";
    private boolean broken;
    private Runnable look = () -> {};

    private final Host host =
            new Host() {
                @Override
                public List<NodeDevice> devices() {
                    look.run();
                    return List.copyOf(devices);
                }

                @Override
                public Optional<String> kernelName(Path path) {
                    return path.endsWith("link-to-sdb")
                            ? Optional.of("/dev/sdb")
                            : Optional.empty();
                }

                @Override
                public PvLabel label(NodeDevice device) throws IOException {
                    throw new IOException("no disk");
                }

                @Override
                public String labelStamp(NodeDevice device) throws IOException {
                    if (stamp.isEmpty()) {
                        throw new IOException("no disk");
                    }
                    return stamp;
                }

                @Override
                public boolean hasData(NodeDevice device) {
                    throw new AssertionError("nobody asks");
                }

                @Override
                public long sequence(String kernelName) {
                    throw new AssertionError("nobody asks");
                }

                @Override
                public DiskTaking lastLook(NodeDevice device) {
                    throw new AssertionError("nobody asks");
                }

                @Override
                public void wipe(NodeDevice device) {
                    throw new AssertionError("nobody asked for it");
                }

                @Override
                public String fingerprint() {
                    return "";
                }
            };

    private final Lvm lvm =
            proxy(
                    Lvm.class,
                    view ->
                            view.getName().equals("physicalVolumes")
                                    ? reports(TestLvm.pv("/dev/link-to-sdb", "vg1", 1, 1), view)
                                    : reports(TestLvm.ours("vg1", List.of()), view));

    private Object reports(Object found, Method view) {
        return proxy(
                view.getReturnType(),
                method -> {
                    calls.add(method.getName());
                    if (broken) {
                        throw new LvmException.Unavailable("no LVM", null);
                    }
                    return List.of(found);
                });
    }

    private interface Answer {
        Object of(Method method) throws LvmException;
    }

    private static <T> T proxy(Class<T> type, Answer answer) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (_, method, _) -> answer.of(method)));
    }

    private final InventoryReader reader = new InventoryReader(host, lvm);

    private int callsOfRead() throws Exception {
        calls.clear();
        reader.read();
        return calls.size();
    }

    @Test
    void asksLvmOnceWhileNothingChanges() throws Exception {
        devices.add(TestDevice.disk("sdb").device());
        assertEquals(2, callsOfRead());
        assertEquals(0, callsOfRead());
    }

    @Test
    void asksAgainAfterADeviceChanged() throws Exception {
        devices.add(TestDevice.disk("sdb").device());
        callsOfRead();
        devices.set(0, TestDevice.disk("sdb").with("LVM2_member").device());
        assertEquals(2, callsOfRead());
    }

    /** A group that somebody makes on a label, or changes, is no change of the device. */
    @Test
    void asksAgainAfterAGroupChanged() throws Exception {
        devices.add(TestDevice.disk("sdb").with("LVM2_member").device());
        assertEquals(2, callsOfRead());
        assertEquals(0, callsOfRead());
        stamp = "uuid and a group";
        assertEquals(2, callsOfRead());
        assertEquals(0, callsOfRead());
    }

    @Test
    void aLabelThatCannotBeReadIsNoReasonToAskAgain() throws Exception {
        devices.add(TestDevice.disk("sdb").with("LVM2_member").device());
        stamp = "";
        assertEquals(2, callsOfRead());
        assertEquals(0, callsOfRead());
    }

    @Test
    void asksAgainWhenItIsTold() throws Exception {
        callsOfRead();
        reader.invalidate();
        assertEquals(2, callsOfRead());
    }

    /** Those who tell are threads that other groups wait for. */
    @Test
    @Safety(23)
    void whoTellsDoesNotWaitForADiskThatDoesNotAnswer() throws Exception {
        callsOfRead();
        var asked = new CountDownLatch(1);
        var answers = new CountDownLatch(1);
        look =
                () -> {
                    asked.countDown();
                    awaited(answers);
                };
        var first = CompletableFuture.runAsync(this::read, Thread::startVirtualThread);
        awaited(asked);
        CompletableFuture.runAsync(reader::invalidate, Thread::startVirtualThread)
                .get(20, TimeUnit.SECONDS);
        answers.countDown();
        first.get(20, TimeUnit.SECONDS);
        calls.clear();
        read();
        assertEquals(2, calls.size(), "what was told while it read is not forgotten");
    }

    private void read() {
        try {
            reader.read();
        } catch (IOException | LvmException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void awaited(CountDownLatch latch) {
        try {
            assertTrue(latch.await(60, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void doesNotAskBecauseALogicalVolumeCame() throws Exception {
        devices.add(TestDevice.disk("sdb").device());
        callsOfRead();
        devices.set(0, TestDevice.disk("sdb").over("dm-0").device());
        devices.add(TestDevice.of("dm-0", "lvm").device());
        assertEquals(0, callsOfRead());
    }

    @Test
    void asksAgainAfterAFailure() throws Exception {
        broken = true;
        assertThrows(LvmException.class, reader::read);
        broken = false;
        assertEquals(2, callsOfRead());
    }

    @Test
    void findsTheDeviceUnderEachName() throws Exception {
        var pv = reader.read().pvs().getFirst();
        assertEquals(Optional.of("/dev/sdb"), pv.kernelName());
    }
}
