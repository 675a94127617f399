package lvms.operator.takeover;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.operator.uninstall.Item;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The objects of the predecessor as they were before a take-over, as a ConfigMap keeps them. Where
 * one is in it, a later one of that name is not: a second try finds what the first one left.
 *
 * @param system name of the predecessor
 * @param items the objects, in the order in which they were removed
 */
record TakeoverRecord(String system, List<Item> items) {
    /** The ConfigMap's name. */
    static final String NAME = "lvms-takeover";

    private static final String SYSTEM = "system";
    private static final String OBJECTS = "objects";

    TakeoverRecord {
        items = List.copyOf(items);
    }

    static ObjectKey key(String namespace) {
        return ObjectKey.of(namespace, NAME);
    }

    /** Reads it from its ConfigMap. */
    static TakeoverRecord of(KubeObject configMap) {
        var items = new ArrayList<Item>();
        var list = Json.parse(configMap.text("data", OBJECTS).orElse("[]")).asList();
        for (var entry : list.objects()) {
            items.add(
                    new Item(
                            type(entry.object("type").orElseThrow()),
                            KubeObject.of(entry.object("object").orElseThrow())));
        }
        return new TakeoverRecord(configMap.text("data", SYSTEM).orElse(""), items);
    }

    /** The same with more objects. */
    TakeoverRecord with(List<Item> more) {
        var all = new ArrayList<>(items);
        for (var item : more) {
            if (find(item.type(), item.key()).isEmpty()) {
                all.add(new Item(item.type(), bare(item.object())));
            }
        }
        return new TakeoverRecord(system, all);
    }

    Optional<KubeObject> find(ResourceType type, ObjectKey key) {
        return items.stream()
                .filter(item -> item.type().equals(type) && item.key().equals(key))
                .map(Item::object)
                .findFirst();
    }

    /**
     * Returns an object of these without owners among them: an owner that comes back has another
     * UID, and whatever names the old one is collected as garbage.
     */
    Item withoutLostOwners(Item item) {
        var path = new String[] {"metadata", "ownerReferences"};
        var kept = item.object().objects(path).stream().filter(owner -> !isOne(owner)).toList();
        return kept.size() == item.object().objects(path).size()
                ? item
                : new Item(item.type(), item.object().with(ListTree.of(kept), path));
    }

    private boolean isOne(ObjectTree owner) {
        return items.stream()
                .anyMatch(
                        item ->
                                owner.text("kind").filter(item.type().kind()::equals).isPresent()
                                        && owner.text("name")
                                                .filter(item.name()::equals)
                                                .isPresent());
    }

    KubeObject configMap(String namespace) {
        var list = ListTree.builder();
        for (var item : items) {
            list.add(
                    ObjectTree.builder()
                            .put("type", json(item.type()))
                            .put("object", item.object().json())
                            .build());
        }
        return KubeObject.create(Types.CONFIG_MAP, key(namespace))
                .with(
                        ObjectTree.ofTexts(Map.of("app.kubernetes.io/part-of", "lvms-provisioner")),
                        "metadata",
                        "labels")
                .with(system, "data", SYSTEM)
                .with(Json.write(list.build()), "data", OBJECTS);
    }

    /** What the server writes itself cannot be created again. */
    private static KubeObject bare(KubeObject object) {
        return object.without("status")
                .without("metadata", "uid")
                .without("metadata", "resourceVersion")
                .without("metadata", "generation")
                .without("metadata", "creationTimestamp")
                .without("metadata", "managedFields")
                .without("metadata", "selfLink");
    }

    private static ObjectTree json(ResourceType type) {
        return ObjectTree.builder()
                .put("group", type.group())
                .put("version", type.version())
                .put("kind", type.kind())
                .put("plural", type.plural())
                .put("namespaced", type.namespaced())
                .build();
    }

    private static ResourceType type(ObjectTree json) {
        return new ResourceType(
                json.text("group").orElse(""),
                json.text("version").orElse(""),
                json.text("kind").orElse(""),
                json.text("plural").orElse(""),
                json.flag("namespaced").orElse(false));
    }
}
