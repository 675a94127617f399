package lvms.tests.apiserver.rest;

import com.google.gson.JsonObject;

import lvms.tests.apiserver.json.Json;
import lvms.tests.apiserver.kinds.Registry;
import lvms.tests.apiserver.kinds.Resource;
import lvms.tests.apiserver.store.Key;
import lvms.tests.apiserver.store.Store;

import java.util.Optional;

/** What the server holds: objects, and the resources they belong to. */
public record Cluster(Store store, Registry registry) {
    /** A stored object, in the version of its resource. */
    Optional<JsonObject> get(Resource resource, Key key) {
        return store.get(resource.storage(), key);
    }

    /** A namespace object. */
    Optional<JsonObject> namespace(String name) {
        return store.get("/namespaces", new Key("", name));
    }

    /** Whether a namespace or definition, or any object, is on its way out. */
    static boolean terminating(JsonObject object) {
        return Json.at(object, "metadata", "deletionTimestamp").isPresent();
    }
}
