package lvms.k8s.testkit.discovery;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;

import lvms.k8s.testkit.call.Refusal;
import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.kinds.Registry;
import lvms.k8s.testkit.kinds.Resource;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Tells clients what is served: all groups at once, or the resources of one version. */
public record Discovery(Registry registry) {
    public static final String AGGREGATED =
            "application/json;g=apidiscovery.k8s.io;v=%s;as=APIGroupDiscoveryList";

    /**
     * The media type of the aggregated form, in the version that the client asks for. The groups
     * are served only in this form; other clients get 406.
     */
    public static String mediaType(String accept) {
        for (var range : accept.split(",")) {
            var words = List.of(range.replace(" ", "").split(";"));
            boolean ours =
                    words.contains("g=apidiscovery.k8s.io")
                            && words.contains("as=APIGroupDiscoveryList")
                            && words.stream().noneMatch(w -> w.startsWith("profile="));
            for (var version : List.of("v2", "v2beta1")) {
                if (ours && words.contains("v=" + version)) {
                    return AGGREGATED.formatted(version);
                }
            }
        }
        throw Refusal.notAcceptable(AGGREGATED.formatted("v2"));
    }

    /** {@code /api} or {@code /apis} in the aggregated form. */
    public JsonObject groups(boolean core, String mediaType) {
        var items = new JsonArray();
        byGroup(core)
                .forEach(
                        (group, versions) -> {
                            var list = new JsonArray();
                            versions.forEach(
                                    (version, resources) ->
                                            list.add(
                                                    Json.of(
                                                            "version",
                                                            version,
                                                            "resources",
                                                            entries(resources),
                                                            "freshness",
                                                            "Current")));
                            var metadata =
                                    group.isEmpty() ? new JsonObject() : Json.of("name", group);
                            items.add(Json.of("metadata", metadata, "versions", list));
                        });
        var version = mediaType.contains("v=v2beta1") ? "v2beta1" : "v2";
        return Json.of(
                "kind",
                "APIGroupDiscoveryList",
                "apiVersion",
                "apidiscovery.k8s.io/" + version,
                "metadata",
                new JsonObject(),
                "items",
                items);
    }

    private Map<String, Map<String, List<Resource>>> byGroup(boolean core) {
        var groups = new LinkedHashMap<String, Map<String, List<Resource>>>();
        for (var resource : registry.all()) {
            if (resource.group().isEmpty() == core) {
                groups.computeIfAbsent(resource.group(), _ -> new LinkedHashMap<>())
                        .computeIfAbsent(resource.version(), _ -> new ArrayList<>())
                        .add(resource);
            }
        }
        return groups;
    }

    private JsonArray entries(List<Resource> resources) {
        var entries = new JsonArray();
        for (var resource : resources) {
            var entry =
                    Json.of(
                            "resource", resource.plural(),
                            "responseKind", kind(resource),
                            "scope", resource.namespaced() ? "Namespaced" : "Cluster",
                            "singularResource", resource.singular(),
                            "verbs", Json.array(registry.verbs(resource)));
            addNames(entry, resource);
            var subresources = new JsonArray();
            for (var name : subresources(resource)) {
                subresources.add(
                        Json.of(
                                "subresource", name,
                                "responseKind", subresourceKind(resource, name),
                                "verbs", subresourceVerbs(name)));
            }
            if (!subresources.isEmpty()) {
                entry.add("subresources", subresources);
            }
            entries.add(entry);
        }
        return entries;
    }

    private static void addNames(JsonObject entry, Resource resource) {
        if (!resource.shortNames().isEmpty()) {
            entry.add("shortNames", Json.array(resource.shortNames()));
        }
        if (!resource.categories().isEmpty()) {
            entry.add("categories", Json.array(resource.categories()));
        }
    }

    private static List<String> subresources(Resource resource) {
        return Stream.concat(
                        Stream.of("status", "scale"),
                        resource.rules().subresources().stream().sorted())
                .filter(resource::hasSubresource)
                .toList();
    }

    private static JsonArray subresourceVerbs(String name) {
        boolean readable = name.equals("status") || name.equals("scale");
        return readable ? Json.arrayOf("get", "patch", "update") : Json.arrayOf("create");
    }

    private static JsonObject kind(Resource resource) {
        return Json.of(
                "group", resource.group(),
                "version", resource.version(),
                "kind", resource.kind());
    }

    private static JsonObject subresourceKind(Resource resource, String name) {
        return switch (name) {
            case "scale" -> Json.of("group", "autoscaling", "version", "v1", "kind", "Scale");
            case "binding" -> Json.of("group", "", "version", "v1", "kind", "Binding");
            case "token" ->
                    Json.of(
                            "group", "authentication.k8s.io",
                            "version", "v1",
                            "kind", "TokenRequest");
            default -> kind(resource);
        };
    }

    /** {@code /api/v1} or {@code /apis/GROUP/VERSION}. */
    public JsonObject resources(String group, String version) {
        var list = new JsonArray();
        String groupVersion = group.isEmpty() ? version : group + "/" + version;
        for (var resource : registry.all()) {
            if (resource.apiVersion().equals(groupVersion)) {
                addLegacy(list, resource);
            }
        }
        if (list.isEmpty()) {
            throw Refusal.noSuchResource();
        }
        return Json.of(
                "kind",
                "APIResourceList",
                "apiVersion",
                "v1",
                "groupVersion",
                groupVersion,
                "resources",
                list);
    }

    private void addLegacy(JsonArray list, Resource resource) {
        var entry =
                Json.of(
                        "name", resource.plural(),
                        "singularName", resource.singular(),
                        "namespaced", resource.namespaced(),
                        "kind", resource.kind(),
                        "verbs", Json.array(registry.verbs(resource)));
        addNames(entry, resource);
        list.add(entry);
        for (var name : subresources(resource)) {
            var kind = subresourceKind(resource, name);
            list.add(
                    Json.of(
                            "name", resource.plural() + "/" + name,
                            "singularName", "",
                            "namespaced", resource.namespaced(),
                            "group", kind.get("group"),
                            "version", kind.get("version"),
                            "kind", kind.get("kind"),
                            "verbs", subresourceVerbs(name)));
        }
    }
}
