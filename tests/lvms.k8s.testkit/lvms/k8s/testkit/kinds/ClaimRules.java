package lvms.k8s.testkit.kinds;

import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;

import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.json.Scalars;
import lvms.k8s.testkit.schema.Cause;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** PersistentVolumeClaims: the spec is immutable, except for the request of a bound claim. */
final class ClaimRules implements Rules {
    private static final String[] REQUEST = {"spec", "resources", "requests", "storage"};

    @Override
    public void prepareCreate(JsonObject claim) {
        claim.add("status", Json.of("phase", "Pending"));
        syncDataSources(claim);
    }

    @Override
    public void prepareUpdate(JsonObject claim, JsonObject old) {
        syncDataSources(claim);
    }

    /**
     * The two forms of a data source mean the same; if only one is given, the other is filled in.
     */
    private static void syncDataSources(JsonObject claim) {
        var spec = Json.child(claim, "spec");
        if (spec.has("dataSource") && !spec.has("dataSourceRef")) {
            spec.add("dataSourceRef", spec.get("dataSource").deepCopy());
        } else if (spec.get("dataSourceRef") instanceof JsonObject reference
                && !spec.has("dataSource")
                && !reference.has("namespace")) {
            spec.add("dataSource", reference.deepCopy());
        }
    }

    @Override
    public List<Cause> validate(JsonObject claim) {
        var causes = new ArrayList<Cause>();
        Checks.accessModes(causes, claim, "at least 1 access mode is required");
        Checks.oneOf(causes, claim, List.of("Block", "Filesystem"), "spec.volumeMode");
        var request = Json.text(claim, REQUEST);
        if (request.isEmpty()) {
            causes.add(Cause.required("spec.resources[storage]", ""));
        } else if (Scalars.value(request).signum() <= 0) {
            causes.add(
                    Cause.invalid(
                            "spec.resources[storage]",
                            new JsonPrimitive(request),
                            "must be greater than zero"));
        }
        return causes;
    }

    @Override
    public List<Cause> validateUpdate(JsonObject claim, JsonObject old) {
        var causes = new ArrayList<Cause>();
        if (!comparable(claim, old).equals(comparable(old, old))) {
            causes.add(
                    Cause.forbidden(
                            "spec",
                            "spec is immutable after creation except resources.requests and"
                                    + " volumeAttributesClassName for bound claims\n"));
        }
        var now = size(claim, REQUEST);
        if (now.compareTo(size(old, REQUEST)) < 0
                && now.compareTo(size(old, "status", "capacity", "storage")) <= 0) {
            causes.add(
                    Cause.forbidden(
                            "spec.resources.requests.storage",
                            "field can not be less than status.capacity"));
        }
        Checks.immutable(causes, claim, old, "spec.volumeMode", "volumeMode");
        return causes;
    }

    /** The spec without what may change now. */
    private static JsonObject comparable(JsonObject claim, JsonObject old) {
        var spec = claim.getAsJsonObject("spec").deepCopy();
        if (Json.text(old, "spec", "volumeName").isEmpty()) {
            spec.remove("volumeName");
        }
        boolean classWasNil = Json.at(old, "spec", "storageClassName").isEmpty();
        if (classWasNil) {
            spec.remove("storageClassName");
        }
        if (Json.text(old, "status", "phase").equals("Bound")) {
            Json.object(spec, "resources", "requests").ifPresent(r -> r.remove("storage"));
            spec.remove("volumeAttributesClassName");
        }
        return spec;
    }

    private static BigDecimal size(JsonObject object, String... path) {
        var text = Json.text(object, path);
        return text.isEmpty() ? BigDecimal.ZERO : Scalars.value(text);
    }
}
