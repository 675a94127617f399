package lvms.lvm2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

/** Data moves from one physical volume to another while it is in use, also after interruptions. */
record LabMoves(Lvm lvm, List<Double> told) {
    private static final String VG = OperationsGuest.VG;
    private static final int CONTENT = 8 << 20;
    private static final long SIZE = 96 * OperationsGuest.MIB;
    private static final Duration OFTEN = Duration.ofSeconds(1);

    LabMoves(Lvm all) throws Exception {
        this(OperationsGuest.group(all, 3), new ArrayList<>());
    }

    void run() throws Exception {
        OperationsGuest.thick(lvm, "data", SIZE);
        OperationsGuest.write("data", 1, CONTENT);
        assertEquals(0, allocated(1));
        Slices.slow(1, 5);
        lvm.physicalVolumes().move(move(0, 1), told::add);
        assertMoved(0, 1);
        assertTrue(told.stream().anyMatch(p -> p > 0 && p <= 100), told.toString());
        lvm.physicalVolumes().move(move(0, 1), told::add);
        Slices.comeBack(1);
        failures();
        interrupted();
        killed();
        aborted();
        lvm.volumes().remove(Now.volume(lvm, OperationsGuest.name("data")));
        lvm.groups().remove(Now.group(lvm, VG));
    }

    private PhysicalVolumeMove move(int from, int to) throws Exception {
        return new PhysicalVolumeMove(
                Now.device(lvm, Slices.device(from)), Slices.devices(to, to + 1), OFTEN);
    }

    private long allocated(int slice) throws Exception {
        return lvm.physicalVolumes().find(Slices.device(slice)).orElseThrow().allocatedExtents();
    }

    private void assertMoved(int from, int to) throws Exception {
        assertEquals(0, allocated(from));
        assertEquals(SIZE / (4 * OperationsGuest.MIB), allocated(to));
        OperationsGuest.assertContent("data", 1, CONTENT);
    }

    private void failures() throws Exception {
        assertThrows(
                LvmException.NotFound.class,
                () -> lvm.physicalVolumes().move(move(7, 1), MoveProgress.NONE));
        var full = OperationsGuest.name("full");
        long free = lvm.physicalVolumes().find(Slices.device(0)).orElseThrow().freeBytes();
        lvm.volumes().createThick(new NewThickVolume(full, 2 * free - SIZE, Set.of()));
        assertThrows(
                LvmException.OutOfSpace.class,
                () -> lvm.physicalVolumes().move(move(1, 0), MoveProgress.NONE));
        lvm.volumes().remove(Now.volume(lvm, full));
        assertMoved(0, 1);
    }

    /** The waiting ends, the move goes on, and the same call waits for it. */
    private void interrupted() throws Exception {
        Slices.slow(2, 20);
        var started = new CountDownLatch(1);
        var caller = start(move(1, 2), started);
        started.await();
        caller.interrupt();
        caller.join();
        assertTrue(allocated(1) > 0, "it is not done yet");
        Slices.comeBack(2);
        lvm.physicalVolumes().move(move(1, 2), MoveProgress.NONE);
        assertMoved(1, 2);
    }

    /** The program is killed, as the process with it might be: the same call goes on. */
    private void killed() throws Exception {
        Slices.slow(0, 20);
        var started = new CountDownLatch(1);
        var task = task(move(2, 0), started);
        Thread.ofVirtual().start(task);
        started.await();
        ProcessHandle.current()
                .children()
                .filter(
                        child ->
                                List.of(child.info().arguments().orElse(new String[0]))
                                        .contains("pvmove"))
                .forEach(ProcessHandle::destroyForcibly);
        var failure = assertThrows(Exception.class, task::get);
        assertTrue(failure.getCause() instanceof LvmException.OutcomeUnknown, "" + failure);
        assertFalse(lvm.groups().unfinished(VG));
        Slices.comeBack(0);
        lvm.physicalVolumes().move(move(2, 0), MoveProgress.NONE);
        assertMoved(2, 0);
    }

    private void aborted() throws Exception {
        Slices.slow(1, 20);
        var started = new CountDownLatch(1);
        var task = task(move(0, 1), started);
        Thread.ofVirtual().start(task);
        started.await();
        lvm.physicalVolumes().abortMove(Now.device(lvm, Slices.device(0)));
        lvm.physicalVolumes().abortMove(Now.device(lvm, Slices.device(0)));
        OperationsGuest.await("the end of an aborted move", task::isDone);
        Slices.comeBack(1);
        assertMoved(1, 0);
    }

    private FutureTask<Void> task(PhysicalVolumeMove request, CountDownLatch started) {
        Callable<Void> call =
                () -> {
                    lvm.physicalVolumes().move(request, _ -> started.countDown());
                    return null;
                };
        return new FutureTask<>(call);
    }

    private Thread start(PhysicalVolumeMove request, CountDownLatch started) {
        return Thread.ofPlatform().start(task(request, started));
    }
}
