package lvms.node.host;

import static java.lang.System.Logger.Level.WARNING;

import lvms.lvm2.LvmOptions;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Decides whose LVM is used. Two LVMs side by side can damage metadata, so if the host has one,
 * that one is used, with its configuration, locks and devices file. Only a host without LVM gets
 * the LVM of our image, with our own configuration.
 *
 * @param container whether this process has a mount namespace of its own
 * @param hostHasLvm whether the host has the {@code lvm} program
 * @param hostRunsUdev whether the host runs udevd
 */
public record HostLvm(boolean container, boolean hostHasLvm, boolean hostRunsUdev) {
    private static final System.Logger LOG = System.getLogger(HostLvm.class.getName());
    private static final long HOST_PID = 1;
    private static final List<String> PROGRAMS =
            List.of("sbin/lvm", "usr/sbin/lvm", "bin/lvm", "usr/bin/lvm");

    /** How to run LVM, and why, in words for the log. */
    public record Choice(LvmOptions options, String reason) {}

    /**
     * Looks at the host, which is where process 1 lives: the pod shares the host's process ids. A
     * process that may not look at process 1 is not privileged, and can only use the LVM that it
     * sees.
     */
    public static HostLvm look() {
        var host = Path.of("/proc", Long.toString(HOST_PID));
        boolean container = inContainer(host);
        var root = container ? host.resolve("root") : Path.of("/");
        return new HostLvm(
                container,
                PROGRAMS.stream().anyMatch(program -> Files.exists(root.resolve(program))),
                Files.exists(root.resolve("run/udev/control")));
    }

    /** Returns whether the host's LVM is the one to use, in the host's namespaces. */
    public boolean entersHost() {
        return container && hostHasLvm;
    }

    private static boolean inContainer(Path host) {
        try {
            return !Files.readSymbolicLink(host.resolve("ns/mnt"))
                    .equals(Files.readSymbolicLink(Path.of("/proc/self/ns/mnt")));
        } catch (IOException e) {
            LOG.log(WARNING, () -> "cannot look at process 1, will not use its LVM error=" + e);
            return false;
        }
    }

    /**
     * Chooses whose LVM to use.
     *
     * @param ownConfiguration folder for our own configuration, used only if the host has no LVM
     */
    public Choice choose(Path ownConfiguration) {
        var options = LvmOptions.defaults();
        if (!container) {
            return new Choice(options, "only the LVM of this root filesystem is visible");
        }
        if (entersHost()) {
            return new Choice(options.withHost(HOST_PID), "the host has LVM, so that one is used");
        }
        return new Choice(
                options.withSystemDir(ownConfiguration, hostRunsUdev, true),
                "the host has no LVM, so the image's is used with a configuration of its own");
    }
}
