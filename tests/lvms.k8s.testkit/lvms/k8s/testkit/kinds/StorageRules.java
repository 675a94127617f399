package lvms.k8s.testkit.kinds;

import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;

import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.json.Scalars;
import lvms.k8s.testkit.schema.Cause;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;

/** Rules of the small types of storage.k8s.io. */
final class StorageRules {
    private StorageRules() {}

    /** StorageClasses: hardly anything may change after creation. */
    static final class StorageClassRules implements Rules {
        @Override
        public List<Cause> validate(JsonObject storageClass) {
            var causes = new ArrayList<Cause>();
            Checks.oneOf(causes, storageClass, List.of("Delete", "Retain"), "reclaimPolicy");
            Checks.oneOf(
                    causes,
                    storageClass,
                    List.of("Immediate", "WaitForFirstConsumer"),
                    "volumeBindingMode");
            return causes;
        }

        @Override
        public List<Cause> validateUpdate(JsonObject storageClass, JsonObject old) {
            var causes = new ArrayList<Cause>();
            for (var field :
                    List.of("parameters", "provisioner", "reclaimPolicy", "volumeBindingMode")) {
                Checks.immutable(causes, storageClass, old, field, field);
            }
            return causes;
        }
    }

    /** VolumeAttributesClasses: neither driver nor parameters may change. */
    static final class AttributesClassRules implements Rules {
        @Override
        public List<Cause> validateUpdate(JsonObject attributesClass, JsonObject old) {
            var causes = new ArrayList<Cause>();
            Checks.immutable(causes, attributesClass, old, "driverName", "driverName");
            Checks.immutable(causes, attributesClass, old, "parameters", "parameters");
            return causes;
        }
    }

    /** CSIDrivers: how they attach and their lifecycle modes are immutable. */
    static final class CsiDriverRules implements Rules {
        @Override
        public List<Cause> validate(JsonObject driver) {
            var causes = new ArrayList<Cause>();
            Checks.oneOf(
                    causes,
                    driver,
                    List.of("File", "None", "ReadWriteOnceWithFSType"),
                    "spec.fsGroupPolicy");
            for (var mode : Json.texts(driver, "spec", "volumeLifecycleModes")) {
                if (!List.of("Ephemeral", "Persistent").contains(mode)) {
                    causes.add(
                            Cause.notSupported(
                                    "spec.volumeLifecycleModes",
                                    new JsonPrimitive(mode),
                                    List.of("Ephemeral", "Persistent")));
                }
            }
            return causes;
        }

        @Override
        public List<Cause> validateUpdate(JsonObject driver, JsonObject old) {
            var causes = new ArrayList<Cause>();
            Checks.immutable(causes, driver, old, "spec.attachRequired", "spec.attachedRequired");
            Checks.immutable(
                    causes, driver, old, "spec.volumeLifecycleModes", "spec.volumeLifecycleModes");
            return causes;
        }
    }

    /** CSINodes: one entry per driver, no duplicate topology keys. */
    static final class CsiNodeRules implements Rules {
        @Override
        public List<Cause> validate(JsonObject node) {
            var causes = new ArrayList<Cause>();
            var seen = new HashSet<String>();
            var drivers = Json.objects(node, "spec", "drivers");
            for (int i = 0; i < drivers.size(); i++) {
                var field = "spec.drivers[" + i + "]";
                var name = Json.text(drivers.get(i), "name");
                if (!seen.add(name)) {
                    causes.add(Cause.duplicate(field + ".name", new JsonPrimitive(name)));
                }
                var count = Json.number(drivers.get(i), 0, "allocatable", "count");
                if (count < 0) {
                    causes.add(
                            Cause.invalid(
                                    field + ".allocatable.count",
                                    new JsonPrimitive(count),
                                    "must be greater than or equal to 0"));
                }
            }
            return causes;
        }
    }

    /** CSIStorageCapacity: what the object is about is immutable. */
    static final class CapacityRules implements Rules {
        @Override
        public List<Cause> validate(JsonObject capacity) {
            var causes = new ArrayList<Cause>();
            var value = Json.text(capacity, "capacity");
            if (!value.isEmpty() && Scalars.value(value).signum() < 0) {
                causes.add(
                        Cause.invalid(
                                "capacity",
                                new JsonPrimitive(value),
                                "must be greater than or equal to 0"));
            }
            return causes;
        }

        @Override
        public List<Cause> validateUpdate(JsonObject capacity, JsonObject old) {
            var causes = new ArrayList<Cause>();
            for (var field : List.of("nodeTopology", "storageClassName")) {
                var now = capacity.get(field);
                if (!Objects.equals(now, old.get(field))) {
                    causes.add(
                            Cause.invalid(
                                    field,
                                    now == null ? JsonNull.INSTANCE : now,
                                    "field is immutable"));
                }
            }
            return causes;
        }
    }
}
