package lvms.k8s.testkit.kinds;

import com.google.gson.JsonObject;

import lvms.k8s.testkit.json.Json;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Every resource that is served now. Safe for any thread. */
public final class Registry {
    private final Map<String, Resource> builtins = new LinkedHashMap<>();
    private final Map<String, List<Resource>> custom = new ConcurrentHashMap<>();
    private final Set<String> retired = ConcurrentHashMap.newKeySet();
    private final AtomicLong generation = new AtomicLong();

    /** A registry of the built-in resources. */
    public Registry() {
        Builtins.all().forEach(resource -> builtins.put(key(resource), resource));
    }

    /** The resource behind a path, if it is served. */
    public Optional<Resource> find(String group, String version, String plural) {
        var builtin = builtins.get(group + "/" + version + "/" + plural);
        if (builtin != null) {
            return Optional.of(builtin);
        }
        return all().stream()
                .filter(r -> r.group().equals(group) && r.version().equals(version))
                .filter(r -> r.plural().equals(plural))
                .findFirst();
    }

    /** Whether a group belongs to the server itself, not to definitions. */
    public boolean isBuiltin(String group) {
        return builtins.values().stream().anyMatch(r -> r.group().equals(group));
    }

    public Optional<Resource> ofKind(String apiVersion, String kind) {
        return all().stream()
                .filter(r -> r.apiVersion().equals(apiVersion) && r.kind().equals(kind))
                .findFirst();
    }

    /** One resource for each stored type. */
    public Collection<Resource> stored() {
        var result = new LinkedHashMap<String, Resource>();
        all().stream()
                .filter(r -> r.verbs().contains("list"))
                .forEach(r -> result.putIfAbsent(r.storage(), r));
        return result.values();
    }

    /** All resources, built-in ones first. */
    public List<Resource> all() {
        var result = new ArrayList<>(builtins.values());
        custom.keySet().stream().sorted().forEach(name -> result.addAll(served(name)));
        return result;
    }

    private List<Resource> served(String name) {
        return custom.getOrDefault(name, List.of());
    }

    /** Serves what a definition defines, replacing what the one of that name defined before. */
    public void define(JsonObject definition) {
        custom.put(Json.text(definition, "metadata", "name"), CustomResources.of(definition));
        generation.incrementAndGet();
    }

    /** No more objects are made of a definition that is being deleted. */
    public void retire(String name) {
        if (retired.add(name)) {
            generation.incrementAndGet();
        }
    }

    /** Returns what discovery says that can be done with the objects of a resource. */
    public List<String> verbs(Resource resource) {
        return isRetired(resource)
                ? List.of("delete", "deletecollection", "get", "list", "watch")
                : resource.verbs();
    }

    public boolean isRetired(Resource resource) {
        return retired.contains(resource.qualifiedPlural());
    }

    /** Stops serving the resources of a definition. */
    public void forget(String name) {
        custom.remove(name);
        retired.remove(name);
        generation.incrementAndGet();
    }

    /** Changes whenever what is served changes. */
    public long generation() {
        return generation.get();
    }

    private static String key(Resource resource) {
        return resource.group() + "/" + resource.version() + "/" + resource.plural();
    }
}
