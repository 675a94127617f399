package lvms.lvm2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.tests.lab.machine.GuestArchive;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * What runs on a node of the lab: this process uses the library, and must get the right kind of
 * failure in time, whatever happens around it. Arguments: {@code full} or {@code short}, then the
 * faults; none are all of them.
 */
final class FaultGuest {
    static final String VG = "fault-vg";
    static final Deadlines DEADLINES =
            new Deadlines(Duration.ofSeconds(4), Duration.ofSeconds(8), Duration.ofMinutes(1));

    /**
     * What a busy machine may add to a time: mending starts a worker, which takes seconds where two
     * nodes share a processor.
     */
    static final Duration SLACK = Duration.ofSeconds(12);

    private FaultGuest() {}

    interface Fault {
        void happen() throws Exception;
    }

    interface Call {
        Object make() throws Exception;
    }

    public static void main(String[] args) throws Exception {
        if (args[0].equals("library")) {
            new ProcessFaults().aLibraryThatIsNone();
            return;
        }
        var faults = faults(args[0].equals("full"));
        for (var fault : faults.entrySet()) {
            long start = System.nanoTime();
            fault.getValue().happen();
            System.out.printf("%s: %.1f s%n", fault.getKey(), (System.nanoTime() - start) / 1e9);
        }
    }

    private static Map<String, Fault> faults(boolean full) {
        var processes = new ProcessFaults();
        var devices = new DeviceFaults();
        var all = new LinkedHashMap<String, Fault>();
        all.put("a full pool that answers with errors", () -> devices.aFullPool(true));
        all.put("a full pool that queues", () -> devices.aFullPool(false));
        all.put("a device that vanishes and comes back", devices::aVanishedDevice);
        all.put("a device that cannot be read", () -> devices.anUnreadableDevice("error"));
        all.put("a device that is flakey", () -> devices.anUnreadableDevice("flakey"));
        all.put("a lock that somebody else holds", () -> processes.aLockThatIsHeld(full));
        all.put("a library that crashes", processes::aLibraryThatCrashes);
        all.put("a library that hangs", processes::aLibraryThatHangs);
        all.put("a check that takes long", processes::aCheckThatTakesLong);
        all.put("a worker that dies in a check", processes::aWorkerThatDiesInACheck);
        all.put("an answer that is cut short", processes::anAnswerThatIsCutShort);
        return all;
    }

    static LvmOptions options() {
        return GuestArchive.lvmOptions()
                .withSystemDir(Path.of("/tmp/lvm-fault"), false, true)
                .withDeadlines(DEADLINES)
                .withTimes(Duration.ofMinutes(1), Duration.ofSeconds(2));
    }

    /** The call fails with this kind, not before a time, and soon after it. */
    static <T extends LvmException> T refused(Class<T> kind, Duration after, Call call) {
        long start = System.nanoTime();
        var failure = assertThrows(kind, call::make);
        var time = Duration.ofNanos(System.nanoTime() - start);
        assertTrue(
                time.compareTo(after) >= 0 && time.compareTo(after.plus(SLACK)) <= 0,
                "after " + time + ", not " + after + ": " + failure);
        return failure;
    }

    static <T> T soon(Callable<T> call) throws Exception {
        long start = System.nanoTime();
        var result = call.call();
        var time = Duration.ofNanos(System.nanoTime() - start);
        assertTrue(time.compareTo(SLACK) <= 0, "took " + time);
        return result;
    }

    /** The whole group is gone, and the library works as if nothing had been. */
    static void remove(Lvm lvm) throws Exception {
        for (var volume : lvm.volumes().all(VG)) {
            if (!volume.isThinPool()) {
                lvm.volumes().remove(Now.volume(lvm, volume.name()));
            }
        }
        lvm.pools().removeWithVolumes(Now.volume(lvm, new LvName(VG, "pool")));
        lvm.groups().remove(Now.group(lvm, VG));
        assertEquals(List.of(), lvm.groups().all());
    }
}
