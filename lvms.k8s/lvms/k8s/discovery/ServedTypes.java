package lvms.k8s.discovery;

import lvms.k8s.object.ResourceType;
import lvms.k8s.tree.JsonException;
import lvms.k8s.tree.ObjectTree;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All types of a server, the preferred version of each group first.
 *
 * <p>Source: aggregated discovery (KEP-3352), {@code APIGroupDiscoveryList} of {@code
 * apidiscovery.k8s.io/v2}.
 */
public final class ServedTypes {
    private final List<ServedType> all;

    private ServedTypes(List<ServedType> all) {
        this.all = List.copyOf(all);
    }

    /**
     * Reads the list of all groups.
     *
     * @throws JsonException if it is something else
     */
    public static ServedTypes of(ObjectTree list) {
        if (!list.text("kind").equals(Optional.of("APIGroupDiscoveryList"))) {
            throw new JsonException("the answer is not the list of all types");
        }
        var types = new ArrayList<ServedType>();
        for (var group : list.objects("items")) {
            var name = group.text("metadata", "name").orElse("");
            for (var version : group.objects("versions")) {
                for (var resource : version.objects("resources")) {
                    served(name, version.text("version").orElse(""), resource)
                            .ifPresent(types::add);
                }
            }
        }
        return new ServedTypes(types);
    }

    /** An entry without a name or a kind, such as of an older form, is left out. */
    private static Optional<ServedType> served(String group, String version, ObjectTree resource) {
        var plural = resource.text("resource").orElse("");
        var kind = resource.text("responseKind", "kind").orElse("");
        if (plural.isEmpty() || version.isEmpty()) {
            return Optional.empty();
        }
        boolean namespaced = resource.text("scope").equals(Optional.of("Namespaced"));
        var named = kind.isEmpty() ? plural : kind;
        return Optional.of(
                new ServedType(
                        new ResourceType(group, version, named, plural, namespaced),
                        resource.text("singularResource").orElse(""),
                        resource.texts("shortNames"),
                        resource.texts("categories"),
                        Set.copyOf(resource.texts("verbs")),
                        subresources(resource)));
    }

    private static Map<String, Set<String>> subresources(ObjectTree resource) {
        var verbs = new HashMap<String, Set<String>>();
        for (var subresource : resource.objects("subresources")) {
            subresource
                    .text("subresource")
                    .ifPresent(name -> verbs.put(name, Set.copyOf(subresource.texts("verbs"))));
        }
        return verbs;
    }

    /** Returns these and others behind them. */
    public ServedTypes and(ServedTypes others) {
        var both = new ArrayList<>(all);
        both.addAll(others.all);
        return new ServedTypes(both);
    }

    /** Returns all types, each version of each. */
    public List<ServedType> all() {
        return all;
    }

    /** Returns how the server serves this very type and version; empty if it does not. */
    public Optional<ServedType> serving(ResourceType type) {
        return all.stream()
                .filter(served -> served.type().apiVersion().equals(type.apiVersion()))
                .filter(served -> served.type().plural().equals(type.plural()))
                .findFirst();
    }

    /** Returns the type of an object, by what it says in {@code apiVersion} and {@code kind}. */
    public Optional<ServedType> ofKind(String apiVersion, String kind) {
        return all.stream()
                .filter(served -> served.type().apiVersion().equals(apiVersion))
                .filter(served -> served.type().kind().equals(kind))
                .findFirst();
    }

    /**
     * Returns the type that people mean by a word, as kubectl understands it: plural, singular,
     * short name or kind, in any case, alone or as {@code plural.group} or {@code
     * plural.version.group}. If several groups have such a type, the first one of the server wins,
     * and within a group its preferred version.
     */
    public Optional<ServedType> named(String word) {
        var lower = word.toLowerCase(Locale.ROOT);
        var exact = all.stream().filter(served -> served.isCalled(lower)).findFirst();
        int dot = lower.indexOf('.');
        if (exact.isPresent() || dot < 0) {
            return exact;
        }
        var name = lower.substring(0, dot);
        var rest = lower.substring(dot + 1);
        return all.stream()
                .filter(served -> served.isCalled(name) && isOf(served.type(), rest))
                .findFirst();
    }

    private static boolean isOf(ResourceType type, String rest) {
        return type.group().equals(rest) || (type.version() + "." + type.group()).equals(rest);
    }
}
