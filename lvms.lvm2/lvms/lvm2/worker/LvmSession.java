package lvms.lvm2.worker;

import lvms.lvm2.ffi.Capture;
import lvms.lvm2.ffi.Lvm2Cmd;
import lvms.lvm2.ffi.Namespaces;
import lvms.lvm2.ffi.ThreadState;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
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
    private Optional<SystemFolder> folder = Optional.empty();

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

    /**
     * Makes LVM read and write synchronously from the next handle on, with the machine's
     * configuration in all else. Returns why it cannot, if so; then all stays as it is.
     */
    Optional<String> useSynchronousIo() throws IOException {
        handle.run("version");
        state.restore();
        Capture.flush();
        var version = new ByteArrayOutputStream();
        stdout.writeTo(version);
        stdout.clear();
        stderr.clear();
        try {
            folder = Optional.of(SystemFolder.over(version.toString(StandardCharsets.UTF_8)));
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(e.getMessage());
        }
    }

    /** Runs one command line and sends the answer. {@link #prepare} must follow before the next. */
    void run(String commandLine, DataOutputStream out) throws IOException {
        long start = System.nanoTime();
        if (start - openedNanos > MAX_AGE_NANOS || configurationChanged()) {
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

    /** LVM itself would compare the time of our copy, which may be made twice within a second. */
    private boolean configurationChanged() {
        try {
            return folder.isPresent() && folder.get().stale();
        } catch (IOException e) {
            giveUp(e.getMessage());
            return true;
        }
    }

    private void open() {
        handle = folder.isPresent() ? openWith(folder.get()) : lvm.open();
        openedNanos = System.nanoTime();
    }

    /** If LVM cannot read the machine's own folder either, it says why, and ours is no worse. */
    private Lvm2Cmd.Handle openWith(SystemFolder own) {
        try {
            own.refresh();
            var opened = own.during(lvm::open);
            if (opened.usable()) {
                return opened;
            }
        } catch (IOException e) {
            giveUp(e.getMessage());
            return lvm.open();
        }
        var plain = lvm.open();
        if (plain.usable()) {
            giveUp("it cannot read the configuration that says otherwise");
        }
        return plain;
    }

    /** From now on the machine's own files count, as the output of the next command says. */
    private void giveUp(String why) {
        folder = Optional.empty();
        System.err.println("  WARNING: LVM uses asynchronous I/O again: " + why);
    }

    /** LVM complains about a handle that is open when its process ends. */
    @Override
    public void close() {
        if (handle != null) {
            handle.close();
        }
    }
}
