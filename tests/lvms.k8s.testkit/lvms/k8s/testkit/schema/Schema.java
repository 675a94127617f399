package lvms.k8s.testkit.schema;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What is allowed at one place of an object: the structural part of an OpenAPI schema, for built-in
 * types and custom resources alike.
 *
 * <p>Named built-in types may contain themselves, so children are filled in after construction.
 * After that nobody changes a schema.
 */
public final class Schema {
    /** The kinds of value. */
    public enum Type {
        OBJECT,
        ARRAY,
        STRING,
        INTEGER,
        NUMBER,
        BOOLEAN,
        INT_OR_STRING,
        ANY
    }

    /** What identifies the members of a list. */
    public enum ListType {
        ATOMIC,
        SET,
        MAP
    }

    final Type type;
    String format = "";
    String typeName = "";
    Map<String, Schema> properties = new LinkedHashMap<>();
    Set<String> required = new LinkedHashSet<>();
    Schema items;
    Schema additional;
    JsonElement defaultValue;
    boolean nullable;
    boolean preserveUnknown;
    boolean embedded;
    boolean atomic;
    ListType listType = ListType.ATOMIC;
    List<String> mapKeys = List.of();
    String mergeKey = "";
    boolean patchMerge;
    boolean retainKeys;
    JsonObject checks = new JsonObject();
    List<Rule> rules = List.of();

    Schema(Type type) {
        this.type = type;
    }

    /** A copy of the schema for one use; it shares the children. */
    Schema copy() {
        var copy = new Schema(type);
        copy.format = format;
        copy.typeName = typeName;
        copy.properties = properties;
        copy.required = required;
        copy.items = items;
        copy.additional = additional;
        copy.defaultValue = defaultValue;
        copy.nullable = nullable;
        copy.preserveUnknown = preserveUnknown;
        copy.embedded = embedded;
        copy.atomic = atomic;
        copy.listType = listType;
        copy.mapKeys = mapKeys;
        copy.mergeKey = mergeKey;
        copy.patchMerge = patchMerge;
        copy.retainKeys = retainKeys;
        copy.checks = checks;
        copy.rules = rules;
        return copy;
    }

    /** The OpenAPI format, or empty. Built-in types also use quantity and micro-time. */
    public String format() {
        return format;
    }

    /** The name of a built-in type, or empty. */
    public String typeName() {
        return typeName;
    }

    /** The named fields. */
    public Map<String, Schema> properties() {
        return properties;
    }

    /** The schema of list members. */
    public Optional<Schema> items() {
        return Optional.ofNullable(items);
    }

    /** The schema of a map's values. */
    public Optional<Schema> additional() {
        return Optional.ofNullable(additional);
    }

    /** The default for an absent value. */
    public Optional<JsonElement> defaultValue() {
        return Optional.ofNullable(defaultValue);
    }

    /** Whether an object is owned as a whole. */
    public boolean atomic() {
        return atomic;
    }

    /** What identifies the members of a list. */
    public ListType listType() {
        return listType;
    }

    /** The key fields of a map list. */
    public List<String> mapKeys() {
        return mapKeys;
    }

    /** The key field by which strategic merge patches match list members, or empty. */
    public String mergeKey() {
        return mergeKey;
    }

    /** Whether strategic merge patches merge this list instead of replacing it. */
    public boolean patchMerge() {
        return patchMerge;
    }

    /** The value checks (patterns, bounds, logic), as in the JSON schema. */
    public JsonObject checks() {
        return checks;
    }

    /** Whether there are CEL rules here or anywhere below. */
    boolean hasRules() {
        return !rules.isEmpty()
                || items != null && items.hasRules()
                || additional != null && additional.hasRules()
                || properties.values().stream().anyMatch(Schema::hasRules);
    }

    /** The schema of a named field, else of a map value. */
    public Optional<Schema> field(String name) {
        var named = properties.get(name);
        return named != null ? Optional.of(named) : additional();
    }
}
