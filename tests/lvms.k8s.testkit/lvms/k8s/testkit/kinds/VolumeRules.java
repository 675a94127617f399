package lvms.k8s.testkit.kinds;

import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;

import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.json.Scalars;
import lvms.k8s.testkit.schema.Cause;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** PersistentVolumes: exactly one source, which is immutable; so is node affinity once set. */
final class VolumeRules implements Rules {
    private static final Set<String> NO_SOURCE =
            Set.of(
                    "accessModes",
                    "capacity",
                    "claimRef",
                    "mountOptions",
                    "nodeAffinity",
                    "persistentVolumeReclaimPolicy",
                    "storageClassName",
                    "volumeAttributesClassName",
                    "volumeMode");

    @Override
    public void prepareCreate(JsonObject volume) {
        volume.add("status", Json.of("phase", "Pending"));
    }

    @Override
    public List<Cause> validate(JsonObject volume) {
        var causes = new ArrayList<Cause>();
        Checks.accessModes(causes, volume, "");
        checkCapacity(causes, volume);
        var policies = List.of("Delete", "Recycle", "Retain");
        Checks.oneOf(causes, volume, policies, "spec.persistentVolumeReclaimPolicy");
        Checks.oneOf(causes, volume, List.of("Block", "Filesystem"), "spec.volumeMode");
        int sources = source(volume).size();
        if (sources == 0) {
            causes.add(Cause.required("spec", "must specify a volume type"));
        } else if (sources > 1) {
            causes.add(Cause.forbidden("spec", "may not specify more than 1 volume type"));
        }
        checkCsi(causes, volume);
        checkAffinity(causes, volume);
        return causes;
    }

    private static void checkCapacity(List<Cause> causes, JsonObject volume) {
        var capacity = Json.object(volume, "spec", "capacity").orElseGet(JsonObject::new);
        if (capacity.isEmpty()) {
            causes.add(Cause.required("spec.capacity", ""));
        }
        var storage = Json.text(capacity, "storage");
        if (storage.isEmpty() || capacity.size() > 1) {
            causes.add(Cause.notSupported("spec.capacity", capacity, List.of("storage")));
        } else if (Scalars.value(storage).signum() <= 0) {
            causes.add(
                    Cause.invalid(
                            "spec.capacity[storage]",
                            new JsonPrimitive(storage),
                            "must be greater than zero"));
        }
    }

    private static void checkCsi(List<Cause> causes, JsonObject volume) {
        Json.object(volume, "spec", "csi")
                .ifPresent(
                        csi -> {
                            for (var name : List.of("driver", "volumeHandle")) {
                                if (Json.text(csi, name).isEmpty()) {
                                    causes.add(Cause.required("spec.csi." + name, ""));
                                }
                            }
                        });
    }

    private static void checkAffinity(List<Cause> causes, JsonObject volume) {
        boolean given = Json.at(volume, "spec", "nodeAffinity").isPresent();
        boolean terms =
                !Json.list(volume, "spec", "nodeAffinity", "required", "nodeSelectorTerms")
                        .isEmpty();
        if (given && !terms) {
            causes.add(
                    Cause.required(
                            "spec.nodeAffinity.required.nodeSelectorTerms",
                            "must have at least one node selector term"));
        }
    }

    @Override
    public List<Cause> validateUpdate(JsonObject volume, JsonObject old) {
        var causes = new ArrayList<Cause>();
        if (!source(volume).equals(source(old)) && !onlyAddsExpandSecret(volume, old)) {
            causes.add(
                    Cause.forbidden(
                            "spec.persistentvolumesource",
                            "spec.persistentvolumesource is immutable after creation\n"));
        }
        Checks.immutable(causes, volume, old, "spec.volumeMode", "volumeMode");
        if (Json.at(old, "spec", "nodeAffinity").isPresent()) {
            Checks.immutable(causes, volume, old, "spec.nodeAffinity", "nodeAffinity");
        }
        return causes;
    }

    private static boolean onlyAddsExpandSecret(JsonObject volume, JsonObject old) {
        var name = "controllerExpandSecretRef";
        if (Json.at(old, "spec", "csi", name).isPresent()
                || Json.object(volume, "spec", "csi").isEmpty()) {
            return false;
        }
        var now = source(volume).deepCopy();
        now.getAsJsonObject("csi").remove(name);
        return now.equals(source(old));
    }

    private static JsonObject source(JsonObject volume) {
        var source = new JsonObject();
        Json.object(volume, "spec").orElseGet(JsonObject::new).entrySet().stream()
                .filter(e -> !NO_SOURCE.contains(e.getKey()))
                .forEach(e -> source.add(e.getKey(), e.getValue()));
        return source;
    }
}
