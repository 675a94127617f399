package lvms.lvm2.worker;

import lvms.lvm2.ffi.Capture;
import lvms.lvm2.ffi.Fd;
import lvms.lvm2.ffi.OwnSession;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs commands of LVM that come in on standard input, one after the other, and answers on standard
 * output; see {@link Frames}. Ends when its input does, so it never outlives its parent by more
 * than one command. The first answer is that of the {@code version} command, or says why it cannot
 * work.
 *
 * <p>The order matters: the protocol's pipes leave descriptors 0 and 1 before LVM is loaded, which
 * would read answers to its questions from one and print to the other. Before that the worker gets
 * a session of its own, in which no terminal and no signal to stop reaches it: it ends by its
 * input, never within a change.
 */
public final class WorkerMain {
    /**
     * The argument that makes LVM read and write synchronously, whatever the machine's lvm.conf
     * says. A second answer follows the first one then, and says why it does not, if so.
     */
    public static final String SYNCHRONOUS = "synchronous";

    /** dmeventd has LVM run on 300 KiB; more would only be more to lock. */
    private static final long STACK_BYTES = 1 << 20;

    private static final int BUFFER_BYTES = 64 << 10;

    private WorkerMain() {}

    /**
     * Starts the worker.
     *
     * @param args {@link #SYNCHRONOUS} if LVM is to do so; the id of the process in whose
     *     namespaces LVM works, if it is another one
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        OwnSession.begin();
        // Opened anew through /proc, since 0 and 1 themselves are about to become something else.
        try (var in = new DataInputStream(new FileInputStream("/proc/self/fd/0"));
                var out = new DataOutputStream(buffered("/proc/self/fd/1"))) {
            OwnSession.keepFilesFromHelpers();
            try (var nothing = Fd.open(Path.of("/dev/null"), Fd.RDWR | Fd.CLOEXEC)) {
                Capture.redirect(nothing, 0);
            }
            var stdout = Capture.of(1);
            var stderr = Capture.of(2);
            var words = new ArrayList<>(List.of(args));
            boolean synchronous = words.remove(SYNCHRONOUS);
            long hostPid = words.isEmpty() ? 0 : Long.parseLong(words.getFirst());
            var session = new LvmSession(hostPid, stdout, stderr);
            var thread =
                    Thread.ofPlatform()
                            .name("lvm")
                            .stackSize(STACK_BYTES)
                            .start(() -> serve(in, out, session, synchronous));
            thread.join();
        }
    }

    private static OutputStream buffered(String path) throws IOException {
        return new BufferedOutputStream(new FileOutputStream(path), BUFFER_BYTES);
    }

    private static void serve(
            DataInputStream in, DataOutputStream out, LvmSession session, boolean synchronous) {
        try (session) {
            var unusable = session.start();
            if (unusable.isPresent()) {
                var why = Frames.Text.of(unusable.get());
                Frames.writeAnswer(out, Frames.UNUSABLE, 0, Frames.Text.of(""), why);
                return;
            }
            session.run("version", out);
            if (synchronous) {
                session.prepare();
                var why = Frames.Text.of(session.useSynchronousIo().orElse(""));
                Frames.writeAnswer(out, 1, 0, Frames.Text.of(""), why);
            }
            while (true) {
                session.prepare();
                session.run(Frames.readCommandLine(in), out);
            }
        } catch (EOFException e) {
            // the parent has no more commands, or is gone
        } catch (IOException e) {
            // the parent is gone: nobody is left to tell
        }
    }
}
