package lvms.olm;

import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;
import lvms.k8s.yaml.Yaml;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Renders a folder of {@code deploy/} as kustomize does: resources, and patches that delete, merge
 * or are of RFC 6902. ConfigMaps that a folder has made from files are left out; all else is
 * refused.
 *
 * @param folder has a kustomization.yaml
 * @param text is applied to each file before it is read
 */
public record Kustomization(Path folder, UnaryOperator<String> text) {
    private static final Set<String> KNOWN =
            Set.of(
                    "apiVersion",
                    "kind",
                    "resources",
                    "patches",
                    "configMapGenerator",
                    "generatorOptions");
    private static final String DIRECTIVE = "$patch";

    /** Returns the objects in the order of the resources. */
    public List<KubeObject> objects() throws IOException {
        var kustomization = read(folder.resolve("kustomization.yaml")).getFirst();
        for (var key : kustomization.members().keySet()) {
            if (!KNOWN.contains(key)) {
                throw new IllegalArgumentException(folder + ": nothing is known of " + key);
            }
        }
        var objects = new ArrayList<KubeObject>();
        for (var resource : kustomization.texts("resources")) {
            var path = folder.resolve(resource).normalize();
            if (Files.isDirectory(path)) {
                objects.addAll(new Kustomization(path, text).objects());
            } else {
                read(path).stream().map(KubeObject::of).forEach(objects::add);
            }
        }
        for (var patch : kustomization.objects("patches")) {
            patch(objects, patch);
        }
        return objects;
    }

    private List<ObjectTree> read(Path file) throws IOException {
        return Yaml.readAll(text.apply(Files.readString(file))).stream()
                .map(Tree::asObject)
                .toList();
    }

    private void patch(List<KubeObject> objects, ObjectTree patch) {
        var content = Yaml.read(patch.text("patch").orElseThrow());
        var kind = patch.object("target").flatMap(t -> t.text("kind")).orElse("");
        var name = patch.object("target").flatMap(t -> t.text("name")).orElse("");
        if (content instanceof ObjectTree object && !patch.has("target")) {
            kind = object.text("kind").orElseThrow();
            name = object.text("metadata", "name").orElseThrow();
        }
        int hits = 0;
        for (int i = objects.size() - 1; i >= 0; i--) {
            var object = objects.get(i);
            if (object.kind().matches(kind) && object.name().matches(name)) {
                hits++;
                var changed = changed(object.json(), content);
                if (changed.isPresent()) {
                    objects.set(i, KubeObject.of(changed.get()));
                } else {
                    objects.remove(i);
                }
            }
        }
        if (hits == 0) {
            throw new IllegalArgumentException(folder + ": no " + kind + " " + name + " to patch");
        }
    }

    /** Returns the patched object; nothing if the patch deletes it. */
    private static Optional<ObjectTree> changed(ObjectTree object, Tree patch) {
        if (patch instanceof ObjectTree merge) {
            return merge.has(DIRECTIVE) ? Optional.empty() : Optional.of(merged(object, merge));
        }
        var result = object;
        for (var operation : patch.asList().objects()) {
            result = operated(result, operation);
        }
        return Optional.of(result);
    }

    private static ObjectTree merged(ObjectTree object, ObjectTree patch) {
        var out = object.toBuilder();
        patch.members()
                .forEach(
                        (name, value) -> {
                            if (value instanceof ObjectTree deeper) {
                                var here = object.object(name).orElse(ObjectTree.EMPTY);
                                out.put(name, merged(here, deeper));
                            } else if (value.isScalar()) {
                                out.put(name, value);
                            } else {
                                throw new IllegalArgumentException(
                                        "a merge of " + name + " needs a patch of RFC 6902");
                            }
                        });
        return out.build();
    }

    private static ObjectTree operated(ObjectTree object, ObjectTree operation) {
        var path = operation.text("path").orElseThrow();
        var steps = new ArrayList<String>();
        for (var step : path.substring(1).split("/")) {
            steps.add(step.replace("~1", "/").replace("~0", "~"));
        }
        var last = steps.removeLast();
        var op = operation.text("op").orElseThrow();
        return inside(
                        object,
                        steps,
                        parent -> {
                            if (!op.equals("add") && !parent.has(last)) {
                                throw new IllegalArgumentException("there is no " + path);
                            }
                            return switch (op) {
                                case "add", "replace" ->
                                        parent.toBuilder().put(last, operation.at("value")).build();
                                case "remove" -> parent.without(last);
                                default -> throw new IllegalArgumentException("unknown op " + op);
                            };
                        })
                .asObject();
    }

    private static Tree inside(Tree here, List<String> path, UnaryOperator<ObjectTree> change) {
        if (path.isEmpty()) {
            return change.apply(here.asObject());
        }
        var step = path.getFirst();
        var rest = path.subList(1, path.size());
        if (here instanceof ObjectTree object) {
            return object.with(inside(object.at(step), rest, change), step);
        }
        var elements = new ArrayList<>(here.asList().elements());
        int index = Integer.parseInt(step);
        elements.set(index, inside(elements.get(index), rest, change));
        return ListTree.of(elements);
    }
}
