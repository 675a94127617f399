package lvms.k8s.testkit.write;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;

import lvms.k8s.testkit.call.Call;
import lvms.k8s.testkit.call.Intake;
import lvms.k8s.testkit.call.Refusal;
import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.json.Scalars;
import lvms.k8s.testkit.kinds.Cluster;
import lvms.k8s.testkit.kinds.Resource;
import lvms.k8s.testkit.schema.Cause;

import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/** Deletes objects, or marks them while finalizers or a grace period hold them back. */
public final class Deleter {
    public static final String FOREGROUND = "foregroundDeletion";
    public static final String ORPHAN = "orphan";

    private final Cluster cluster;
    private final Admission admission;

    public Deleter(Cluster cluster, Admission admission) {
        this.cluster = cluster;
        this.admission = admission;
    }

    /** The options that a client may give for a deletion. */
    public record Options(
            Optional<Long> graceSeconds,
            String uid,
            String revision,
            String policy,
            boolean dryRun) {

        public static final Options NONE = new Options(Optional.empty(), "", "", "", false);

        /** Reads the body, or the query if there is no body. */
        public static Options of(Call call) {
            var body =
                    call.http().body().length == 0
                            ? new JsonObject()
                            : Intake.read(call.http()).tree().getAsJsonObject();
            var grace =
                    Json.at(body, "gracePeriodSeconds")
                            .map(JsonElement::getAsLong)
                            .or(() -> number(call.http().parameter("gracePeriodSeconds")));
            var policy = Json.text(body, "propagationPolicy");
            if (policy.isEmpty()) {
                policy = call.http().parameter("propagationPolicy");
            }
            checkPolicy(policy, body);
            if (Json.flag(body, "orphanDependents")) {
                policy = "Orphan";
            }
            return new Options(
                    grace,
                    Json.text(body, "preconditions", "uid"),
                    Json.text(body, "preconditions", "resourceVersion"),
                    policy,
                    call.dryRun() || Json.texts(body, "dryRun").contains("All"));
        }

        private static Optional<Long> number(String text) {
            return text.isEmpty() ? Optional.empty() : Optional.of(Long.valueOf(text));
        }

        private static void checkPolicy(String policy, JsonObject body) {
            var known = List.of("Foreground", "Background", "Orphan");
            if (!policy.isEmpty() && !known.contains(policy)) {
                throw bad(
                        Cause.notSupported(
                                "propagationPolicy",
                                new JsonPrimitive(policy),
                                List.of("Foreground", "Background", "Orphan", "nil")));
            }
            if (!policy.isEmpty() && body.has("orphanDependents")) {
                throw bad(
                        Cause.invalid(
                                "propagationPolicy",
                                new JsonPrimitive(policy),
                                "orphanDependents and deletionPropagation cannot be both set"));
            }
        }

        private static Refusal bad(Cause cause) {
            return Refusal.invalid("meta.k8s.io", "DeleteOptions", "", List.of(cause));
        }
    }

    /**
     * Deletes one object.
     *
     * @return the object while it still exists, or a Status of success
     */
    public JsonObject delete(Call call, Options options) {
        while (true) {
            var present =
                    cluster.get(call.resource(), call.key())
                            .orElseThrow(() -> Refusal.notFound(call.resource(), call.name()));
            checkPreconditions(call, present, options);
            admission.validate(call, "DELETE", Optional.empty(), Optional.of(present));
            var marked = marked(call.resource(), present, options);
            var answer =
                    marked.isPresent()
                            ? mark(call, present, marked.get(), options)
                            : remove(call, present, options);
            if (answer.isPresent()) {
                return answer.get();
            }
        }
    }

    private Optional<JsonObject> mark(
            Call call, JsonObject present, JsonObject marked, Options options) {
        if (options.dryRun() || marked.equals(present)) {
            return Optional.of(marked);
        }
        return cluster.store().replace(call.resource().storage(), call.key(), present, marked);
    }

    private Optional<JsonObject> remove(Call call, JsonObject present, Options options) {
        var status = success(call.resource(), present);
        if (options.dryRun()) {
            return Optional.of(status);
        }
        var last = present.deepCopy();
        return cluster.store()
                .remove(call.resource().storage(), call.key(), present, last)
                .map(_ -> status);
    }

    static JsonObject success(Resource resource, JsonObject object) {
        var details = Refusal.details(resource, Json.text(object, "metadata", "name"));
        details.addProperty("uid", Json.text(object, "metadata", "uid"));
        return Json.of(
                "kind", "Status",
                "apiVersion", "v1",
                "metadata", new JsonObject(),
                "status", "Success",
                "details", details);
    }

    /** The object marked as terminating, or empty if nothing holds it back. */
    private static Optional<JsonObject> marked(
            Resource resource, JsonObject present, Options options) {
        var finalizers = finalizers(present, options.policy());
        long grace =
                options.graceSeconds()
                        .orElseGet(() -> resource.rules().gracePeriodSeconds(present));
        if (resource.rules().gracePeriodSeconds(present) == 0) {
            grace = 0;
        }
        boolean held = !finalizers.isEmpty() || isNamespace(resource);
        boolean leaving = Cluster.terminating(present);
        if (!held && (grace == 0 || leaving && shortened(present, grace) == 0)) {
            return Optional.empty();
        }
        var object = present.deepCopy();
        var metadata = object.getAsJsonObject("metadata");
        metadata.add("finalizers", Json.array(finalizers));
        if (finalizers.isEmpty()) {
            metadata.remove("finalizers");
        }
        if (!leaving) {
            startLeaving(resource, object, held && grace == 0 ? 0 : grace);
        } else {
            metadata.addProperty("deletionGracePeriodSeconds", shortened(present, grace));
        }
        return Optional.of(object);
    }

    private static long shortened(JsonObject present, long grace) {
        return Math.min(grace, Json.number(present, 0, "metadata", "deletionGracePeriodSeconds"));
    }

    private static void startLeaving(Resource resource, JsonObject object, long grace) {
        var metadata = object.getAsJsonObject("metadata");
        metadata.addProperty("deletionTimestamp", Scalars.time(Instant.now().plusSeconds(grace)));
        if (isNamespace(resource)) {
            Json.child(object, "status").addProperty("phase", "Terminating");
            return;
        }
        metadata.addProperty("deletionGracePeriodSeconds", grace);
        if (resource.generations()) {
            metadata.addProperty("generation", Json.number(metadata, 0, "generation") + 1);
        }
    }

    private static boolean isNamespace(Resource resource) {
        return resource.storage().equals("/namespaces");
    }

    private static List<String> finalizers(JsonObject object, String policy) {
        var result = new LinkedHashSet<>(Json.texts(object, "metadata", "finalizers"));
        if (!policy.isEmpty()) {
            result.remove(FOREGROUND);
            result.remove(ORPHAN);
        }
        if (policy.equals("Foreground")) {
            result.add(FOREGROUND);
        } else if (policy.equals("Orphan")) {
            result.add(ORPHAN);
        }
        return List.copyOf(result);
    }

    private static void checkPreconditions(Call call, JsonObject present, Options options) {
        var uid = Json.text(present, "metadata", "uid");
        if (!options.uid().isEmpty() && !options.uid().equals(uid)) {
            throw Refusal.conflict(
                    call.resource(),
                    call.name(),
                    "the UID in the precondition ("
                            + options.uid()
                            + ") does not match the UID in record ("
                            + uid
                            + "). The object might have been deleted and then recreated");
        }
        var revision = Json.text(present, "metadata", "resourceVersion");
        if (!options.revision().isEmpty() && !options.revision().equals(revision)) {
            throw Refusal.conflict(
                    call.resource(),
                    call.name(),
                    "the ResourceVersion in the precondition ("
                            + options.revision()
                            + ") does not match the ResourceVersion in record ("
                            + revision
                            + "). The object might have been modified");
        }
    }
}
