package lvms.k8s.exec;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.ObjectKey;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Copies files from and to containers, as {@code kubectl cp} does: by {@code cat}, {@code sh} and
 * {@code tar} of the container. Any thread may use it.
 *
 * <p>A folder is copied from or to a folder of this machine (ADR 117), or as a tar archive, which
 * the caller reads or makes: names in it are the container's word, and may lead out of any folder
 * they are unpacked to. Nothing is held in memory but what is on its way.
 *
 * @param deadline of one copy
 */
public record PodFiles(KubeClient kube, Duration deadline) {
    /** Every tar knows {@code -o}; exact permissions need a umask without bits. */
    private static final String UNPACK =
            "mkdir -p -- \"$1\" && umask 0 && exec tar -xof - -C \"$1\""; // the path is no code

    /** Copies a file of the container. */
    public void read(ObjectKey pod, String container, String path, OutputStream to)
            throws ApiException, ExecException, InterruptedException {
        copy(pod, container, List.of("cat", "--", path), Optional.empty(), to);
    }

    /** Copies into a file of the container, which is replaced; its folder has to exist. */
    public void write(ObjectKey pod, String container, InputStream from, String path)
            throws ApiException, ExecException, InterruptedException {
        var command = List.of("sh", "-c", "cat > \"$1\"", "sh", path); // the path is no code
        copy(pod, container, command, Optional.of(from), OutputStream.nullOutputStream());
    }

    /** Copies a folder of the container into a tar archive with names below it. */
    public void readFolder(ObjectKey pod, String container, String path, OutputStream tar)
            throws ApiException, ExecException, InterruptedException {
        copy(pod, container, packing(path), Optional.empty(), tar);
    }

    /**
     * Copies what is in a folder of the container into a folder of this machine, which is made if
     * it is missing: files, folders and links, with their permissions. Files of the same names are
     * replaced, others stay. A name or a link that leads out of the folder ends the copy, and so
     * does a device or a pipe. A file has its name once it is whole.
     *
     * @throws ExecException also if it ended early; it says what was copied by then
     */
    public void readFolder(ObjectKey pod, String container, String path, Path folder)
            throws ApiException, ExecException, InterruptedException {
        var progress = new Progress();
        var what = "copy of " + path + " in pod " + pod + " to " + folder;
        PodCopy.Drain unpacking = stdout -> FolderUnpacking.unpack(stdout, folder, progress);
        new PodCopy(what, deadline, progress::text)
                .run(exec(pod, container, packing(path), false), Optional.empty(), unpacking);
    }

    private static List<String> packing(String path) {
        return List.of("tar", "-cf", "-", "-C", path, ".");
    }

    /** Unpacks a tar archive into a folder of the container, which has to exist. */
    public void writeFolder(ObjectKey pod, String container, InputStream tar, String path)
            throws ApiException, ExecException, InterruptedException {
        var command = List.of("tar", "-xf", "-", "-C", path);
        copy(pod, container, command, Optional.of(tar), OutputStream.nullOutputStream());
    }

    /**
     * Copies what is in a folder of this machine into a folder of the container, which is made if
     * it is missing: files, folders and links, with their permissions. They belong to the user that
     * the container runs as. A folder with a link that leads out of it is refused, and so is one
     * with a device, a pipe or a socket.
     *
     * @throws ExecException also if it ended early; it says what was sent by then
     */
    public void writeFolder(ObjectKey pod, String container, Path folder, String path)
            throws ApiException, ExecException, InterruptedException {
        var progress = new Progress();
        var what = "copy of " + folder + " to " + path + " in pod " + pod;
        FolderPacking packing;
        try {
            packing = FolderPacking.of(folder, progress);
        } catch (IOException e) {
            throw new ExecException(what + ": " + e.getMessage(), e);
        }
        var command = List.of("sh", "-c", UNPACK, "sh", path);
        new PodCopy(what, deadline, progress::text)
                .run(
                        exec(pod, container, command, true),
                        Optional.of(packing::pack),
                        PodFiles::dropped);
    }

    private static void dropped(InputStream stdout) throws IOException {
        stdout.transferTo(OutputStream.nullOutputStream());
    }

    private PodSession exec(ObjectKey pod, String container, List<String> command, boolean stdin)
            throws ApiException, InterruptedException {
        return PodSession.exec(kube, pod, container, command, stdin);
    }

    private void copy(
            ObjectKey pod,
            String container,
            List<String> command,
            Optional<InputStream> in,
            OutputStream out)
            throws ApiException, ExecException, InterruptedException {
        var what = "copy by " + command.getFirst() + " in pod " + pod;
        var session = exec(pod, container, command, in.isPresent());
        new PodCopy(what, deadline, () -> "")
                .run(session, in.map(from -> from::transferTo), stdout -> stdout.transferTo(out));
    }
}
