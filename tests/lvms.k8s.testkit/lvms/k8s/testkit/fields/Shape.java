package lvms.k8s.testkit.fields;

import com.google.gson.JsonElement;

import lvms.k8s.testkit.schema.Schema;

/** How a value is owned: as a whole, by its fields, or by its members. */
enum Shape {
    LEAF,
    GRANULAR,
    MEMBERS;

    /**
     * The shape of a value.
     *
     * @param schema null if there is no schema: objects are then granular and lists atomic
     */
    static Shape of(Schema schema, JsonElement value) {
        if (value.isJsonObject()) {
            return schema != null && schema.atomic() ? LEAF : GRANULAR;
        }
        boolean members =
                value.isJsonArray()
                        && schema != null
                        && schema.listType() != Schema.ListType.ATOMIC;
        return members ? MEMBERS : LEAF;
    }

    /** The schema of a field, or null if there is none. */
    static Schema field(Schema schema, String name) {
        return schema == null ? null : schema.field(name).orElse(null);
    }
}
