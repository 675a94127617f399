package lvms.lvm2.filesystem;

import lvms.lvm2.system.DeviceNumber;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The mounts of one or all mount namespaces at one moment, in the order of mounting.
 *
 * @param mounts the mounts
 */
public record MountTable(List<Mount> mounts) {
    private static final Path PROC = Path.of("/proc");

    public MountTable {
        mounts = List.copyOf(mounts);
    }

    /** Reads the mounts of this process's namespace. */
    public static MountTable read() throws IOException {
        return read(PROC.resolve("self/mountinfo"));
    }

    /** Reads the mounts from a mountinfo file. */
    public static MountTable read(Path mountinfo) throws IOException {
        return parse(Files.readString(mountinfo, StandardCharsets.UTF_8));
    }

    /**
     * Reads the mounts of every mount namespace that a visible process is in: a device may be
     * mounted only in a namespace other than ours. Processes that end meanwhile are ignored.
     */
    public static MountTable readAllNamespaces() throws IOException {
        return readAllNamespaces(PROC);
    }

    static MountTable readAllNamespaces(Path proc) throws IOException {
        var all = new ArrayList<Mount>();
        var seen = new HashSet<String>();
        try (var processes = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (var process : processes) {
                all.addAll(mountsOf(process, seen));
            }
        }
        return new MountTable(all);
    }

    private static List<Mount> mountsOf(Path process, Set<String> seenNamespaces)
            throws IOException {
        try {
            var namespace = Files.readSymbolicLink(process.resolve("ns/mnt")).toString();
            return seenNamespaces.add(namespace)
                    ? read(process.resolve("mountinfo")).mounts()
                    : List.of();
        } catch (NoSuchFileException e) {
            return List.of(); // the process has ended
        } catch (IOException e) {
            if (Files.exists(process.resolve("root"))) {
                throw e;
            }
            return List.of(); // ended between the two reads (ESRCH, EINVAL), or a kernel thread
        }
    }

    /**
     * Parses the text of mountinfo.
     *
     * @throws IllegalArgumentException naming the first line that cannot be read
     */
    public static MountTable parse(String text) {
        return new MountTable(
                text.lines().filter(line -> !line.isBlank()).map(MountTable::mount).toList());
    }

    /** Returns the mount that a path shows: the last one made exactly there. */
    public Optional<Mount> at(Path mountPoint) {
        return mounts.reversed().stream()
                .filter(mount -> mount.mountPoint().equals(mountPoint))
                .findFirst();
    }

    /** Returns the mounts of the filesystem on a device. */
    public List<Mount> ofDevice(DeviceNumber device) {
        return mounts.stream().filter(mount -> mount.device().equals(device)).toList();
    }

    /**
     * Returns the mounts of the filesystem on a device. A btrfs has a number of its own, so it is
     * found by the name that was mounted. Of a btrfs on several devices, only that device is found.
     *
     * @param names paths of the device, one of which may have been mounted
     */
    public List<Mount> ofDevice(DeviceNumber device, Set<String> names) {
        return mounts.stream()
                .filter(
                        mount ->
                                mount.device().equals(device)
                                        || mount.device().major() == 0
                                                && names.contains(mount.source()))
                .toList();
    }

    private static Mount mount(String line) {
        var fields = line.split(" ", -1);
        int dash = 6;
        while (dash < fields.length && !fields[dash].equals("-")) {
            dash++;
        }
        if (fields.length < dash + 4) {
            throw new IllegalArgumentException("not a line of mountinfo: " + line);
        }
        return new Mount(
                Integer.parseInt(fields[0]),
                Integer.parseInt(fields[1]),
                DeviceNumber.parse(fields[2]),
                unescape(fields[3]),
                Path.of(unescape(fields[4])),
                List.of(fields[5].split(",")),
                List.of(fields).subList(6, dash),
                fields[dash + 1],
                unescape(fields[dash + 2]),
                OptionList.split(fields[dash + 3]));
    }

    /** The kernel writes blank, tab, line feed, backslash and {@code #} as three octal digits. */
    private static String unescape(String field) {
        if (field.indexOf('\\') < 0) {
            return field;
        }
        var out = new StringBuilder();
        for (int i = 0; i < field.length(); i++) {
            boolean octal =
                    field.charAt(i) == '\\'
                            && i + 3 < field.length()
                            && field.substring(i + 1, i + 4)
                                    .chars()
                                    .allMatch(c -> c >= '0' && c <= '7');
            out.append(
                    octal
                            ? (char) Integer.parseInt(field.substring(i + 1, i + 4), 8)
                            : field.charAt(i));
            i += octal ? 3 : 0;
        }
        return out.toString();
    }
}
