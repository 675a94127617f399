package lvms.node;

import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.LvmdConfigFile;
import lvms.node.deviceclass.NodeDeviceClass;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Where people write the device classes of groups that they made: a file in the format of
 * lvmd.yaml, or a folder, as a ConfigMap is mounted, with {@code NODE.yaml} for a node and {@code
 * default.yaml} for the others.
 *
 * @param place the file or folder
 * @param node name of this node
 */
record UserClassFile(Path place, String node) {
    private static final String ENDING = ".yaml";
    private static final String OTHERS = "default" + ENDING;

    /** Returns the file of this node; in a folder there may be none. */
    Optional<Path> file() {
        if (!Files.isDirectory(place)) {
            return Optional.of(place);
        }
        var own = place.resolve(node + ENDING);
        var file = Files.exists(own) ? own : place.resolve(OTHERS);
        return Files.exists(file) ? Optional.of(file) : Optional.empty();
    }

    /** Returns a text that changes with what {@link #file} returns and with what is in it. */
    String fingerprint() throws IOException {
        var file = file();
        return file.isEmpty() ? "" : file.get() + new LvmdConfigFile(file.get()).fingerprint();
    }

    /**
     * Reads and checks the classes of this node.
     *
     * @return empty if the folder has no file for this node
     * @throws LvmdConfigException if anything is wrong; the message is one line
     */
    Optional<LvmdSettings> read() throws LvmdConfigException {
        var file = file();
        if (file.isPresent() && !Files.exists(file.get())) {
            throw new LvmdConfigException(
                    place
                            + " does not exist: write the device classes there, or name another"
                            + " file or folder",
                    null);
        }
        return file.isEmpty() ? Optional.empty() : Optional.of(LvmdSettings.read(file.get()));
    }

    /**
     * Returns where the files of a folder disagree, one line for each matter. Each node goes by its
     * own file, so a claim gets another kind of volume on another node.
     */
    List<String> disagreements() throws IOException {
        var defaults = new TreeMap<String, TreeSet<String>>();
        var kinds = new TreeMap<String, Map<String, TreeSet<String>>>();
        for (var file : files()) {
            try {
                note(file, LvmdSettings.read(file).classes(), defaults, kinds);
            } catch (LvmdConfigException _) {
                // the agent of its node says what is wrong with it
            }
        }
        var found = new ArrayList<String>();
        if (defaults.size() > 1) {
            found.add(
                    "the default device class is "
                            + list(defaults)
                            + ": a volume without a class depends on its node");
        }
        kinds.forEach(
                (name, kind) -> {
                    if (kind.size() > 1) {
                        found.add(
                                "device class %s is %s: only thin volumes have snapshots"
                                        .formatted(name, list(kind)));
                    }
                });
        return found;
    }

    private static void note(
            Path file,
            DeviceClasses classes,
            Map<String, TreeSet<String>> defaults,
            Map<String, Map<String, TreeSet<String>>> kinds) {
        var name = file.getFileName().toString();
        var standard = classes.find("").map(NodeDeviceClass::name).orElse("none");
        defaults.computeIfAbsent(standard, _ -> new TreeSet<>()).add(name);
        for (var each : classes.classes()) {
            kinds.computeIfAbsent(each.name(), _ -> new TreeMap<>())
                    .computeIfAbsent(
                            each.thin().isPresent() ? "thin" : "thick", _ -> new TreeSet<>())
                    .add(name);
        }
    }

    private static String list(Map<String, TreeSet<String>> files) {
        return files.entrySet().stream()
                .map(each -> each.getKey() + " in " + String.join(", ", each.getValue()))
                .collect(Collectors.joining(" but "));
    }

    private List<Path> files() throws IOException {
        if (!Files.isDirectory(place)) {
            return List.of();
        }
        try (var all = Files.list(place)) {
            return all.filter(path -> path.toString().endsWith(ENDING)).sorted().toList();
        }
    }
}
