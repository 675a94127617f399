package lvms.node.host;

import lvms.lvm2.LvmOptions;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Decides whose LVM is used. Two LVMs side by side can damage metadata, so if the host has one,
 * that one is used, with its configuration, locks and devices file. Only a host without LVM gets
 * the LVM of our image, with our own configuration.
 *
 * @param container whether this process has a mount namespace of its own
 * @param hostHasLvm whether the host has the {@code lvm} program
 * @param hostRunsUdev whether the host runs udevd
 * @param unseen why process 1 cannot be looked at, so that this process counts as one of the host's
 */
public record HostLvm(
        boolean container, boolean hostHasLvm, boolean hostRunsUdev, Optional<String> unseen) {
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
        boolean container = false;
        var unseen = Optional.<String>empty();
        try {
            container = inContainer(host);
        } catch (IOException e) {
            unseen = Optional.of(e.toString());
        }
        var root = container ? host.resolve("root") : Path.of("/");
        return new HostLvm(
                container,
                PROGRAMS.stream().anyMatch(program -> Files.exists(root.resolve(program))),
                Files.exists(root.resolve("run/udev/control")),
                unseen);
    }

    /** Returns whether the host's LVM is the one to use, in the host's namespaces. */
    public boolean entersHost() {
        return container && hostHasLvm;
    }

    private static boolean inContainer(Path host) throws IOException {
        return !Files.readSymbolicLink(host.resolve("ns/mnt"))
                .equals(Files.readSymbolicLink(Path.of("/proc/self/ns/mnt")));
    }

    /** Adds to a sentence, where that is so, that the host's LVM was not looked for. */
    public String withUnseen(String sentence) {
        return sentence
                + unseen.map(why -> "; process 1 cannot be looked at, so its LVM is not: " + why)
                        .orElse("");
    }

    /**
     * Chooses whose LVM to use.
     *
     * @param ownConfiguration folder for our own configuration, used only if the host has no LVM
     */
    public Choice choose(Path ownConfiguration) {
        var options = LvmOptions.defaults();
        if (!container) {
            return new Choice(
                    options, withUnseen("only the LVM of this root filesystem is visible"));
        }
        if (entersHost()) {
            return new Choice(options.withHost(HOST_PID), "the host has LVM, so that one is used");
        }
        return new Choice(
                options.withSystemDir(ownConfiguration, hostRunsUdev, true),
                "the host has no LVM, so the image's is used with a configuration of its own");
    }
}
