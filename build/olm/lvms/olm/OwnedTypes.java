package lvms.olm;

import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What a console shows of our types. All of it is in their definitions.
 *
 * @param definitions of the types
 */
record OwnedTypes(List<KubeObject> definitions) {
    private static final String SHOWN_AS = "urn:alm:descriptor:";
    private static final String FIELD = SHOWN_AS + "com.tectonic.ui:";

    /** Returns each version of each type, with its fields. */
    ListTree owned() {
        var list = ListTree.builder();
        for (var definition : definitions) {
            for (var version : definition.objects("spec", "versions")) {
                list.add(owned(definition, version));
            }
        }
        return list.build();
    }

    private static ObjectTree owned(KubeObject definition, ObjectTree version) {
        var kind = definition.text("spec", "names", "kind").orElseThrow();
        var schema = version.object("schema", "openAPIV3Schema").orElseThrow();
        return ObjectTree.builder()
                .put("name", definition.name())
                .put("version", version.text("name").orElseThrow())
                .put("kind", kind)
                .put("displayName", title(kind))
                .put("description", schema.text("description").orElseThrow())
                .put("specDescriptors", fields(schema, "spec"))
                .put("statusDescriptors", fields(schema, "status"))
                .build();
    }

    /** Returns the types as properties of a bundle name them. */
    ListTree provided() {
        var list = ListTree.builder();
        for (var definition : definitions) {
            for (var version : definition.objects("spec", "versions")) {
                list.add(
                        ObjectTree.builder()
                                .put("group", definition.text("spec", "group").orElseThrow())
                                .put("kind", definition.text("spec", "names", "kind").orElseThrow())
                                .put("version", version.text("name").orElseThrow())
                                .build());
            }
        }
        return list.build();
    }

    private static ListTree fields(ObjectTree schema, String part) {
        var list = ListTree.builder();
        schema.object("properties", part).ifPresent(tree -> descend(tree, "", list));
        return list.build();
    }

    private static void descend(ObjectTree schema, String path, ListTree.Builder list) {
        schema.object("items").ifPresent(items -> descend(items, path + "[0]", list));
        schema.object("properties")
                .ifPresent(
                        properties ->
                                properties
                                        .members()
                                        .forEach(
                                                (name, field) -> {
                                                    var here =
                                                            path.isEmpty()
                                                                    ? name
                                                                    : path + "." + name;
                                                    list.add(
                                                            descriptor(
                                                                    name, here, field.asObject()));
                                                    descend(field.asObject(), here, list);
                                                }));
    }

    private static ObjectTree descriptor(String name, String path, ObjectTree field) {
        var out = ObjectTree.builder().put("path", path).put("displayName", title(name));
        field.text("description").ifPresent(text -> out.put("description", text));
        shownAs(path, field).ifPresent(list -> out.put("x-descriptors", list));
        return out.build();
    }

    private static Optional<ListTree> shownAs(String path, ObjectTree field) {
        if (path.equals("conditions")) {
            return Optional.of(ListTree.ofTexts(List.of(SHOWN_AS + "io.kubernetes.conditions")));
        }
        if (field.has("enum")) {
            var choices = field.texts("enum").stream().map(c -> FIELD + "select:" + c).toList();
            return Optional.of(ListTree.ofTexts(choices));
        }
        return switch (field.text("type").orElse("")) {
            case "boolean" -> Optional.of(ListTree.ofTexts(List.of(FIELD + "booleanSwitch")));
            case "integer" -> Optional.of(ListTree.ofTexts(List.of(FIELD + "number")));
            case "string" -> Optional.of(ListTree.ofTexts(List.of(FIELD + "text")));
            default -> Optional.empty();
        };
    }

    /** Returns the words of a name: {@code LVMCluster} becomes {@code LVM Cluster}. */
    static String title(String name) {
        var words =
                name.replaceAll("([a-z0-9])([A-Z])", "$1 $2")
                        .replaceAll("([A-Z])([A-Z][a-z])", "$1 $2");
        return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
    }
}
