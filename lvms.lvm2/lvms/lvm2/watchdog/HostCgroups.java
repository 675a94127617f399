package lvms.lvm2.watchdog;

import lvms.lvm2.ffi.Namespaces;
import lvms.lvm2.filesystem.Mount;
import lvms.lvm2.filesystem.MountTable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The cgroups of process 1, which no container's end kills. In a container that is the host's first
 * process only if the pod has {@code hostPID}. They always take processes, since they have one, and
 * there is nothing to remove afterwards; see cgroups(7).
 *
 * @param proc the folder of processes, in which 1 is that process
 */
record HostCgroups(Path proc) {
    private static final long HOST_PID = 1;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** The kernel's first process namespace; {@code PROC_PID_INIT_INO} of linux/proc_ns.h. */
    private static final String FIRST_PROCESSES = "pid:[4026531836]";

    static HostCgroups system() {
        return new HostCgroups(Path.of("/proc"));
    }

    /**
     * Moves a process there, in each hierarchy.
     *
     * @throws IOException saying why it stays in a cgroup of ours
     */
    void take(long pid) throws IOException, InterruptedException {
        var move =
                new FutureTask<Void>(
                        () -> {
                            // One of our own shows no other cgroups, and lets none be left.
                            if (Files.exists(proc.resolve("1/ns/cgroup"))) {
                                Namespaces.enterCgroups(HOST_PID);
                            }
                            move(pid);
                            return null;
                        });
        Thread.ofPlatform().daemon().name("cgroups").start(move); // no way back for its thread
        try {
            move.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException cause
                    ? cause
                    : new IOException("moving a process: " + e.getCause(), e.getCause());
        } catch (TimeoutException e) {
            throw new IOException("the kernel does not move a process within " + PATIENCE, e);
        }
    }

    private void move(long pid) throws IOException {
        for (var file : places(pid)) {
            Files.writeString(file, Long.toString(pid));
        }
        var left = places(pid);
        if (!left.isEmpty()) {
            throw new IOException("the kernel did not move a process to " + left);
        }
    }

    /**
     * Returns the files that move a process when its id is written to them; none if it is where it
     * belongs.
     *
     * @throws IOException saying why it cannot leave
     */
    List<Path> places(long pid) throws IOException {
        var host = paths(HOST_PID);
        var now = paths(pid);
        if (host.equals(now)) {
            requireHost();
            return List.of();
        }
        var mounts = MountTable.read(proc.resolve("1/mountinfo"));
        var places = new ArrayList<Path>();
        for (var controllers : host.keySet()) {
            var path = host.get(controllers);
            if (!path.equals(now.get(controllers))) {
                places.add(folder(mounts, controllers, path).resolve("cgroup.procs"));
            }
        }
        return places;
    }

    /** A process that is beside process 1 may be in the container of that one. */
    private void requireHost() throws IOException {
        var processes = Files.readSymbolicLink(proc.resolve("self/ns/pid")).toString();
        if (!processes.equals(FIRST_PROCESSES)) {
            throw new IOException(
                    "this container does not share the host's process ids (hostPID), so its end"
                            + " ends each process in it");
        }
    }

    /** Controllers of each hierarchy, none for version 2, and the path in it. */
    private Map<String, String> paths(long pid) throws IOException {
        var paths = new LinkedHashMap<String, String>();
        for (var line : Files.readAllLines(proc.resolve(pid + "/cgroup"))) {
            var fields = line.split(":", 3);
            paths.put(fields[1], fields[2]);
        }
        return paths;
    }

    private Path folder(MountTable mounts, String controllers, String path) throws IOException {
        for (var mount : mounts.mounts()) {
            var root = mount.root().equals("/") ? "" : mount.root();
            if (isOf(mount, controllers) && (path + "/").startsWith(root + "/")) {
                var place = mount.mountPoint() + path.substring(root.length());
                return proc.resolve("1/root").resolve(Path.of("/").relativize(Path.of(place)));
            }
        }
        throw new IOException("process 1 does not see its cgroup " + controllers + ":" + path);
    }

    private static boolean isOf(Mount mount, String controllers) {
        return controllers.isEmpty()
                ? mount.fsType().equals("cgroup2")
                : mount.fsType().equals("cgroup")
                        && mount.superOptions().containsAll(wanted(controllers));
    }

    private static List<String> wanted(String controllers) {
        return Arrays.asList(controllers.split(","));
    }
}
