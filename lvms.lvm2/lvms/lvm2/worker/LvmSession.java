package lvms.lvm2.worker;

import lvms.lvm2.ffi.Capture;
import lvms.lvm2.ffi.Lvm2Cmd;
import lvms.lvm2.ffi.Namespaces;
import lvms.lvm2.ffi.ThreadState;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
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

    /** Enters the namespaces and loads the library; returns why it cannot, if so. */
    Optional<String> start() throws IOException {
        state = ThreadState.save();
        Capture.flush(); // every handle is linked before the thread sees other files
        stdout.clear();
        stderr.clear();
        try {
            if (hostPid > 0) {
                Namespaces.enter(hostPid);
            }
            lvm = Lvm2Cmd.load();
        } catch (IOException | IllegalArgumentException e) {
            return Optional.of(e.getMessage());
        }
        open();
        return Optional.empty();
    }

    /** Runs one command line and sends the answer. {@link #prepare} must follow before the next. */
    void run(String commandLine, DataOutputStream out) throws IOException {
        long start = System.nanoTime();
        if (start - openedNanos > MAX_AGE_NANOS) {
            handle.close();
            Capture.flush();
            stderr.clear(); // the next handle reports the same
            open();
            aheadNanos = 0;
        }
        int status = handle.run(commandLine);
        long nanos = aheadNanos + System.nanoTime() - start;
        state.restore();
        Capture.flush();
        Frames.writeAnswer(out, status, nanos, text(stdout), text(stderr));
        stdout.clear();
        stderr.clear();
    }

    private static Frames.Text text(Capture printed) {
        return new Frames.Text() {
            @Override
            public long size() throws IOException {
                return printed.size();
            }

            @Override
            public void writeTo(OutputStream out) throws IOException {
                printed.writeTo(out);
            }
        };
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
