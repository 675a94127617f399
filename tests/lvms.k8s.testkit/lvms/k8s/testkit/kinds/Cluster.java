package lvms.k8s.testkit.kinds;

import com.google.gson.JsonObject;

import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.store.Key;
import lvms.k8s.testkit.store.Store;

import java.util.Optional;

/** What the server holds: objects, and the resources they belong to. */
public record Cluster(Store store, Registry registry) {
    /** A stored object, in the version of its resource. */
    public Optional<JsonObject> get(Resource resource, Key key) {
        return store.get(resource.storage(), key);
    }

    public Optional<JsonObject> namespace(String name) {
        return store.get("/namespaces", new Key("", name));
    }

    /** Whether a namespace, a definition or any other object is being deleted. */
    public static boolean terminating(JsonObject object) {
        return Json.at(object, "metadata", "deletionTimestamp").isPresent();
    }
}
