package lvms.k8s.testkit.write;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import lvms.k8s.testkit.call.Call;
import lvms.k8s.testkit.call.Intake;
import lvms.k8s.testkit.call.Refusal;
import lvms.k8s.testkit.fields.Ownership;
import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.kinds.Cluster;
import lvms.k8s.testkit.kinds.Resource;
import lvms.k8s.testkit.schema.Cause;
import lvms.k8s.testkit.store.Key;

import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Creates and changes objects: takes a write from the decoded body to the store. */
public final class Writer {
    public record Written(JsonObject object, boolean created) {}

    private final Cluster cluster;
    private final Admission admission;

    public Writer(Cluster cluster, Admission admission) {
        this.cluster = cluster;
        this.admission = admission;
    }

    /** POST: the body becomes a new object. */
    public JsonObject create(Call call, Intake.Body body) {
        var sent = Intake.object(call, body);
        var object =
                Intake.decode(
                        call,
                        sent,
                        body.duplicates(),
                        why -> Intake.undecodable(call.resource(), why));
        if (Json.at(object, "metadata", "resourceVersion").isPresent()) {
            throw Refusal.badRequest("resourceVersion should not be set on objects to be created");
        }
        return create(call, object, true);
    }

    /** Stores a decoded object that does not exist yet. */
    public JsonObject create(Call call, JsonObject object, boolean track) {
        var resource = call.resource();
        var metadata = Json.child(object, "metadata");
        NewMetadata.placeIn(call, metadata);
        NewMetadata.dropDoubledOwners(call, metadata);
        admission.admitNamespace(call);
        if (!Json.text(metadata, "name").isEmpty()) {
            return createNamed(call, object, track);
        }
        var prefix = Json.text(metadata, "generateName");
        if (prefix.isEmpty()) {
            throw Refusal.invalid(
                    resource,
                    "",
                    List.of(Cause.required("metadata.name", "name or generateName is required")));
        }
        for (int attempt = 1; ; attempt++) {
            metadata.addProperty("name", NewMetadata.generate(prefix));
            try {
                return createNamed(call, object.deepCopy(), track);
            } catch (Refusal e) {
                if (!e.reason().equals("AlreadyExists") || attempt == NewMetadata.ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private JsonObject createNamed(Call call, JsonObject object, boolean track) {
        var resource = call.resource();
        NewMetadata.initialise(resource, object);
        if (resource.status() && !resource.plural().equals("namespaces")) {
            object.remove("status");
        }
        resource.rules().prepareCreate(object);
        if (track) {
            noteOwner(call, new JsonObject(), object);
        }
        var admitted = admission.create(call, object);
        Validation.create(resource, admitted, cluster, call.warnings());
        admission.validate(call, "CREATE", Optional.of(admitted), Optional.empty());
        if (resource.generations()) {
            admitted.getAsJsonObject("metadata").addProperty("generation", 1);
        }
        var key = Key.of(admitted);
        if (call.dryRun()) {
            refuseExisting(call, key);
            return admitted;
        }
        return cluster.store()
                .create(resource.storage(), key, admitted)
                .orElseThrow(() -> exists(call, key));
    }

    private void refuseExisting(Call call, Key key) {
        if (cluster.get(call.resource(), key).isPresent()) {
            throw exists(call, key);
        }
    }

    private Refusal exists(Call call, Key key) {
        boolean leaving =
                cluster.get(call.resource(), key).filter(Cluster::terminating).isPresent();
        var refusal = Refusal.alreadyExists(call.resource(), key.name(), "");
        if (!leaving) {
            return refusal;
        }
        return Refusal.about(
                call.resource(),
                key.name(),
                409,
                "AlreadyExists",
                "object is being deleted: " + refusal.getMessage());
    }

    /** PUT: the body replaces an object. */
    public JsonObject replace(Call call, Intake.Body body) {
        var sent = Intake.object(call, body);
        return update(
                call,
                present ->
                        Intake.decode(
                                call,
                                sent,
                                body.duplicates(),
                                why -> Intake.undecodable(call.resource(), why)),
                true);
    }

    /**
     * Changes an object. {@code change} makes the new state from a copy of the present one, again
     * if someone else was faster.
     *
     * @param track whether the change still has to be written into the managed fields
     */
    public JsonObject update(Call call, UnaryOperator<JsonObject> change, boolean track) {
        while (true) {
            var present =
                    cluster.get(call.resource(), call.key())
                            .orElseThrow(() -> Refusal.notFound(call.resource(), call.name()));
            call.warnings().clear();
            var candidate = change.apply(present.deepCopy());
            var written = write(call, present, candidate, track);
            if (written.isPresent()) {
                return written.get();
            }
        }
    }

    private Optional<JsonObject> write(
            Call call, JsonObject present, JsonObject candidate, boolean track) {
        var resource = call.resource();
        UpdatedMetadata.check(call, present, candidate);
        var merged = UpdatedMetadata.merge(call, present, candidate);
        NewMetadata.dropDoubledOwners(call, merged.getAsJsonObject("metadata"));
        if (track) {
            noteOwner(call, present, merged);
        }
        if (!call.onStatus()) {
            resource.rules().prepareUpdate(merged, present);
        }
        UpdatedMetadata.countGeneration(resource, present, merged);
        var object = admission.update(call, merged, present);
        Validation.update(call, object, present, cluster);
        admission.validate(call, "UPDATE", Optional.of(object), Optional.of(present));
        if (Ownership.sameButForTimes(object, present)) {
            return Optional.of(present);
        }
        if (call.dryRun()) {
            return Optional.of(object);
        }
        return finished(resource, object)
                ? cluster.store().remove(resource.storage(), call.key(), present, object)
                : cluster.store().replace(resource.storage(), call.key(), present, object);
    }

    /** Whether nothing holds a terminating object back any more. */
    private static boolean finished(Resource resource, JsonObject object) {
        if (!Cluster.terminating(object)
                || !Json.list(object, "metadata", "finalizers").isEmpty()) {
            return false;
        }
        if (resource.plural().equals("namespaces") && resource.group().isEmpty()) {
            return Json.list(object, "spec", "finalizers").isEmpty();
        }
        return Json.number(object, 0, "metadata", "deletionGracePeriodSeconds") == 0;
    }

    /** Records who changed what in the managed fields of {@code after}. */
    private static void noteOwner(Call call, JsonObject before, JsonObject after) {
        var metadata = after.getAsJsonObject("metadata");
        var sent = metadata.get("managedFields");
        if (call.onStatus() || sent == null) {
            metadata.remove("managedFields");
            Json.at(before, "metadata", "managedFields")
                    .ifPresent(present -> metadata.add("managedFields", present.deepCopy()));
        } else if (isReset(sent)) {
            metadata.remove("managedFields");
            return;
        }
        ownership(call.resource()).update(before, after, call.manager(), call.subresource());
    }

    private static boolean isReset(JsonElement sent) {
        return sent instanceof JsonArray array
                && (array.isEmpty() || array.size() == 1 && array.get(0).equals(new JsonObject()));
    }

    static Ownership ownership(Resource resource) {
        return new Ownership(
                Intake.storageSchema(resource), resource.apiVersion(), resource.status());
    }
}
