package lvms.tests.lab.kubelet;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The shell script that starts a container: a mount namespace of its own over the root of the
 * place, the mounts, the environment, and then the program in the script's own process.
 */
final class ContainerScript {
    private ContainerScript() {}

    /**
     * Writes the script.
     *
     * @param prelude what the place needs first, as shell lines
     * @param pidFile where the process id goes
     * @param log where both outputs go
     */
    static String of(
            PodContainer container,
            Map<String, String> environment,
            String prelude,
            List<PodContainer.Mount> mounts,
            List<PodContainer.Mount> devices,
            String pidFile,
            String log) {
        var script = new StringBuilder("set -e\nexec >>" + quote(log) + " 2>&1\n");
        script.append("echo $$ >").append(quote(pidFile)).append('\n');
        script.append("exec 9>").append(quote(startedFile(pidFile))).append('\n');
        boolean shared = mounts.stream().anyMatch(PodContainer.Mount::shared);
        // A container with Bidirectional mounts stays a peer of kubelet's folder and of nothing
        // else.
        script.append(
                shared
                        ? "mount --make-slave /; for m in /run /tmp /dev /sys; do"
                                + " mount --make-rslave $m; done\n"
                        : "mount --make-rslave /\n");
        script.append(prelude);
        if (!devices.isEmpty()) {
            devices(script, devices);
        }
        for (var mount : coveringLast(mounts)) {
            mount(script, mount);
        }
        // Through an open file: a mount may cover the folder by now.
        script.append("echo started >&9; exec 9>&-\n");
        script.append("cd /\nexec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root");
        environment.forEach((name, value) -> script.append(' ').append(quote(name + "=" + value)));
        script.append(
                container.commandLine(environment).stream()
                        .map(ContainerScript::quote)
                        .collect(Collectors.joining(" ", " ", "\n")));
        return script.toString();
    }

    /** A mount on /tmp would cover the sources of others that lie below it. */
    private static List<PodContainer.Mount> coveringLast(List<PodContainer.Mount> mounts) {
        return mounts.stream()
                .sorted(Comparator.comparing(mount -> covers(mount.target(), mounts)))
                .toList();
    }

    private static boolean covers(String target, List<PodContainer.Mount> mounts) {
        return mounts.stream().anyMatch(other -> other.source().startsWith(target + "/"));
    }

    private static void mount(StringBuilder script, PodContainer.Mount mount) {
        var source = quote(mount.source());
        var target = quote(mount.target());
        if (mount.source().equals(mount.target())) {
            return; // the root of the place has it there already
        }
        script.append(
                "if [ -d %s ]; then mkdir -p %s; else mkdir -p $(dirname %s); touch %s; fi\n"
                        .formatted(source, target, target, target));
        script.append("mount --rbind %s %s\n".formatted(source, target));
        if (mount.readOnly()) {
            script.append("mount -o remount,bind,ro %s\n".formatted(target));
        }
    }

    /** A container has a /dev of its own, with the standard devices and the volumes'. */
    private static void devices(StringBuilder script, List<PodContainer.Mount> devices) {
        script.append("d=$(mktemp -d /run/dev.XXXXXX); mount -t tmpfs -o mode=0755 dev $d\n");
        script.append("for n in null zero full random urandom; do cp -a /dev/$n $d/$n; done\n");
        for (var device : devices) {
            var target = "$d/" + quote(device.target().replaceFirst("^/dev/", ""));
            script.append(
                    "mkdir -p $(dirname %s); cp -a %s %s\n"
                            .formatted(target, quote(device.source()), target));
        }
        script.append("mount --rbind $d /dev\n");
    }

    /** The file that appears once the mounts are made and the program is next. */
    static String startedFile(String pidFile) {
        return pidFile.replaceFirst("[.]pid$", ".started");
    }

    static String quote(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
