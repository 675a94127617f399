package lvms.k8s.testkit.write;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;

import lvms.k8s.testkit.admission.Denial;
import lvms.k8s.testkit.admission.Policies;
import lvms.k8s.testkit.admission.Request;
import lvms.k8s.testkit.admission.WebhookCall;
import lvms.k8s.testkit.admission.Webhooks;
import lvms.k8s.testkit.call.Call;
import lvms.k8s.testkit.call.Intake;
import lvms.k8s.testkit.call.Refusal;
import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.json.Scalars;
import lvms.k8s.testkit.kinds.Cluster;
import lvms.k8s.testkit.kinds.Resource;
import lvms.k8s.testkit.store.Key;

import java.math.BigDecimal;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/** What the admission plugins of a default kube-apiserver do, as far as storage needs it. */
public final class Admission {
    private static final String DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class";

    private final Cluster cluster;
    private final boolean storageProtection;
    private final Webhooks webhooks;
    private final Policies policies;

    /**
     * Creates the admission of a cluster.
     *
     * @param storageProtection whether new claims and volumes get their protection finalizer
     */
    public Admission(Cluster cluster, boolean storageProtection, WebhookCall calls) {
        this.cluster = cluster;
        this.storageProtection = storageProtection;
        webhooks = new Webhooks(cluster.store(), calls);
        policies = new Policies(cluster.store());
    }

    /** Refuses new objects in namespaces that are missing or terminating. */
    void admitNamespace(Call call) {
        if (!call.resource().namespaced()) {
            return;
        }
        var namespace = cluster.namespace(call.namespace());
        if (namespace.isEmpty()) {
            var namespaces = cluster.registry().find("", "v1", "namespaces").orElseThrow();
            throw Refusal.notFound(namespaces, call.namespace());
        }
        if (Cluster.terminating(namespace.get())) {
            throw namespaceTerminating(call);
        }
    }

    private static Refusal namespaceTerminating(Call call) {
        var refusal =
                Refusal.forbidden(
                        call.resource(),
                        call.name(),
                        "unable to create new content in namespace "
                                + call.namespace()
                                + " because it is being terminated");
        var cause =
                Json.of(
                        "reason", "NamespaceTerminating",
                        "message", "namespace " + call.namespace() + " is being terminated",
                        "field", "metadata.namespace");
        refusal.status().getAsJsonObject("details").add("causes", Json.arrayOf(cause));
        return refusal;
    }

    /** Completes or refuses a new object. */
    JsonObject create(Call call, JsonObject object) {
        switch (call.resource().storage()) {
            case "/persistentvolumeclaims" -> {
                protect(object, "kubernetes.io/pvc-protection");
                defaultClass(object);
            }
            case "/persistentvolumes" -> protect(object, "kubernetes.io/pv-protection");
            case "/pods" -> priority(object);
            case "/nodes" -> notReady(object);
            default -> refuseInstanceOfLeaving(call, Json.text(object, "metadata", "name"));
        }
        return mutate(call, "CREATE", object, Optional.empty());
    }

    /** Completes or refuses a changed object. */
    JsonObject update(Call call, JsonObject object, JsonObject old) {
        return mutate(call, "UPDATE", object, Optional.of(old));
    }

    private JsonObject mutate(
            Call call, String operation, JsonObject object, Optional<JsonObject> old) {
        if (call.internal()) {
            return object;
        }
        try {
            var request = request(call, operation, Optional.of(object), old);
            var mutated = webhooks.mutate(request, call.warnings());
            if (mutated.equals(object)) {
                return object;
            }
            return Intake.decode(call, mutated, List.of(), Refusal::internal);
        } catch (Denial e) {
            throw refusal(e);
        }
    }

    /** Lets validating webhooks and policies judge a write; the last step before it is stored. */
    void validate(
            Call call, String operation, Optional<JsonObject> object, Optional<JsonObject> old) {
        if (call.internal()) {
            return;
        }
        if (call.resource().storage().equals("/persistentvolumeclaims")
                && operation.equals("UPDATE")
                && !call.onStatus()) {
            checkResize(call, object.orElseThrow(), old.orElseThrow());
        }
        try {
            var request = request(call, operation, object, old);
            policies.validate(request, call.warnings());
            webhooks.validate(request, call.warnings());
        } catch (Denial e) {
            throw refusal(e);
        }
    }

    private static Request request(
            Call call, String operation, Optional<JsonObject> object, Optional<JsonObject> old) {
        var name = object.or(() -> old).map(o -> Json.text(o, "metadata", "name")).orElse("");
        boolean namespace = call.resource().storage().equals("/namespaces");
        return new Request(
                operation,
                call.resource(),
                namespace ? name : call.namespace(),
                name,
                call.subresource(),
                call.user().json(),
                object.map(o -> Intake.shown(call.resource(), o)),
                old.map(o -> Intake.shown(call.resource(), o)),
                call.dryRun());
    }

    private static Refusal refusal(Denial denial) {
        return new Refusal(denial.code(), denial.reason(), denial.getMessage());
    }

    private void protect(JsonObject object, String finalizer) {
        if (storageProtection) {
            var metadata = object.getAsJsonObject("metadata");
            var all = new LinkedHashSet<>(Json.texts(metadata, "finalizers"));
            all.add(finalizer);
            metadata.add("finalizers", Json.array(all));
        }
    }

    /** A new node is not ready until its kubelet says so. */
    private static void notReady(JsonObject node) {
        var taints = Json.child(node, "spec").getAsJsonArray("taints");
        var all = taints == null ? new JsonArray() : taints;
        var taint = Json.of("key", "node.kubernetes.io/not-ready", "effect", "NoSchedule");
        if (!all.contains(taint)) {
            all.add(taint);
        }
        Json.child(node, "spec").add("taints", all);
    }

    private void defaultClass(JsonObject claim) {
        boolean given =
                Json.at(claim, "spec", "storageClassName").isPresent()
                        || !Json.text(
                                        claim,
                                        "metadata",
                                        "annotations",
                                        "volume.beta.kubernetes.io/storage-class")
                                .isEmpty();
        if (given) {
            return;
        }
        cluster.store().list("storage.k8s.io/storageclasses").objects().stream()
                .filter(c -> Json.text(c, "metadata", "annotations", DEFAULT_CLASS).equals("true"))
                .max(
                        Comparator.comparing(
                                        (JsonObject c) ->
                                                Json.text(c, "metadata", "creationTimestamp"))
                                .thenComparing(
                                        c -> Json.text(c, "metadata", "name"),
                                        Comparator.reverseOrder()))
                .ifPresent(
                        c ->
                                claim.getAsJsonObject("spec")
                                        .addProperty(
                                                "storageClassName",
                                                Json.text(c, "metadata", "name")));
    }

    private void priority(JsonObject pod) {
        var name = Json.text(pod, "spec", "priorityClassName");
        if (name.isEmpty() || name.startsWith("system-")) {
            return;
        }
        var found = cluster.store().get("scheduling.k8s.io/priorityclasses", new Key("", name));
        if (found.isEmpty()) {
            throw new Refusal(
                    403,
                    "Forbidden",
                    "pods \""
                            + Json.text(pod, "metadata", "name")
                            + "\" is forbidden: no PriorityClass with name "
                            + name
                            + " was found");
        }
        pod.getAsJsonObject("spec").add("priority", found.get().get("value"));
    }

    private void checkResize(Call call, JsonObject claim, JsonObject old) {
        if (request(claim).compareTo(request(old)) <= 0) {
            return;
        }
        if (!Json.text(old, "status", "phase").equals("Bound")) {
            throw Refusal.forbidden(
                    call.resource(),
                    call.name(),
                    "Only bound persistent volume claims can be" + " expanded");
        }
        var name = Json.text(claim, "spec", "storageClassName");
        var storageClass =
                name.isEmpty()
                        ? Optional.<JsonObject>empty()
                        : cluster.store().get("storage.k8s.io/storageclasses", new Key("", name));
        if (storageClass.filter(c -> Json.flag(c, "allowVolumeExpansion")).isEmpty()) {
            throw Refusal.forbidden(
                    call.resource(),
                    call.name(),
                    "only dynamically provisioned pvc can be resized and the storageclass that"
                            + " provisions the pvc must support resize");
        }
    }

    private static BigDecimal request(JsonObject claim) {
        var text = Json.text(claim, "spec", "resources", "requests", "storage");
        return text.isEmpty() ? BigDecimal.ZERO : Scalars.value(text);
    }

    private void refuseInstanceOfLeaving(Call call, String name) {
        Resource resource = call.resource();
        if (resource.builtin()) {
            return;
        }
        var definition =
                cluster.store()
                        .get(
                                "apiextensions.k8s.io/customresourcedefinitions",
                                new Key("", resource.qualifiedPlural()));
        if (definition.filter(Cluster::terminating).isPresent()) {
            throw Refusal.forbidden(
                    resource,
                    name,
                    "create not allowed while custom resource definition is terminating");
        }
    }
}
