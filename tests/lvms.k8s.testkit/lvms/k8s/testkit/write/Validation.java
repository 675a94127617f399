package lvms.k8s.testkit.write;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import lvms.k8s.testkit.call.Call;
import lvms.k8s.testkit.call.Intake;
import lvms.k8s.testkit.call.Refusal;
import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.kinds.Cluster;
import lvms.k8s.testkit.kinds.Resource;
import lvms.k8s.testkit.schema.Cause;
import lvms.k8s.testkit.schema.ListChecks;
import lvms.k8s.testkit.schema.RequiredFields;
import lvms.k8s.testkit.schema.RuleChecks;
import lvms.k8s.testkit.schema.ValueChecks;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** All checks of a whole object before it is stored. */
final class Validation {
    private Validation() {}

    static void create(
            Resource resource, JsonObject object, Cluster cluster, List<String> warnings) {
        var causes = new ArrayList<Cause>();
        MetadataChecks.check(resource, object, causes, warnings);
        content(resource, object, Optional.empty(), causes);
        refuse(resource, object, causes);
    }

    static void update(Call call, JsonObject object, JsonObject present, Cluster cluster) {
        var resource = call.resource();
        var causes = new ArrayList<Cause>();
        if (!call.onStatus()) {
            MetadataChecks.check(resource, object, causes, call.warnings());
            MetadataChecks.checkUpdate(object, present, causes);
        }
        content(resource, object, Optional.of(present), causes);
        if (call.onStatus()) {
            causes.addAll(resource.rules().validateStatusUpdate(object, present));
        } else {
            causes.addAll(resource.rules().validateUpdate(object, present));
        }
        refuse(resource, object, causes);
    }

    private static void content(
            Resource resource, JsonObject object, Optional<JsonObject> old, List<Cause> causes) {
        if (resource.builtin()) {
            RequiredFields.check(Intake.storageSchema(resource), object, causes);
            if (causes.isEmpty()) {
                causes.addAll(resource.rules().validate(object));
            }
            return;
        }
        var before = old.map(o -> (JsonElement) o);
        ValueChecks.check(resource.schema(), object, before, causes);
        ListChecks.check(resource.schema(), object, before, causes);
        RuleChecks.check(resource.schema(), object, before, causes);
    }

    private static void refuse(Resource resource, JsonObject object, List<Cause> causes) {
        if (!causes.isEmpty()) {
            throw Refusal.invalid(resource, Json.text(object, "metadata", "name"), causes);
        }
    }
}
