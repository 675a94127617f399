package lvms.node.host;

import lvms.api.machine.MachineFacts;
import lvms.api.machine.ModuleState;
import lvms.lvm2.filesystem.MountTable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads what decides whether an agent can work on this machine. It only reads files: nothing is
 * loaded, run or written.
 *
 * @param root the machine's root folder
 * @param proc the folder of its processes
 * @param hostLvm whether it has LVM's program
 * @param udev whether udevd runs
 */
public record HostFacts(Path root, Path proc, boolean hostLvm, boolean udev) {
    private static final List<String> MODULES =
            List.of("dm_mod", "dm_raid", "dm_snapshot", "dm_thin_pool");
    private static final List<String> MODULE_LISTS = List.of("modules.dep", "modules.builtin");
    private static final List<Path> FOLDERS = List.of(Path.of("/etc"), Path.of("/var/lib"));

    /** Folders of kubelets that are no programs of their own, the more particular first. */
    private static final List<String> EMBEDDED =
            List.of("/var/snap/microk8s/common/var/lib/kubelet", "/var/lib/kubelet");

    private static final String USUAL = "/var/lib/kubelet";
    private static final String ROOT_DIR = "--root-dir";

    /** Prepares to read this machine, from a container that shares its process ids or without. */
    public static HostFacts system() {
        var lvm = HostLvm.look();
        var proc = Path.of("/proc");
        var root = lvm.container() ? proc.resolve("1/root") : Path.of("/");
        return new HostFacts(root, proc, lvm.hostHasLvm(), lvm.hostRunsUdev());
    }

    /** Reads everything. */
    public MachineFacts read() throws IOException {
        var kernel = Files.readString(proc.resolve("sys/kernel/osrelease")).strip();
        return new MachineFacts(
                kernel,
                modules(kernel),
                hostLvm,
                Files.exists(at("/etc/lvm/devices/system.devices")),
                udev,
                kubelet(),
                readOnly(),
                selinux());
    }

    private Path at(String path) {
        return root.resolve(path.substring(1));
    }

    private Map<String, ModuleState> modules(String kernel) throws IOException {
        var listed = at("/lib/modules").resolve(kernel);
        var states = new LinkedHashMap<String, ModuleState>();
        for (var module : MODULES) {
            boolean loaded = Files.isDirectory(at("/sys/module").resolve(module));
            states.put(
                    module,
                    loaded
                            ? ModuleState.LOADED
                            : isListed(listed, module)
                                    ? ModuleState.AVAILABLE
                                    : ModuleState.MISSING);
        }
        return states;
    }

    /** A line is the file's path, with a colon and what it needs in one of the lists. */
    private static boolean isListed(Path folder, String module) throws IOException {
        for (var name : MODULE_LISTS) {
            var list = folder.resolve(name);
            if (Files.exists(list)) {
                try (var lines = Files.lines(list)) {
                    if (lines.anyMatch(line -> moduleOf(line).equals(module))) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private static String moduleOf(String line) {
        var path = line.replaceFirst(":.*", "");
        var file = path.substring(path.lastIndexOf('/') + 1);
        return file.replaceFirst("\\.ko.*", "").replace('-', '_');
    }

    /** A kubelet without the flag has the usual folder; one within another program has no flag. */
    private Optional<String> kubelet() throws IOException {
        try (var processes = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (var process : processes) {
                var words = commandLine(process);
                if (!words.isEmpty() && words.getFirst().matches("(.*/)?kubelet")) {
                    return Optional.of(rootDir(words));
                }
            }
        }
        return EMBEDDED.stream()
                .filter(folder -> Files.isDirectory(at(folder).resolve("device-plugins")))
                .findFirst();
    }

    private static List<String> commandLine(Path process) throws IOException {
        try {
            var text = Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1);
            return List.of(text.split("\0"));
        } catch (NoSuchFileException e) {
            return List.of(); // the process has ended
        } catch (IOException e) {
            if (Files.exists(process.resolve("root"))) {
                throw e;
            }
            return List.of(); // it ended between open and read (ESRCH)
        }
    }

    private static String rootDir(List<String> words) {
        for (int i = 1; i < words.size(); i++) {
            var word = words.get(i);
            if (word.startsWith(ROOT_DIR + "=")) {
                return word.substring(ROOT_DIR.length() + 1);
            }
            if (word.equals(ROOT_DIR) && i + 1 < words.size()) {
                return words.get(i + 1);
            }
        }
        return USUAL;
    }

    private List<String> readOnly() throws IOException {
        var mounts = MountTable.read(proc.resolve("1/mountinfo"));
        return FOLDERS.stream()
                .filter(folder -> isReadOnly(mounts, folder))
                .map(Path::toString)
                .toList();
    }

    /** The nearest mount above a folder says it. */
    private static boolean isReadOnly(MountTable mounts, Path folder) {
        return Stream.iterate(folder, path -> path != null, Path::getParent)
                .flatMap(path -> mounts.at(path).stream())
                .findFirst()
                .filter(mount -> mount.readOnly())
                .isPresent();
    }

    private String selinux() throws IOException {
        var enforce = at("/sys/fs/selinux/enforce");
        if (!Files.exists(enforce)) {
            return "";
        }
        return Files.readString(enforce).strip().equals("1") ? "enforcing" : "permissive";
    }
}
