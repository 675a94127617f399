package lvms.k8s.testkit.write;

import com.google.gson.JsonObject;

import lvms.k8s.testkit.call.Call;
import lvms.k8s.testkit.call.Refusal;
import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.json.Scalars;
import lvms.k8s.testkit.kinds.Resource;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** What the server itself writes into the metadata of a new object. */
final class NewMetadata {
    /** How many generated names to try. */
    static final int ATTEMPTS = 8;

    private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
    private static final int SUFFIX = 5;
    private static final int MAX_PREFIX = 58;

    private NewMetadata() {}

    /** Puts the object into the namespace of the request. */
    static void placeIn(Call call, JsonObject metadata) {
        if (!call.resource().namespaced()) {
            metadata.remove("namespace");
            return;
        }
        var given = Json.text(metadata, "namespace");
        if (!given.isEmpty() && !given.equals(call.namespace())) {
            throw Refusal.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the"
                            + " request");
        }
        metadata.addProperty("namespace", call.namespace());
    }

    /** A name with a random suffix; it may be taken already. */
    static String generate(String prefix) {
        var name = new StringBuilder(prefix);
        name.setLength(Math.min(prefix.length(), MAX_PREFIX));
        for (int i = 0; i < SUFFIX; i++) {
            int at = ThreadLocalRandom.current().nextInt(ALPHABET.length());
            name.append(ALPHABET.charAt(at));
        }
        return name.toString();
    }

    /** Sets identity and time, and drops what only the server may set. */
    static void initialise(Resource resource, JsonObject object) {
        var metadata = object.getAsJsonObject("metadata");
        for (var name :
                List.of(
                        "deletionTimestamp",
                        "deletionGracePeriodSeconds",
                        "generation",
                        "selfLink",
                        "resourceVersion")) {
            metadata.remove(name);
        }
        metadata.addProperty("uid", UUID.randomUUID().toString());
        metadata.addProperty("creationTimestamp", Scalars.time(Instant.now()));
        var finalizers = resource.rules().finalizers();
        if (!finalizers.isEmpty()) {
            var all = new LinkedHashSet<>(Json.texts(metadata, "finalizers"));
            all.addAll(finalizers);
            metadata.add("finalizers", Json.array(all));
        }
    }

    /** Drops owner references whose UID occurred before, with a warning. */
    static void dropDoubledOwners(Call call, JsonObject metadata) {
        var kept = new LinkedHashMap<String, JsonObject>();
        var doubled = new TreeSet<String>();
        for (var owner : Json.objects(metadata, "ownerReferences")) {
            var uid = Json.text(owner, "uid");
            if (kept.putIfAbsent(uid, owner) != null) {
                doubled.add(uid);
            }
        }
        if (!doubled.isEmpty()) {
            var owners = Json.arrayOf();
            kept.values().forEach(owners::add);
            metadata.add("ownerReferences", owners);
            call.warnings()
                    .add(
                            ".metadata.ownerReferences contains duplicate entries; API server"
                                + " dedups owner references in 1.20+, and may reject such requests"
                                + " as early as 1.24; please fix your requests; duplicate UID(s)"
                                + " observed: "
                                    + String.join(", ", doubled));
        }
    }
}
