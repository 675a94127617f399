package lvms.node.capacity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.LvmException;
import lvms.lvm2.VolumeGroupReport;
import lvms.node.disk.TestLvm;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/** The capacity of each group is reported, whatever another group does. */
@Timeout(90)
@Safety(23)
class GroupReportsTests {
    private static final Set<String> BOTH = Set.of("fine", "sick");
    private final CountDownLatch answer = new CountDownLatch(1);
    private final Semaphore late = new Semaphore(0);

    private static Optional<VolumeGroupReport> report(String vg) {
        return Optional.of(TestLvm.ours(vg, List.of()));
    }

    private static List<String> names(GroupReports.Result read) {
        return read.groups().stream().map(r -> r.group().name()).sorted().toList();
    }

    private Optional<VolumeGroupReport> hanging(String vg) throws InterruptedException {
        if (vg.equals("sick")) {
            answer.await();
        }
        return report(vg);
    }

    @Test
    void aGroupThatGivesNoAnswerIsLeftOutUntilItDoes() throws Exception {
        var reports = new GroupReports(this::hanging, late::release, Duration.ofSeconds(1));
        var first = reports.read(BOTH);
        assertEquals(List.of("fine"), names(first));
        assertEquals(Set.of("sick"), first.silent());
        assertEquals(List.of("fine"), names(reports.read(BOTH)));
        answer.countDown();
        assertTrue(late.tryAcquire(60, TimeUnit.SECONDS));
        assertEquals(List.of("fine", "sick"), names(reports.read(BOTH)));
    }

    /** Slow is not the same as suspended, but whoever waits for ever hopes in vain. */
    @Test
    void silenceEndsAfterAWhile() throws Exception {
        var reports = new GroupReports(this::hanging, late::release, Duration.ofMillis(50));
        assertEquals(Set.of("sick"), reports.read(Set.of("sick")).silent());
        while (!reports.read(BOTH).silent().isEmpty()) { // the test's timeout ends it
            Thread.onSpinWait();
        }
        assertEquals(List.of("fine"), names(reports.read(BOTH)));
        answer.countDown();
    }

    @Test
    void aGroupThatCannotBeReadIsReportedAsItWas() throws Exception {
        var fails = new AtomicBoolean();
        var reports =
                new GroupReports(
                        vg -> failing(vg, fails.get()), late::release, Duration.ofMinutes(1));
        assertEquals(Optional.empty(), reports.read(BOTH).failure());
        fails.set(true);
        reports.changed();
        var read = reports.read(BOTH);
        assertEquals(List.of("fine", "sick"), names(read));
        assertInstanceOf(LvmException.LockBusy.class, read.failure().orElseThrow());
    }

    @Test
    void onlyAGroupThatHasChangedIsReadAgain() throws Exception {
        var asked = new CopyOnWriteArrayList<String>();
        var reports = new AtomicReference<GroupReports>();
        reports.set(
                new GroupReports(
                        vg -> {
                            asked.add(vg);
                            if (asked.size() == 4) {
                                reports.get().changed(vg); // somebody is busy there
                            }
                            return report(vg);
                        },
                        late::release,
                        Duration.ofMinutes(1)));
        assertEquals(List.of("fine", "sick"), names(reports.get().read(BOTH)));
        assertEquals(List.of("fine", "sick"), names(reports.get().read(BOTH)));
        assertEquals(2, asked.size());
        reports.get().changed("fine");
        assertEquals(List.of("fine", "sick"), names(reports.get().read(BOTH)));
        assertEquals(List.of("fine"), asked.subList(2, asked.size()));
        reports.get().changed("sick");
        reports.get().read(BOTH);
        reports.get().read(BOTH);
        assertEquals(List.of("sick", "sick"), asked.subList(3, asked.size()));
        reports.get().changed();
        reports.get().read(BOTH);
        assertEquals(7, asked.size());
    }

    private static Optional<VolumeGroupReport> failing(String vg, boolean fails)
            throws LvmException {
        if (fails && vg.equals("sick")) {
            throw new LvmException.LockBusy("held");
        }
        return report(vg);
    }
}
