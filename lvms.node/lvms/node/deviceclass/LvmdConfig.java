package lvms.node.deviceclass;

import lvms.api.listing.GroupListing;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.NullTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;
import lvms.k8s.yaml.Yaml;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The content of lvmd.yaml: the device classes of this node in TopoLVM's format. What a person
 * edited in it, such as spare space, stripes or option classes, stays in force.
 */
public final class LvmdConfig {
    private static final String CLASSES = "device-classes";
    private static final String OPTION_CLASSES = "lvcreate-option-classes";
    private static final String COMMAND_PREFIX = "lvm-command-prefix";
    private static final String SOCKET = "socket-name";
    private static final String NAME = "name";
    private static final String THIN_POOL = "thin-pool";
    private static final Set<String> KEYS = Set.of(CLASSES, OPTION_CLASSES, COMMAND_PREFIX, SOCKET);

    private final ObjectTree tree;

    private LvmdConfig(ObjectTree tree) {
        this.tree = tree;
    }

    /** The content of a file that does not exist yet. */
    public static LvmdConfig empty() {
        return new LvmdConfig(withEveryKey(ObjectTree.EMPTY));
    }

    /**
     * Reads the text of the file.
     *
     * @throws IllegalArgumentException if it is not YAML, or not a mapping
     */
    public static LvmdConfig parse(String yaml) {
        return switch (Yaml.read(yaml)) {
            case NullTree _ -> empty();
            case ObjectTree mapping -> new LvmdConfig(withEveryKey(lowerCased(mapping)));
            case Tree other ->
                    throw new IllegalArgumentException(
                            "line %d: expected a mapping with %s, found %s"
                                    .formatted(
                                            firstLine(yaml),
                                            CLASSES,
                                            other instanceof ListTree ? "a list" : "a text"));
        };
    }

    /** Returns the number of the line where the content begins, after comments and blank lines. */
    private static int firstLine(String yaml) {
        var lines = yaml.lines().map(String::strip).toList();
        int first = 0;
        while (first < lines.size() - 1 && lines.get(first).matches("(#.*|---)?")) {
            first++;
        }
        return first + 1;
    }

    String text() {
        return Yaml.write(tree);
    }

    boolean hasClasses() {
        return !classes().isEmpty();
    }

    boolean has(String deviceClass) {
        return entries().anyMatch(entry -> nameOf(entry).equals(deviceClass));
    }

    /** Adds the class, or updates what its LVMVolumeGroup decides. */
    LvmdConfig with(VolumeGroupGoal goal) {
        var next = ListTree.builder();
        entries()
                .forEach(
                        e -> next.add(nameOf(e).equals(goal.deviceClass()) ? updated(e, goal) : e));
        if (!has(goal.deviceClass())) {
            next.add(updated(fresh(goal), goal));
        }
        return withClasses(next.build());
    }

    LvmdConfig without(String deviceClass) {
        var next = ListTree.builder();
        entries().filter(entry -> !nameOf(entry).equals(deviceClass)).forEach(next::add);
        return withClasses(next.build());
    }

    /**
     * The usable part of the file.
     *
     * @param classes the device classes
     * @param problems one line for each entry that cannot be used
     */
    public record Reading(DeviceClasses classes, List<String> problems) {
        public Reading {
            problems = List.copyOf(problems);
        }
    }

    /** Turns the entries into device classes; an invalid entry does not stop the others. */
    public Reading read() {
        var found = new TreeMap<String, NodeDeviceClass>();
        var problems = new ArrayList<String>(shapeProblems());
        for (var entry : entries().toList()) {
            try {
                add(entry, found, problems);
            } catch (IllegalArgumentException e) {
                problems.add("device class " + quotedName(entry) + ": " + e.getMessage());
            }
        }
        Map<String, List<String>> options = Map.of();
        try {
            options = LvmdEntry.optionClasses(tree.at(OPTION_CLASSES));
        } catch (IllegalArgumentException e) {
            problems.add(e.getMessage());
        }
        return new Reading(new DeviceClasses(List.copyOf(found.values()), options), problems);
    }

    private List<String> shapeProblems() {
        var value = tree.at(CLASSES);
        if (!(value instanceof ListTree list)) {
            return value instanceof NullTree
                    ? List.of()
                    : List.of(CLASSES + ": expected a list, found " + value);
        }
        return list.elements().stream()
                .filter(element -> !(element instanceof ObjectTree))
                .map(element -> CLASSES + ": expected a mapping for each class, found " + element)
                .toList();
    }

    private static void add(
            ObjectTree entry, Map<String, NodeDeviceClass> found, List<String> problems) {
        var rival = found.values().stream().filter(NodeDeviceClass::isDefault).findFirst();
        var next = LvmdEntry.read(entry, rival.isEmpty());
        if (rival.isPresent() && LvmdEntry.wantsDefault(entry)) {
            problems.add(
                    "device class "
                            + next.name()
                            + ": "
                            + rival.get().name()
                            + " is the default already");
        }
        var sharer = found.values().stream().filter(c -> place(c).equals(place(next))).findFirst();
        if (found.containsKey(next.name())) {
            problems.add("device class " + next.name() + " is listed twice");
        } else if (sharer.isPresent()) {
            problems.add(
                    "device class %s: %s belongs to device class %s; %s"
                            .formatted(
                                    next.name(), place(next), sharer.get().name(), instead(next)));
        } else {
            found.put(next.name(), next);
        }
    }

    /**
     * Returns what no two classes may share: a group has one thick class, and one for each thin
     * pool.
     */
    private static String place(NodeDeviceClass deviceClass) {
        return deviceClass
                .thin()
                .map(thin -> "thin pool " + deviceClass.volumeGroup() + '/' + thin.pool())
                .orElse("volume group " + deviceClass.volumeGroup());
    }

    /** Returns how a person gets what a second class was meant for. */
    private static String instead(NodeDeviceClass second) {
        return second.thin().isPresent()
                ? "use that class, or give this one a thin pool of its own"
                : "use that class, with an lvcreate-option-class where stripes or options differ";
    }

    private static String quotedName(ObjectTree entry) {
        return '"' + nameOf(entry) + '"';
    }

    /** Returns {@code socket-name}; empty if it is not set. */
    public Optional<String> socketName() {
        return Optional.of(LvmdEntry.text(tree, SOCKET)).filter(name -> !name.isEmpty());
    }

    /** Returns {@code lvm-command-prefix}; empty if it is not set. */
    public List<String> commandPrefix() {
        return LvmdEntry.texts(tree, COMMAND_PREFIX);
    }

    /** Returns the paths of unknown keys; TopoLVM ignores them, too. */
    public List<String> unknownKeys() {
        var unknown = new ArrayList<String>();
        collect(tree, KEYS, "", unknown);
        for (var entry : entries().toList()) {
            var path = CLASSES + '[' + nameOf(entry) + "].";
            collect(entry, LvmdEntry.KEYS, path, unknown);
            if (entry.at(THIN_POOL) instanceof ObjectTree pool) {
                collect(pool, LvmdEntry.POOL_KEYS, path + THIN_POOL + '.', unknown);
                if (pool.at(LvmdTrim.TRIM) instanceof ObjectTree trim) {
                    var below = path + THIN_POOL + '.' + LvmdTrim.TRIM + '.';
                    collect(trim, LvmdTrim.KEYS, below, unknown);
                }
            }
        }
        return unknown;
    }

    private static void collect(
            ObjectTree mapping, Set<String> known, String path, List<String> unknown) {
        mapping.members().keySet().stream()
                .filter(key -> !known.contains(key))
                .forEach(key -> unknown.add(path + key));
    }

    private static ObjectTree fresh(VolumeGroupGoal goal) {
        var entry = ObjectTree.builder();
        entry.put("default", goal.isDefault());
        entry.put("lvcreate-options", Tree.NULL);
        entry.put(NAME, goal.deviceClass());
        entry.put("spare-gb", goal.pool().isPresent() ? Tree.NULL : Tree.of(0));
        entry.put("stripe", Tree.NULL);
        entry.put("stripe-size", "");
        entry.put(THIN_POOL, Tree.NULL);
        entry.put("type", "");
        return entry.build();
    }

    private static ObjectTree updated(ObjectTree old, VolumeGroupGoal goal) {
        var entry = old.toBuilder();
        entry.put("default", goal.isDefault());
        entry.put("type", goal.pool().isPresent() ? "thin" : "thick");
        entry.put(THIN_POOL, goal.pool().map(LvmdConfig::poolEntry).orElse(Tree.NULL));
        entry.put("volume-group", goal.volumeGroup());
        goal.raid().ifPresent(raid -> entry.put("lvcreate-options", texts(raid.lvcreateOptions())));
        if (goal.listing().spareGb().isPresent()) {
            listed(goal.listing(), entry);
        }
        LvmdErasure.write(goal.erasure(), entry);
        return entry.build();
    }

    /** Whoever lists what is kept free has the say about stripes too. */
    private static void listed(GroupListing listing, ObjectTree.Builder entry) {
        entry.put("spare-gb", listing.spareGb().getAsInt());
        entry.put(
                "stripe",
                listing.stripe().isEmpty() ? Tree.NULL : Tree.of(listing.stripe().getAsInt()));
        entry.put("stripe-size", listing.stripeSize().orElse(""));
    }

    private static Tree poolEntry(PoolGoal pool) {
        var entry = ObjectTree.builder();
        entry.put(NAME, pool.name());
        entry.put("overprovision-ratio", pool.config().overprovisionRatio());
        return entry.build();
    }

    private static ListTree texts(List<String> values) {
        return ListTree.ofTexts(values);
    }

    private LvmdConfig withClasses(ListTree next) {
        var copy = tree.toBuilder();
        copy.put(CLASSES, next);
        return new LvmdConfig(copy.build());
    }

    private ListTree classes() {
        return tree.at(CLASSES) instanceof ListTree array ? array : ListTree.EMPTY;
    }

    private Stream<ObjectTree> entries() {
        return classes().objects().stream();
    }

    private static String nameOf(ObjectTree entry) {
        var name = entry.at(NAME);
        return name.isScalar() ? name.asText() : "";
    }

    /** TopoLVM matches keys whatever their case; only ours are known to be lower case. */
    private static ObjectTree lowerCased(ObjectTree mapping) {
        var lower = ObjectTree.builder();
        for (var member : mapping.members().entrySet()) {
            lower.put(member.getKey().toLowerCase(Locale.ROOT), lowerCased(member.getValue()));
        }
        return lower.build();
    }

    private static Tree lowerCased(Tree value) {
        return switch (value) {
            case ObjectTree mapping -> lowerCased(mapping);
            case ListTree list -> {
                var lower = ListTree.builder();
                list.forEach(element -> lower.add(lowerCased(element)));
                yield lower.build();
            }
            default -> value;
        };
    }

    /** Writes every key in alphabetical order, as TopoLVM does. */
    private static ObjectTree withEveryKey(ObjectTree read) {
        var sorted = new TreeMap<String, Tree>();
        sorted.put(CLASSES, ListTree.EMPTY);
        sorted.put(OPTION_CLASSES, Tree.NULL);
        sorted.put(COMMAND_PREFIX, Tree.NULL);
        sorted.put(SOCKET, Tree.of(""));
        sorted.putAll(read.members());
        var tree = ObjectTree.builder();
        sorted.forEach(tree::put);
        return tree.build();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LvmdConfig config && tree.equals(config.tree);
    }

    @Override
    public int hashCode() {
        return tree.hashCode();
    }
}
