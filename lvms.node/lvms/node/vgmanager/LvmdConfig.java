package lvms.node.vgmanager;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;

import lvms.k8s.yaml.Yaml;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The content of lvmd.yaml: the device classes of this node in TopoLVM's format. What a person
 * edited in it, such as spare space, stripes or option classes, stays and counts.
 */
final class LvmdConfig {
    private static final String CLASSES = "device-classes";
    private static final String NAME = "name";
    private static final String THIN_POOL = "thin-pool";

    private final JsonObject tree;

    private LvmdConfig(JsonObject tree) {
        this.tree = tree;
    }

    /** A file that does not exist yet. */
    static LvmdConfig empty() {
        return new LvmdConfig(withEveryKey(new JsonObject()));
    }

    /**
     * Reads the text of the file.
     *
     * @throws IllegalArgumentException if it is no YAML or no mapping
     */
    static LvmdConfig parse(String yaml) {
        return switch (Yaml.read(yaml)) {
            case JsonNull _ -> empty();
            case JsonObject mapping -> new LvmdConfig(withEveryKey(lowerCased(mapping)));
            default -> throw new IllegalArgumentException("lvmd.yaml is no mapping");
        };
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
     * What the file says, as far as it can be used.
     *
     * @param classes the device classes
     * @param problems one line for each entry that cannot be used
     */
    record Reading(DeviceClasses classes, List<String> problems) {}

    /** Turns the entries into device classes; one that makes no sense does not stop the others. */
    Reading read() {
        var found = new TreeMap<String, NodeDeviceClass>();
        var problems = new ArrayList<String>();
        boolean hasDefault = false;
        for (var entry : entries().toList()) {
            try {
                var deviceClass = LvmdEntry.read(entry, !hasDefault);
                if (found.putIfAbsent(deviceClass.name(), deviceClass) != null) {
                    problems.add("device class " + deviceClass.name() + " is listed twice");
                    continue;
                }
                hasDefault |= deviceClass.isDefault();
            } catch (IllegalArgumentException e) {
                problems.add("device class " + nameOf(entry) + ": " + e.getMessage());
            }
        }
        var options = LvmdEntry.optionClasses(tree.get("lvcreate-option-classes"));
        return new Reading(new DeviceClasses(List.copyOf(found.values()), options), problems);
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
        double ratio = pool.overprovisionRatio();
        entry.add(
                "overprovision-ratio",
                ratio == Math.rint(ratio)
                        ? new JsonPrimitive((long) ratio)
                        : new JsonPrimitive(ratio));
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
        sorted.put("lvcreate-option-classes", JsonNull.INSTANCE);
        sorted.put("lvm-command-prefix", JsonNull.INSTANCE);
        sorted.put("socket-name", new JsonPrimitive(""));
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
