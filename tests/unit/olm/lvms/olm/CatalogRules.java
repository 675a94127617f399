package lvms.olm;

import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;
import lvms.k8s.yaml.Yaml;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Judges a file-based catalogue of one package.
 *
 * <p>Source: the Operator Framework's pages on file-based catalogues, and its registry's model of a
 * channel.
 */
final class CatalogRules {
    private static final Set<String> PROPERTIES =
            Set.of("olm.package", "olm.gvk", "olm.csv.metadata", "olm.manifests.optional");

    private final String start;
    private final List<ObjectTree> documents;
    private final List<String> findings = new ArrayList<>();
    private final Map<String, ObjectTree> bundles = new LinkedHashMap<>();

    private CatalogRules(String text, String start) {
        this.start = start;
        documents = Yaml.readAll(text).stream().map(Tree::asObject).toList();
    }

    /**
     * Returns what is wrong, a line for each.
     *
     * @param start what the first version replaces, which the catalogue does not have
     */
    static List<String> findings(String text, String start) {
        var rules = new CatalogRules(text, start);
        rules.judge();
        return rules.findings;
    }

    private List<ObjectTree> of(String schema) {
        return documents.stream().filter(d -> d.text("schema").orElse("").equals(schema)).toList();
    }

    private void judge() {
        for (var document : documents) {
            if (!Set.of("olm.package", "olm.channel", "olm.bundle")
                    .contains(document.text("schema").orElse(""))) {
                findings.add("schema " + document.text("schema").orElse("") + " is not known");
            }
        }
        if (of("olm.package").size() != 1) {
            findings.add(of("olm.package").size() + " packages, not 1");
            return;
        }
        var packaged = of("olm.package").getFirst();
        var name = packaged.text("name").orElse("");
        if (of("olm.channel").stream()
                .noneMatch(c -> c.text("name").equals(packaged.text("defaultChannel")))) {
            findings.add("default channel " + packaged.text("defaultChannel").orElse("") + "?");
        }
        if (packaged.text("icon", "base64data").isEmpty()
                || packaged.text("description").isEmpty()) {
            findings.add("the package lacks icon or description");
        }
        for (var document : documents) {
            if (document != packaged && !document.text("package").orElse("").equals(name)) {
                findings.add("package " + document.text("package").orElse("") + " is not " + name);
            }
        }
        of("olm.bundle").forEach(bundle -> judgeBundle(bundle, name));
        var channels = new HashSet<String>();
        var used = new HashSet<String>();
        for (var channel : of("olm.channel")) {
            if (!channels.add(channel.text("name").orElse(""))) {
                findings.add("channel " + channel.text("name").orElse("") + " is there twice");
            }
            judgeChannel(channel, used);
        }
        bundles.keySet().stream()
                .filter(b -> !used.contains(b))
                .forEach(b -> findings.add(b + " is in no channel"));
    }

    private void judgeBundle(ObjectTree bundle, String packageName) {
        var name = bundle.text("name").orElse("");
        if (bundles.put(name, bundle) != null) {
            findings.add(name + " is there twice");
        }
        var images = bundle.objects("relatedImages").stream().map(i -> i.text("image")).toList();
        if (bundle.text("image").isEmpty() || !images.contains(bundle.text("image"))) {
            findings.add(name + ": its image is missing, or not in relatedImages");
        }
        if (images.contains(Optional.of("")) || images.size() < 2) {
            findings.add(name + ": relatedImages lacks the operator's");
        }
        var counts = new HashMap<String, Integer>();
        for (var property : bundle.objects("properties")) {
            var type = property.text("type").orElse("");
            counts.merge(type, 1, Integer::sum);
            if (!PROPERTIES.contains(type)) {
                findings.add(name + ": nothing is known of property " + type);
            }
            if (type.equals("olm.package")) {
                var version = property.text("value", "version").orElse("");
                if (!property.text("value", "packageName").orElse("").equals(packageName)
                        || !VersionRange.isVersion(version)
                        || !name.equals(packageName + ".v" + version)) {
                    findings.add(name + ": olm.package is " + property.at("value"));
                }
            }
        }
        for (var type : List.of("olm.package", "olm.csv.metadata")) {
            if (counts.getOrDefault(type, 0) != 1) {
                findings.add(name + ": " + counts.getOrDefault(type, 0) + " of " + type);
            }
        }
        if (!counts.containsKey("olm.gvk")) {
            findings.add(name + " provides nothing");
        }
    }

    private void judgeChannel(ObjectTree channel, Set<String> used) {
        var entries = new LinkedHashMap<String, ObjectTree>();
        for (var entry : channel.objects("entries")) {
            var name = entry.text("name").orElse("");
            if (entries.put(name, entry) != null) {
                findings.add("entry " + name + " is there twice");
            }
            if (!bundles.containsKey(name)) {
                findings.add("entry " + name + " has no bundle");
            }
            judgeRange(name, entry);
        }
        used.addAll(entries.keySet());
        var reached = new TreeSet<>(entries.keySet());
        for (var entry : entries.values()) {
            entry.text("replaces").ifPresent(reached::remove);
            entry.texts("skips").forEach(reached::remove);
        }
        if (reached.size() != 1) {
            findings.add("channel " + channel.text("name").orElse("") + ": heads " + reached);
            return;
        }
        walk(reached.first(), entries);
    }

    private void judgeRange(String name, ObjectTree entry) {
        var range = entry.text("skipRange").orElse("");
        try {
            if (VersionRange.of(range).includes(name.replaceFirst("^[a-z0-9-]+[.]v", ""))) {
                findings.add("entry " + name + " skips itself");
            }
        } catch (IllegalArgumentException e) {
            findings.add("entry " + name + ": skipRange \"" + range + "\"");
        }
    }

    /** From the head back to LVMS, and nothing beside the way. */
    private void walk(String head, Map<String, ObjectTree> entries) {
        var left = new TreeSet<>(entries.keySet());
        var here = head;
        while (entries.containsKey(here) && left.remove(here)) {
            entries.get(here).texts("skips").forEach(left::remove);
            here = entries.get(here).text("replaces").orElse("");
        }
        if (!here.equals(start)) {
            findings.add("the graph begins with \"" + here + "\", not with " + start);
        }
        if (!left.isEmpty()) {
            findings.add("no way to " + left);
        }
    }
}
