package lvms.lvm2.command;

import lvms.lvm2.LvName;
import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;
import lvms.lvm2.Now;
import lvms.lvm2.worker.WorkerMain;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The worker that makes the changes of this process. */
public final class WorkerVictim implements CutVictim {
    private static final LvName NOTHING = new LvName(CutChange.VG, "nothing");
    private final Lvm lvm;
    private final Set<Long> readers;

    /** Takes over; so far there were only reports, so the workers are readers. */
    WorkerVictim(Lvm lvm, Set<Long> readers) {
        this.lvm = lvm;
        this.readers = readers;
    }

    public static Set<Long> workers() {
        return ProcessHandle.current()
                .children()
                .filter(child -> runs(child, WorkerMain.class))
                .map(ProcessHandle::pid)
                .collect(Collectors.toSet());
    }

    /** A class path may be too long for what {@link ProcessHandle.Info} tells. */
    public static boolean runs(ProcessHandle process, Class<?> main) {
        try {
            return Files.readString(Path.of("/proc", "" + process.pid(), "cmdline"))
                    .contains(main.getName());
        } catch (IOException e) {
            return false; // it has ended
        }
    }

    @Override
    public void prepare() throws Exception {
        lvm.volumes()
                .deactivate(Now.volume(lvm, NOTHING)); // starts the writer, and changes nothing
    }

    @Override
    public boolean cut(CutChange change, long afterNanos) throws Exception {
        var writers = writers();
        var killer = CutVictim.after(afterNanos, () -> writers.forEach(WorkerVictim::kill));
        try {
            change.make(lvm);
            return false;
        } catch (LvmException.OutcomeUnknown e) {
            return true;
        } finally {
            killer.interrupt();
            killer.join();
        }
    }

    /** Returns when it is gone, so that no later change is given to it. */
    private static void kill(ProcessHandle writer) {
        writer.destroyForcibly();
        writer.onExit().join();
    }

    private List<ProcessHandle> writers() {
        return workers().stream()
                .filter(pid -> !readers.contains(pid))
                .flatMap(pid -> ProcessHandle.of(pid).stream())
                .toList();
    }

    @Override
    public void make(CutChange change) throws Exception {
        change.make(lvm);
    }

    @Override
    public void end() {
        // the library is not ours
    }
}
