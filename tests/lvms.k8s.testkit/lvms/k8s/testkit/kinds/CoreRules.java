package lvms.k8s.testkit.kinds;

import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;

import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.schema.Cause;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** Rules of the small types of the core group. */
final class CoreRules {
    private CoreRules() {}

    /** Namespaces carry a finalizer of their own in spec. */
    static final class NamespaceRules implements Rules {
        @Override
        public void prepareCreate(JsonObject namespace) {
            var name = Json.text(namespace, "metadata", "name");
            Json.child(namespace.getAsJsonObject("metadata"), "labels")
                    .addProperty("kubernetes.io/metadata.name", name);
            namespace.add("spec", Json.of("finalizers", Json.arrayOf("kubernetes")));
            namespace.add("status", Json.of("phase", "Active"));
        }

        @Override
        public void prepareUpdate(JsonObject namespace, JsonObject old) {
            namespace.add("spec", old.get("spec"));
            Json.child(namespace.getAsJsonObject("metadata"), "labels")
                    .addProperty(
                            "kubernetes.io/metadata.name",
                            Json.text(namespace, "metadata", "name"));
        }
    }

    /** Secrets and ConfigMaps: text becomes bytes, immutable objects do not change. */
    record DataRules(String plural) implements Rules {
        @Override
        public void prepareCreate(JsonObject object) {
            foldText(object);
        }

        @Override
        public void prepareUpdate(JsonObject object, JsonObject old) {
            foldText(object);
        }

        private static void foldText(JsonObject secret) {
            if (secret.remove("stringData") instanceof JsonObject texts) {
                var data = Json.child(secret, "data");
                texts.entrySet()
                        .forEach(
                                e ->
                                        data.addProperty(
                                                e.getKey(), base64(e.getValue().getAsString())));
            }
        }

        private static String base64(String text) {
            return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public List<Cause> validate(JsonObject object) {
            var causes = new ArrayList<Cause>();
            for (var field : List.of("data", "binaryData")) {
                for (var key : Json.object(object, field).orElseGet(JsonObject::new).keySet()) {
                    if (!key.matches("[-._a-zA-Z0-9]+") || key.length() > 253) {
                        causes.add(
                                Cause.invalid(
                                        field + "[" + key + "]",
                                        new JsonPrimitive(key),
                                        "a valid config key must consist of alphanumeric"
                                                + " characters, '-', '_' or '.' (e.g. 'key.name', "
                                                + " or 'KEY_NAME',  or 'key-name', regex used for"
                                                + " validation is '[-._a-zA-Z0-9]+')"));
                    }
                }
            }
            return causes;
        }

        @Override
        public List<Cause> validateUpdate(JsonObject object, JsonObject old) {
            var causes = new ArrayList<Cause>();
            if (plural.equals("secrets")) {
                Checks.immutable(causes, object, old, "type", "type");
            }
            if (Json.flag(old, "immutable")) {
                if (!Json.flag(object, "immutable")) {
                    causes.add(
                            Cause.forbidden(
                                    "immutable", "field is immutable when `immutable` is set"));
                }
                for (var field : List.of("data", "binaryData")) {
                    if (!Objects.equals(object.get(field), old.get(field))) {
                        causes.add(
                                Cause.forbidden(
                                        field, "field is immutable when `immutable` is set"));
                    }
                }
            }
            return causes;
        }
    }

    /** Services: completes the ports, and assigns a cluster address from a fixed range. */
    static final class ServiceRules implements Rules {
        private static final AtomicInteger NEXT = new AtomicInteger(10);

        @Override
        public void prepareCreate(JsonObject service) {
            complete(service);
            var spec = Json.child(service, "spec");
            boolean external = Json.text(spec, "type").equals("ExternalName");
            if (!external && Json.text(spec, "clusterIP").isEmpty()) {
                int number = NEXT.getAndIncrement();
                var address = "10.96." + (number >> 8 & 0xff) + "." + (number & 0xff);
                spec.addProperty("clusterIP", address);
            }
            if (!external) {
                spec.add("clusterIPs", Json.arrayOf(Json.text(spec, "clusterIP")));
                spec.addProperty("internalTrafficPolicy", "Cluster");
                spec.add("ipFamilies", Json.arrayOf("IPv4"));
                spec.addProperty("ipFamilyPolicy", "SingleStack");
            }
            service.add("status", Json.of("loadBalancer", new JsonObject()));
        }

        @Override
        public void prepareUpdate(JsonObject service, JsonObject old) {
            complete(service);
            var spec = Json.child(service, "spec");
            for (var field :
                    List.of(
                            "clusterIP",
                            "clusterIPs",
                            "internalTrafficPolicy",
                            "ipFamilies",
                            "ipFamilyPolicy")) {
                Json.at(old, "spec", field)
                        .filter(_ -> !spec.has(field))
                        .ifPresent(value -> spec.add(field, value.deepCopy()));
            }
        }

        private static void complete(JsonObject service) {
            for (var port : Json.objects(service, "spec", "ports")) {
                Checks.fill(port, "protocol", "TCP");
                if (!port.has("targetPort") && port.has("port")) {
                    port.add("targetPort", port.get("port"));
                }
            }
        }

        @Override
        public List<Cause> validateUpdate(JsonObject service, JsonObject old) {
            var causes = new ArrayList<Cause>();
            Checks.immutable(causes, service, old, "spec.clusterIP", "spec.clusterIP");
            return causes;
        }
    }

    /** ServiceAccounts can issue tokens. */
    static final class ServiceAccountRules implements Rules {
        @Override
        public Set<String> subresources() {
            return Set.of("token");
        }
    }

    /** Nodes: the fields that identify the machine are immutable. */
    static final class NodeRules implements Rules {
        @Override
        public List<Cause> validateUpdate(JsonObject node, JsonObject old) {
            var before = Json.text(old, "spec", "providerID");
            var now = Json.text(node, "spec", "providerID");
            return before.isEmpty() || before.equals(now)
                    ? List.of()
                    : List.of(
                            Cause.forbidden(
                                    "spec.providerID",
                                    "node updates may not change providerID except from \"\" to"
                                            + " valid"));
        }
    }

    /**
     * Events belong to the namespace of the object they are about; the new form says who reports.
     */
    static final class EventRules implements Rules {
        private static final int MAX_NOTE = 1024;

        @Override
        public List<Cause> validate(JsonObject event) {
            var causes = new ArrayList<Cause>();
            var namespace = Json.text(event, "metadata", "namespace");
            var about = Json.text(event, "involvedObject", "namespace");
            boolean fits = about.isEmpty() ? namespace.equals("default") : about.equals(namespace);
            if (!fits) {
                causes.add(
                        Cause.invalid(
                                "involvedObject.namespace",
                                new JsonPrimitive(about),
                                "does not match event.namespace"));
            }
            if (!Json.text(event, "eventTime").isEmpty()) {
                validateNew(causes, event);
            }
            return causes;
        }

        private static void validateNew(List<Cause> causes, JsonObject event) {
            for (var field :
                    List.of("reportingComponent", "reportingInstance", "action", "reason")) {
                if (Json.text(event, field).isEmpty()) {
                    var shown = field.equals("reportingComponent") ? "reportingController" : field;
                    causes.add(Cause.required(shown, ""));
                }
            }
            if (!List.of("Normal", "Warning").contains(Json.text(event, "type"))) {
                causes.add(
                        Cause.invalid(
                                "type",
                                new JsonPrimitive(Json.text(event, "type")),
                                "has invalid" + " value: " + Json.text(event, "type")));
            }
            var note = Json.text(event, "message").getBytes(StandardCharsets.UTF_8);
            if (note.length > MAX_NOTE) {
                causes.add(
                        Cause.invalid(
                                "message",
                                new JsonPrimitive(Json.text(event, "message")),
                                "can have at most " + MAX_NOTE + " characters"));
            }
        }
    }

    /** Bindings keep their role; user and group subjects get their API group. */
    static final class BindingRules implements Rules {
        @Override
        public void prepareCreate(JsonObject binding) {
            for (var subject : Json.objects(binding, "subjects")) {
                if (!Json.text(subject, "kind").equals("ServiceAccount")) {
                    Checks.fill(subject, "apiGroup", "rbac.authorization.k8s.io");
                }
            }
        }

        @Override
        public void prepareUpdate(JsonObject binding, JsonObject old) {
            prepareCreate(binding);
        }

        @Override
        public List<Cause> validateUpdate(JsonObject binding, JsonObject old) {
            if (Objects.equals(binding.get("roleRef"), old.get("roleRef"))) {
                return List.of();
            }
            return List.of(
                    Cause.invalid("roleRef", binding.get("roleRef"), "cannot change roleRef"));
        }
    }
}
