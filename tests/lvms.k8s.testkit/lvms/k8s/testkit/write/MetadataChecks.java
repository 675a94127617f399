package lvms.k8s.testkit.write;

import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;

import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.kinds.Cluster;
import lvms.k8s.testkit.kinds.Resource;
import lvms.k8s.testkit.schema.Cause;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Checks of names, labels, annotations, finalizers and owners. */
final class MetadataChecks {
    private static final String LABEL_PART = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final Pattern SUBDOMAIN =
            Pattern.compile(LABEL_PART + "(\\." + LABEL_PART + ")*");
    private static final Pattern LABEL = Pattern.compile(LABEL_PART);
    private static final Pattern QUALIFIED =
            Pattern.compile("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]");
    private static final Pattern VALUE =
            Pattern.compile("(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?");
    private static final int MAX_SUBDOMAIN = 253;
    private static final int MAX_LABEL = 63;
    private static final int MAX_ANNOTATIONS = 256 << 10;
    private static final Set<String> STANDARD_FINALIZERS =
            Set.of(
                    "kubernetes",
                    "foregroundDeletion",
                    "orphan",
                    "customresourcecleanup.apiextensions.k8s.io");
    private static final String SUBDOMAIN_TEXT =
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters,"
                    + " '-' or '.', and must start and end with an alphanumeric character (e.g."
                    + " 'example.com', regex used for validation is"
                    + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
    private static final String LABEL_TEXT =
            "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-',"
                    + " and must start and end with an alphanumeric character (e.g. 'my-name',  or"
                    + " '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
    private static final String QUALIFIED_TEXT =
            "name part must consist of alphanumeric characters, '-', '_' or '.', and must start"
                    + " and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or"
                    + " '123-abc', regex used for validation is"
                    + " '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
    private static final String VALUE_TEXT =
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_'"
                    + " or '.', and must start and end with an alphanumeric character (e.g."
                    + " 'MyValue',  or 'my_value',  or '12345', regex used for validation is"
                    + " '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

    private MetadataChecks() {}

    static void check(
            Resource resource, JsonObject object, List<Cause> causes, List<String> warnings) {
        var metadata = object.getAsJsonObject("metadata");
        checkName(resource, Json.text(metadata, "name"), causes);
        Json.object(metadata, "labels").ifPresent(labels -> checkLabels(labels, causes));
        Json.object(metadata, "annotations").ifPresent(a -> checkAnnotations(a, causes));
        checkFinalizers(metadata, causes, warnings);
        checkOwners(metadata, causes);
    }

    private static void checkName(Resource resource, String name, List<Cause> causes) {
        var value = new JsonPrimitive(name);
        if (resource.group().equals("rbac.authorization.k8s.io")) {
            if (name.equals(".") || name.equals("..") || name.matches(".*[/%].*")) {
                causes.add(Cause.invalid("metadata.name", value, "may not contain '/' or '%'"));
            }
            return;
        }
        boolean label =
                resource.plural().equals("namespaces") || resource.plural().equals("services");
        if (name.length() > (label ? MAX_LABEL : MAX_SUBDOMAIN)) {
            int most = label ? MAX_LABEL : MAX_SUBDOMAIN;
            causes.add(
                    Cause.invalid(
                            "metadata.name", value, "must be no more than " + most + " bytes"));
        } else if (!(label ? LABEL : SUBDOMAIN).matcher(name).matches()) {
            causes.add(Cause.invalid("metadata.name", value, label ? LABEL_TEXT : SUBDOMAIN_TEXT));
        }
    }

    private static void checkLabels(JsonObject labels, List<Cause> causes) {
        for (var entry : labels.entrySet()) {
            checkKey(entry.getKey(), entry.getKey(), "metadata.labels", causes);
            var value = entry.getValue().getAsString();
            if (value.length() > MAX_LABEL) {
                causes.add(
                        Cause.invalid(
                                "metadata.labels",
                                entry.getValue(),
                                "must be no more than 63 bytes"));
            } else if (!VALUE.matcher(value).matches()) {
                causes.add(Cause.invalid("metadata.labels", entry.getValue(), VALUE_TEXT));
            }
        }
    }

    private static void checkAnnotations(JsonObject annotations, List<Cause> causes) {
        long size = 0;
        for (var entry : annotations.entrySet()) {
            var lower = entry.getKey().toLowerCase(Locale.ROOT);
            checkKey(lower, entry.getKey(), "metadata.annotations", causes);
            size += entry.getKey().length() + entry.getValue().getAsString().length();
        }
        if (size > MAX_ANNOTATIONS) {
            causes.add(Cause.tooLong("metadata.annotations", MAX_ANNOTATIONS));
        }
    }

    private static void checkKey(String key, String shown, String field, List<Cause> causes) {
        int slash = key.indexOf('/');
        var prefix = slash < 0 ? "" : key.substring(0, slash);
        var name = key.substring(slash + 1);
        var value = new JsonPrimitive(shown);
        if (slash >= 0 && !SUBDOMAIN.matcher(prefix).matches()) {
            var what =
                    prefix.isEmpty()
                            ? "prefix part must be non-empty"
                            : "prefix part " + SUBDOMAIN_TEXT;
            causes.add(Cause.invalid(field, value, what));
        }
        if (name.isEmpty()) {
            causes.add(Cause.invalid(field, value, "name part must be non-empty"));
        } else if (name.length() > MAX_LABEL) {
            causes.add(Cause.invalid(field, value, "name part must be no more than 63 bytes"));
        }
        if (!QUALIFIED.matcher(name).matches()) {
            causes.add(Cause.invalid(field, value, QUALIFIED_TEXT));
        }
    }

    private static void checkFinalizers(
            JsonObject metadata, List<Cause> causes, List<String> warnings) {
        var finalizers = Json.texts(metadata, "finalizers");
        for (var finalizer : finalizers) {
            checkKey(finalizer, finalizer, "metadata.finalizers", causes);
            if (!finalizer.contains("/") && !STANDARD_FINALIZERS.contains(finalizer)) {
                warnings.add(
                        "metadata.finalizers: \""
                                + finalizer
                                + "\": prefer a domain-qualified finalizer name including a path"
                                + " (/) to avoid accidental conflicts with other finalizer"
                                + " writers");
            }
        }
        if (finalizers.contains("orphan") && finalizers.contains("foregroundDeletion")) {
            causes.add(
                    Cause.invalid(
                            "metadata.finalizers",
                            Json.array(finalizers),
                            "finalizer orphan and foregroundDeletion cannot be both set"));
        }
    }

    private static void checkOwners(JsonObject metadata, List<Cause> causes) {
        var field = "metadata.ownerReferences";
        var controllers = new HashSet<String>();
        var owners = Json.objects(metadata, "ownerReferences");
        for (int i = 0; i < owners.size(); i++) {
            var owner = owners.get(i);
            for (var name : List.of("apiVersion", "kind", "name", "uid")) {
                if (Json.text(owner, name).isEmpty()) {
                    causes.add(
                            Cause.invalid(
                                    field + "." + name,
                                    new JsonPrimitive(""),
                                    "must not be empty"));
                }
            }
            if (Json.text(owner, "apiVersion").equals("v1")
                    && Json.text(owner, "kind").equals("Event")) {
                causes.add(
                        Cause.invalid(
                                field,
                                new JsonPrimitive("/v1, Kind=Event"),
                                "/v1, Kind=Event is disallowed from being an owner"));
            }
            if (Json.flag(owner, "controller")) {
                controllers.add(Json.text(owner, "name"));
            }
        }
        long count = owners.stream().filter(o -> Json.flag(o, "controller")).count();
        if (count > 1) {
            causes.add(
                    Cause.invalid(
                            field,
                            Json.array(new TreeSet<>(controllers)),
                            "Only one reference can have Controller set to true. Found \"true\" in"
                                    + " references for "
                                    + String.join(" and ", new TreeSet<>(controllers))));
        }
    }

    /** A terminating object gets no new finalizers. */
    static void checkUpdate(JsonObject object, JsonObject present, List<Cause> causes) {
        if (!Cluster.terminating(present)) {
            return;
        }
        var added = new TreeSet<>(Json.texts(object, "metadata", "finalizers"));
        added.removeAll(Json.texts(present, "metadata", "finalizers"));
        if (!added.isEmpty()) {
            var list = new ArrayList<String>();
            added.forEach(name -> list.add('"' + name + '"'));
            causes.add(
                    Cause.forbidden(
                            "metadata.finalizers",
                            "no new finalizers can be added if the object is being deleted, found"
                                    + " new finalizers []string{"
                                    + String.join(", ", list)
                                    + "}"));
        }
    }
}
