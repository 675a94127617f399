package lvms.node.deviceclass;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;

import lvms.k8s.yaml.Yaml;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

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

    private final JsonObject tree;

    private LvmdConfig(JsonObject tree) {
        this.tree = tree;
    }

    /** The content of a file that does not exist yet. */
    public static LvmdConfig empty() {
        return new LvmdConfig(withEveryKey(new JsonObject()));
    }

    /**
     * Reads the text of the file.
     *
     * @throws IllegalArgumentException if it is not YAML, or not a mapping
     */
    public static LvmdConfig parse(String yaml) {
        return switch (Yaml.read(yaml)) {
            case JsonNull _ -> empty();
            case JsonObject mapping -> new LvmdConfig(withEveryKey(lowerCased(mapping)));
            case JsonElement other ->
                    throw new IllegalArgumentException(
                            "line %d: expected a mapping with %s, found %s"
                                    .formatted(
                                            firstLine(yaml),
                                            CLASSES,
                                            other.isJsonArray() ? "a list" : "a text"));
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

    /** Adds the class, or brings what its LVMVolumeGroup decides up to date. */
    LvmdConfig with(VolumeGroupGoal goal) {
        var next = new JsonArray();
        entries().forEach(e -> next.add(nameOf(e).equals(goal.name()) ? updated(e, goal) : e));
        if (!has(goal.name())) {
            next.add(updated(fresh(goal), goal));
        }
        return withClasses(next);
    }

    LvmdConfig without(String deviceClass) {
        var next = new JsonArray();
        entries().filter(entry -> !nameOf(entry).equals(deviceClass)).forEach(next::add);
        return withClasses(next);
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
            options = LvmdEntry.optionClasses(tree.get(OPTION_CLASSES));
        } catch (IllegalArgumentException e) {
            problems.add(e.getMessage());
        }
        return new Reading(new DeviceClasses(List.copyOf(found.values()), options), problems);
    }

    private List<String> shapeProblems() {
        var value = tree.get(CLASSES);
        if (!(value instanceof JsonArray list)) {
            return value instanceof JsonNull
                    ? List.of()
                    : List.of(CLASSES + ": expected a list, found " + value);
        }
        return StreamSupport.stream(list.spliterator(), false)
                .filter(element -> !element.isJsonObject())
                .map(element -> CLASSES + ": expected a mapping for each class, found " + element)
                .toList();
    }

    private static void add(
            JsonObject entry, Map<String, NodeDeviceClass> found, List<String> problems) {
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
                    "device class "
                            + next.name()
                            + ": "
                            + place(next)
                            + " belongs to device class "
                            + sharer.get().name());
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

    private static String quotedName(JsonObject entry) {
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
            if (entry.get(THIN_POOL) instanceof JsonObject pool) {
                collect(pool, LvmdEntry.POOL_KEYS, path + THIN_POOL + '.', unknown);
            }
        }
        return unknown;
    }

    private static void collect(
            JsonObject mapping, Set<String> known, String path, List<String> unknown) {
        mapping.keySet().stream()
                .filter(key -> !known.contains(key))
                .forEach(key -> unknown.add(path + key));
    }

    private static JsonObject fresh(VolumeGroupGoal goal) {
        var entry = new JsonObject();
        entry.addProperty("default", goal.isDefault());
        entry.add("lvcreate-options", JsonNull.INSTANCE);
        entry.addProperty(NAME, goal.name());
        entry.add("spare-gb", goal.pool().isPresent() ? JsonNull.INSTANCE : new JsonPrimitive(0));
        entry.add("stripe", JsonNull.INSTANCE);
        entry.addProperty("stripe-size", "");
        entry.add(THIN_POOL, JsonNull.INSTANCE);
        entry.addProperty("type", "");
        entry.addProperty("volume-group", goal.name());
        return entry;
    }

    private static JsonObject updated(JsonObject old, VolumeGroupGoal goal) {
        var entry = old.deepCopy();
        entry.addProperty("default", goal.isDefault());
        entry.addProperty("type", goal.pool().isPresent() ? "thin" : "thick");
        entry.add(THIN_POOL, goal.pool().map(LvmdConfig::poolEntry).orElse(JsonNull.INSTANCE));
        goal.raid().ifPresent(raid -> entry.add("lvcreate-options", texts(raid.lvcreateOptions())));
        return entry;
    }

    private static JsonElement poolEntry(PoolGoal pool) {
        var entry = new JsonObject();
        entry.addProperty(NAME, pool.name());
        entry.addProperty("overprovision-ratio", pool.config().overprovisionRatio());
        return entry;
    }

    private static JsonArray texts(List<String> values) {
        var array = new JsonArray();
        values.forEach(array::add);
        return array;
    }

    private LvmdConfig withClasses(JsonArray next) {
        var copy = tree.deepCopy();
        copy.add(CLASSES, next);
        return new LvmdConfig(copy);
    }

    private JsonArray classes() {
        return tree.get(CLASSES) instanceof JsonArray array ? array : new JsonArray();
    }

    private Stream<JsonObject> entries() {
        return StreamSupport.stream(classes().spliterator(), false)
                .filter(JsonElement::isJsonObject)
                .map(JsonElement::getAsJsonObject);
    }

    private static String nameOf(JsonObject entry) {
        return Optional.ofNullable(entry.get(NAME))
                .filter(JsonElement::isJsonPrimitive)
                .map(JsonElement::getAsString)
                .orElse("");
    }

    /** TopoLVM matches keys whatever their case; only ours are known to be lower case. */
    private static JsonObject lowerCased(JsonObject mapping) {
        var lower = new JsonObject();
        for (var member : mapping.entrySet()) {
            lower.add(member.getKey().toLowerCase(Locale.ROOT), lowerCased(member.getValue()));
        }
        return lower;
    }

    private static JsonElement lowerCased(JsonElement value) {
        return switch (value) {
            case JsonObject mapping -> lowerCased(mapping);
            case JsonArray list -> {
                var lower = new JsonArray();
                list.forEach(element -> lower.add(lowerCased(element)));
                yield lower;
            }
            default -> value;
        };
    }

    /** Writes every key in alphabetical order, as TopoLVM does. */
    private static JsonObject withEveryKey(JsonObject read) {
        var sorted = new TreeMap<String, JsonElement>();
        sorted.put(CLASSES, new JsonArray());
        sorted.put(OPTION_CLASSES, JsonNull.INSTANCE);
        sorted.put(COMMAND_PREFIX, JsonNull.INSTANCE);
        sorted.put(SOCKET, new JsonPrimitive(""));
        read.entrySet().forEach(member -> sorted.put(member.getKey(), member.getValue()));
        var tree = new JsonObject();
        sorted.forEach(tree::add);
        return tree;
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
