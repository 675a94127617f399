package lvms.operator.cluster.rule;

import static lvms.operator.cluster.rule.FieldRule.fixed;
import static lvms.operator.cluster.rule.FieldRule.free;

import lvms.api.DeviceClass;
import lvms.api.DeviceSelector;
import lvms.api.RaidConfig;
import lvms.api.StorageClassOptions;

import java.util.List;
import java.util.OptionalInt;

/** What may not change once volumes can exist. */
final class UpdateRules {
    /** One for each field of a device class, in the order of the messages. */
    static final List<FieldRule<DeviceClass>> FIELDS =
            List.of(
                    free("name"), // a class with another name is another class
                    free("default"),
                    free("fstype"), // a schema rule keeps it unchanged
                    new FieldRule<>("storageClassOptions", UpdateRules::storageClass),
                    new FieldRule<>("thinPoolConfig", UpdateRules::thinPool),
                    new FieldRule<>("raidConfig", UpdateRules::raid),
                    new FieldRule<>("nodeSelector", UpdateRules::nodes),
                    new FieldRule<>("deviceSelector", UpdateRules::devices),
                    free("deviceDiscoveryPolicy"),
                    free("erasureConfig")); // it says what happens from now on

    private static final String IMMUTABLE = " is immutable once set";

    static final List<FieldRule<StorageClassOptions>> STORAGE_CLASS_FIELDS =
            List.of(
                    fixed("reclaimPolicy", IMMUTABLE, StorageClassOptions::reclaimPolicy),
                    fixed("volumeBindingMode", IMMUTABLE, StorageClassOptions::bindingMode),
                    fixed(
                            "additionalParameters",
                            IMMUTABLE,
                            StorageClassOptions::additionalParameters),
                    free("additionalLabels"));

    private UpdateRules() {}

    private record Change(DeviceClass before, DeviceClass after) {
        String prefix() {
            return "device class \"" + after.name() + "\": ";
        }
    }

    static void check(List<DeviceClass> old, List<DeviceClass> next, Findings findings) {
        var changes =
                next.stream()
                        .filter(c -> ClusterRules.find(old, c.name()) != null)
                        .map(c -> new Change(ClusterRules.find(old, c.name()), c))
                        .toList();
        removals(old, next, findings);
        for (var rule : FIELDS) {
            for (var change : changes) {
                rule.judge().judge(change.prefix(), change.before(), change.after(), findings);
            }
        }
    }

    private static void removals(List<DeviceClass> old, List<DeviceClass> next, Findings findings) {
        // An object that never had a class must stay editable.
        findings.errorIf(next.isEmpty() && !old.isEmpty(), "at least one device class must remain");
        for (var before : old) {
            findings.errorIf(
                    before.isDefault() && ClusterRules.find(next, before.name()) == null,
                    "cannot delete default device class \"" + before.name() + "\"");
        }
    }

    // Compares effective values, so absent and default are the same, and removing the options is as
    // much a change as adding them: CEL transition rules see neither.
    private static void storageClass(
            String prefix, DeviceClass before, DeviceClass after, Findings findings) {
        for (var rule : STORAGE_CLASS_FIELDS) {
            rule.judge()
                    .judge(
                            prefix + "storageClassOptions.",
                            before.effectiveOptions(),
                            after.effectiveOptions(),
                            findings);
        }
    }

    private static void thinPool(
            String prefix, DeviceClass before, DeviceClass after, Findings findings) {
        var had = before.group().thinPool();
        var has = after.group().thinPool();
        if (had.isPresent() != has.isPresent()) {
            findings.error(
                    prefix
                            + "thinPoolConfig cannot be added to or removed from an existing"
                            + " class");
        } else if (has.isPresent()) {
            ThinPoolRules.change(prefix, had.get(), has.get(), findings);
        }
    }

    private static void raid(
            String prefix, DeviceClass before, DeviceClass after, Findings findings) {
        var had = before.group().raid();
        var has = after.group().raid();
        if (had.isPresent() != has.isPresent()) {
            findings.error(
                    prefix + "raidConfig cannot be added to or removed from an existing class");
        } else {
            findings.errorIf(
                    !had.map(UpdateRules::written).equals(has.map(UpdateRules::written)),
                    prefix + "raidConfig is immutable");
        }
    }

    // The default number of mirrors may be written out; LVM is told the same.
    private static RaidConfig written(RaidConfig raid) {
        return new RaidConfig(
                raid.type(),
                OptionalInt.of(raid.effectiveMirrors()),
                raid.stripes(),
                raid.stripeSize());
    }

    private static void nodes(
            String prefix, DeviceClass before, DeviceClass after, Findings findings) {
        findings.errorIf(
                !before.group().nodeSelector().equals(after.group().nodeSelector()),
                prefix + "nodeSelector cannot be added, removed or changed");
    }

    private static void devices(
            String prefix, DeviceClass before, DeviceClass after, Findings findings) {
        var wiped = before.group().deviceSelector().flatMap(DeviceSelector::forceWipe);
        findings.errorIf(
                !wiped.equals(after.group().deviceSelector().flatMap(DeviceSelector::forceWipe)),
                prefix + "forceWipeDevicesAndDestroyAllData cannot be set, unset or changed");
        findings.errorIf(
                !before.hasPaths() && after.hasPaths(),
                prefix + "paths cannot be added to a class that was initialised without paths");
        findings.errorIf(
                before.hasPaths() && !after.hasPaths(), prefix + "at least one path must remain");
    }
}
