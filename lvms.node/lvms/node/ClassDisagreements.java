package lvms.node;

import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.NodeDeviceClass;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Where the files of several nodes disagree. Each node goes by its own file, so a claim gets
 * another kind of volume on another node. One thread at a time.
 */
public final class ClassDisagreements {
    private final Map<String, TreeSet<String>> defaults = new TreeMap<>();
    private final Map<String, Map<String, TreeSet<String>>> kinds = new TreeMap<>();

    /** Knows no file yet. */
    public ClassDisagreements() {}

    /**
     * Notes the classes of a file.
     *
     * @param file how people call it
     */
    public void add(String file, DeviceClasses classes) {
        var standard = classes.find("").map(NodeDeviceClass::name).orElse("none");
        defaults.computeIfAbsent(standard, _ -> new TreeSet<>()).add(file);
        for (var each : classes.classes()) {
            kinds.computeIfAbsent(each.name(), _ -> new TreeMap<>())
                    .computeIfAbsent(
                            each.thin().isPresent() ? "thin" : "thick", _ -> new TreeSet<>())
                    .add(file);
        }
    }

    /** Returns one line for each matter. */
    public List<String> lines() {
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

    private static String list(Map<String, TreeSet<String>> files) {
        return files.entrySet().stream()
                .map(each -> each.getKey() + " in " + String.join(", ", each.getValue()))
                .collect(Collectors.joining(" but "));
    }
}
