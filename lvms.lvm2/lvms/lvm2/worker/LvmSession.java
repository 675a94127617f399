package lvms.lvm2.worker;

import lvms.lvm2.ffi.Capture;
import lvms.lvm2.ffi.Lvm2Cmd;
import lvms.lvm2.ffi.Namespaces;
import lvms.lvm2.ffi.ThreadState;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * LVM's library on the one thread that may use it. The handle of a command is made before the
 * command comes, and closed after the answer has gone out, so that nobody waits for either.
 */
final class LvmSession implements AutoCloseable {
    /** What a handle knows about configuration and kinds of devices is as old as the handle. */
    private static final long MAX_AGE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final long hostPid;
    private final Capture stdout;
    private final Capture stderr;
    private Lvm2Cmd lvm;
    private Lvm2Cmd.Handle handle;
    private long openedNanos;
    private long aheadNanos;
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
        open();
        return run("version");
    }

    /** Runs one command line. {@link #prepare} must follow before the next. */
    Frames.Answer run(String commandLine) throws IOException {
        long start = System.nanoTime();
        if (start - openedNanos > MAX_AGE_NANOS) {
            handle.close();
            Capture.flush();
            stderr.take(); // the next handle reports the same
            open();
            aheadNanos = 0;
        }
        int status = handle.run(commandLine);
        long nanos = aheadNanos + System.nanoTime() - start;
        state.restore();
        Capture.flush();
        return new Frames.Answer(status, nanos, stdout.take(), stderr.take());
    }

    /**
     * Makes the handle of the next command; what LVM says then becomes part of that command's
     * output.
     */
    void prepare() {
        long start = System.nanoTime();
        handle.close();
        open();
        aheadNanos = openedNanos - start;
        state.restore();
    }

    private void open() {
        handle = lvm.open();
        openedNanos = System.nanoTime();
    }

    /** LVM complains about a handle that is open when its process ends. */
    @Override
    public void close() {
        if (handle != null) {
            handle.close();
        }
    }
}
