package lvms.node.host;

import lvms.lvm2.LvmOptions;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Decides whose LVM is in force. Two LVMs beside each other can damage metadata, so where the host
 * has one, its configuration, locks and devices file count; only a host without LVM gets the one of
 * our image, with a configuration of ours.
 *
 * @param container whether this process has a mount namespace of its own
 * @param hostHasLvm whether the host has the {@code lvm} program
 * @param hostRunsUdev whether the host runs udevd
 */
public record HostLvm(boolean container, boolean hostHasLvm, boolean hostRunsUdev) {
    private static final long HOST_PID = 1;
    private static final List<String> PROGRAMS =
            List.of("sbin/lvm", "usr/sbin/lvm", "bin/lvm", "usr/bin/lvm");

    /** What was chosen, and why, in words for the log. */
    public record Choice(LvmOptions options, String reason) {}

    /**
     * Looks at the host, which is where process 1 lives: the pod shares the host's process ids.
     *
     * @throws IOException if this process may not look at process 1
     */
    public static HostLvm look() throws IOException {
        var host = Path.of("/proc", Long.toString(HOST_PID));
        boolean container =
                !Files.readSymbolicLink(host.resolve("ns/mnt"))
                        .equals(Files.readSymbolicLink(Path.of("/proc/self/ns/mnt")));
        var root = container ? host.resolve("root") : Path.of("/");
        return new HostLvm(
                container,
                PROGRAMS.stream().anyMatch(program -> Files.exists(root.resolve(program))),
                Files.exists(root.resolve("run/udev/control")));
    }

    /**
     * Chooses.
     *
     * @param ownConfiguration folder for a configuration of ours, used only where the host has no
     *     LVM
     */
    public Choice choose(Path ownConfiguration) {
        var options = LvmOptions.defaults();
        if (!container) {
            return new Choice(options, "the process runs on the host itself, whose LVM it uses");
        }
        if (hostHasLvm) {
            return new Choice(
                    options.withHost(HOST_PID), "the host has LVM, so its own is in force");
        }
        return new Choice(
                options.withSystemDir(ownConfiguration, hostRunsUdev, true),
                "the host has no LVM, so the image's is used with a configuration of its own");
    }
}
