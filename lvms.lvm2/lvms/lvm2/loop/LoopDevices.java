package lvms.lvm2.loop;

import lvms.lvm2.ffi.LoopCalls;
import lvms.lvm2.system.ErrnoException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** Loop devices of this machine, each the disk that a file stands for. Any thread may call. */
public final class LoopDevices {
    private static final Path SYS_BLOCK = Path.of("/sys/block");
    private static final int TRIES = 16;

    private LoopDevices() {}

    /**
     * Makes a disk of a file, which keeps its size.
     *
     * @return such as {@code /dev/loop3}
     */
    public static Path attach(Path file) throws IOException {
        for (int attempt = 1; ; attempt++) {
            var device = Path.of("/dev/loop" + LoopCalls.free());
            try {
                LoopCalls.set(device, file);
                return device;
            } catch (ErrnoException e) {
                if (e.errno() != ErrnoException.EBUSY || attempt == TRIES) {
                    throw e; // else another program was faster
                }
            }
        }
    }

    /**
     * Makes this very device the disk of a file.
     *
     * @param device such as {@code /dev/loop3}; it need not exist
     * @throws IOException also if the device has another file
     */
    public static void attach(Path file, Path device) throws IOException {
        if (!Files.exists(device)) {
            var name = device.getFileName().toString();
            LoopCalls.add(Integer.parseInt(name.substring("loop".length())));
        }
        LoopCalls.set(device, file);
    }

    /** Finds the disk that a file is as a whole; empty if it is none. */
    public static Optional<Path> find(Path file) throws IOException {
        var wanted =
                new LoopCalls.Backing(
                        (long) Files.getAttribute(file, "unix:dev"),
                        (long) Files.getAttribute(file, "unix:ino"),
                        0,
                        0);
        try (var loops = Files.newDirectoryStream(SYS_BLOCK, "loop*")) {
            for (var loop : loops) {
                var device = Path.of("/dev").resolve(loop.getFileName());
                if (mayHave(loop, file)
                        && LoopCalls.backing(device).filter(wanted::equals).isPresent()) {
                    return Optional.of(device);
                }
            }
        }
        return Optional.empty();
    }

    /** A device that is opened cannot be detached meanwhile, so others' are left alone. */
    private static boolean mayHave(Path loop, Path file) throws IOException {
        try {
            var path = Files.readString(loop.resolve("loop/backing_file")).strip();
            return Path.of(path).endsWith(file.getFileName());
        } catch (NoSuchFileException e) {
            return false; // it has no file
        }
    }

    /** Returns whether a device is a whole file, and not a part of one; false if it has none. */
    public static boolean isWhole(Path device) throws IOException {
        return LoopCalls.backing(device).filter(LoopCalls.Backing::whole).isPresent();
    }

    /** Takes the file off; succeeds if the device has none. */
    public static void detach(Path device) throws IOException {
        LoopCalls.clear(device);
    }
}
