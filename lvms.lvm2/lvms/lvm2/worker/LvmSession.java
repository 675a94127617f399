package lvms.lvm2.worker;

import lvms.lvm2.ffi.Capture;
import lvms.lvm2.ffi.Lvm2Cmd;
import lvms.lvm2.ffi.Namespaces;
import lvms.lvm2.ffi.ThreadState;

import java.io.IOException;

/** LVM's library on the one thread that may use it. */
final class LvmSession {
    private final long hostPid;
    private final Capture stdout;
    private final Capture stderr;
    private Lvm2Cmd lvm;
    private ThreadState state;

    LvmSession(long hostPid, Capture stdout, Capture stderr) {
        this.hostPid = hostPid;
        this.stdout = stdout;
        this.stderr = stderr;
    }

    /** Enters the namespaces, loads the library and tries it. */
    Frames.Answer start() throws IOException {
        state = ThreadState.save();
        Capture.flush(); // every handle is linked before the thread sees other files
        stdout.take();
        stderr.take();
        try {
            if (hostPid > 0) {
                Namespaces.enter(hostPid);
            }
            lvm = Lvm2Cmd.load();
        } catch (IOException | IllegalArgumentException e) {
            return Frames.Answer.unusable(e.getMessage());
        }
        return run("version");
    }

    /** Runs one command line. */
    Frames.Answer run(String commandLine) throws IOException {
        long start = System.nanoTime();
        int status = lvm.run(commandLine);
        long nanos = System.nanoTime() - start;
        state.restore();
        Capture.flush();
        return new Frames.Answer(status, nanos, stdout.take(), stderr.take());
    }
}
