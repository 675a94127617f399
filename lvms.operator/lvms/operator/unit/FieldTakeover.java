package lvms.operator.unit;

import lvms.api.Names;
import lvms.k8s.client.JsonPatch;
import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;

import java.util.Optional;
import java.util.Set;

/**
 * Makes the fields that a predecessor wrote our own, so that an apply also removes those that we do
 * not ask for, such as its volumes, which would keep our pods from starting.
 *
 * <p>Its agents wrote under the same name as its operator. Where they kept something in an object,
 * such as finalizers and the record of wiped devices in an LVMVolumeGroup, its spec alone is ours.
 */
enum FieldTakeover {
    WHOLE,
    SPEC;

    private static final Set<String> PREDECESSORS =
            Set.of("lvms", "lvm-operator", "manager", "topolvm-operator");
    private static final String FIELDS = "fieldsV1";
    private static final String SPEC_FIELDS = "f:spec";

    /** Returns a JSON patch that hands the fields over, empty if there is nothing to hand over. */
    Optional<JsonPatch> patch(KubeObject object) {
        var entries = object.objects("metadata", "managedFields");
        var theirs =
                entries.stream()
                        .filter(entry -> isPredecessor(entry) && !share(entry).isEmpty())
                        .findFirst();
        var ours = entries.stream().filter(FieldTakeover::isOurs).findFirst();
        if (theirs.isEmpty() || this == WHOLE && ours.isPresent()) {
            return Optional.empty();
        }
        var fields = ListTree.builder();
        for (var entry : entries) {
            if (entry == theirs.get()) {
                var rest = rest(entry);
                if (!rest.isEmpty()) {
                    fields.add(entry.with(rest, FIELDS));
                }
            } else if (!isOurs(entry)) {
                fields.add(entry);
            }
        }
        fields.add(ours(ours, theirs.get()));
        return Optional.of(patch(object.resourceVersion(), fields.build()));
    }

    /** The part of the entry that becomes ours. */
    private ObjectTree share(ObjectTree entry) {
        var all = entry.object(FIELDS).orElse(ObjectTree.EMPTY);
        return switch (this) {
            case WHOLE -> all;
            case SPEC ->
                    all.object(SPEC_FIELDS)
                            .map(spec -> ObjectTree.EMPTY.with(spec, SPEC_FIELDS))
                            .orElse(ObjectTree.EMPTY);
        };
    }

    /** The part of the entry that stays the predecessor's. */
    private ObjectTree rest(ObjectTree entry) {
        return this == WHOLE
                ? ObjectTree.EMPTY
                : entry.object(FIELDS).orElse(ObjectTree.EMPTY).without(SPEC_FIELDS);
    }

    private ObjectTree ours(Optional<ObjectTree> present, ObjectTree theirs) {
        var share = share(theirs);
        var fields =
                present.flatMap(entry -> entry.object(FIELDS))
                        .map(own -> union(own, share))
                        .orElse(share);
        return present.orElse(theirs).toBuilder()
                .put("manager", Names.OPERATOR)
                .put("operation", "Apply")
                .put(FIELDS, fields)
                .build();
    }

    private static ObjectTree union(ObjectTree a, ObjectTree b) {
        var all = a.toBuilder();
        for (var member : b.members().entrySet()) {
            var name = member.getKey();
            Tree value = member.getValue();
            all.put(
                    name,
                    a.object(name).isPresent()
                            ? union(a.object(name).get(), value.asObject())
                            : value);
        }
        return all.build();
    }

    private static boolean isOurs(ObjectTree entry) {
        return text(entry, "manager").equals(Names.OPERATOR)
                && text(entry, "operation").equals("Apply");
    }

    private static boolean isPredecessor(ObjectTree entry) {
        return PREDECESSORS.contains(text(entry, "manager"))
                && text(entry, "operation").equals("Update")
                && text(entry, "subresource").isEmpty();
    }

    private static String text(ObjectTree entry, String name) {
        return entry.text(name).orElse("");
    }

    private static JsonPatch patch(String resourceVersion, ListTree fields) {
        // Not a test operation: the server itself answers another version with a conflict.
        return JsonPatch.create()
                .replace(fields, "metadata", "managedFields")
                .replace(resourceVersion, "metadata", "resourceVersion");
    }
}
