package lvms.tests.docs;

import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;
import lvms.k8s.yaml.Yaml;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Every field of our kinds, from the schemas of their CustomResourceDefinitions. */
final class ObjectSection {
    /** The one kind that people write: there, each field has to say what a change of it does. */
    private static final String WRITTEN_BY_PEOPLE = "LVMCluster";

    private static final Set<String> COMMON = Set.of("apiVersion", "kind", "metadata");

    private ObjectSection() {}

    static String text(List<Path> folders) throws IOException {
        var text = new StringBuilder("## Objects\n");
        for (var folder : folders) {
            try (var files = Files.list(folder)) {
                for (var file : files.sorted().toList()) {
                    kind(file, text);
                }
            }
        }
        return text.toString();
    }

    private static void kind(Path file, StringBuilder text) throws IOException {
        var tree = (Map<?, ?>) plain(Yaml.read(Files.readString(file)));
        var spec = Schema.at(tree, "spec").tree();
        var version = Schema.at(spec, "versions", 0).tree();
        var schema = Schema.at(version, "schema", "openAPIV3Schema");
        var kind = Schema.at(spec, "names").tree().get("kind").toString();
        text.append("\n### ").append(kind).append("\n\n").append(schema.meaning());
        text.append(" Group `").append(spec.get("group")).append("`, version `");
        text.append(version.get("name")).append("`, scope ").append(spec.get("scope"));
        text.append(".\n");
        boolean byPeople = kind.equals(WRITTEN_BY_PEOPLE);
        for (var part : schema.properties().keySet()) {
            if (!COMMON.contains(part.toString())) {
                part(part.toString(), schema.property(part), byPeople, text);
            }
        }
    }

    private static void part(String name, Schema schema, boolean byPeople, StringBuilder text) {
        boolean changes = byPeople && name.equals("spec");
        var table =
                changes
                        ? new Table("field", "type", "default", "rules", "if it changes", "meaning")
                        : new Table("field", "type", "default", "rules", "meaning");
        text.append("\n`").append(name).append("`: ").append(schema.meaning()).append("\n\n");
        if (!schema.rules(false).isEmpty()) {
            text.append("Rules for the whole: ").append(schema.rules(false)).append("\n\n");
        }
        if (schema.properties().isEmpty()) {
            return;
        }
        rows("", schema, Optional.empty(), changes, table);
        text.append(table);
    }

    private static void rows(
            String prefix, Schema parent, Optional<String> decides, boolean changes, Table table) {
        for (var name : parent.properties().keySet()) {
            var schema = parent.property(name);
            var path = prefix + name;
            var cells = new ArrayList<String>();
            cells.add(Table.code(path));
            cells.add(schema.type());
            cells.add(schema.fallback());
            cells.add(schema.rules(parent.requires(name)));
            if (changes) {
                cells.add(change(path, schema, decides));
            }
            var inner = schema.items().orElse(schema);
            boolean listed = schema.items().isPresent() && !inner.properties().isEmpty();
            cells.add(schema.meaning());
            table.row(cells.toArray(String[]::new));
            rows(
                    path + (listed ? "[]." : "."),
                    inner,
                    below(path, schema, decides),
                    changes,
                    table);
        }
    }

    /** What a change does to a list with keys says nothing about the fields of an entry. */
    private static Optional<String> below(String path, Schema schema, Optional<String> decides) {
        if (schema.hasKeys()) {
            return Optional.empty();
        }
        return schema.change().isEmpty() ? decides : Optional.of(path);
    }

    /** What a change does is said at the field, or at the one around it. */
    private static String change(String path, Schema schema, Optional<String> decides) {
        if (schema.change().isEmpty() && decides.isEmpty() && schema.properties().isEmpty()) {
            throw new IllegalStateException(
                    path
                            + ": its description has to say what a change does (It cannot be ...,"
                            + " It may only ..., A change ..., If it changes ...)");
        }
        return schema.change().isEmpty()
                ? decides.map(field -> "as " + Table.code(field.replaceAll(".*[.]", ""))).orElse("")
                : schema.change();
    }

    private static Object plain(Tree element) {
        return switch (element) {
            case ObjectTree object -> {
                var map = new LinkedHashMap<String, Object>();
                object.members().entrySet().forEach(e -> map.put(e.getKey(), plain(e.getValue())));
                yield map;
            }
            case ListTree array -> {
                var list = new ArrayList<Object>();
                array.forEach(e -> list.add(plain(e)));
                yield List.copyOf(list);
            }
            default -> element.asText();
        };
    }
}
