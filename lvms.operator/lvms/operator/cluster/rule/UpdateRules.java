package lvms.operator.cluster.rule;

import lvms.api.DeviceClass;
import lvms.api.DeviceSelector;
import lvms.api.RaidConfig;
import lvms.api.SizePolicy;
import lvms.api.StorageClassOptions;
import lvms.api.ThinPoolConfig;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** What may not change once volumes can exist. */
final class UpdateRules {
    private UpdateRules() {}

    private record Change(DeviceClass before, DeviceClass after) {
        String prefix() {
            return "device class \"" + after.name() + "\": ";
        }

        /** Returns whether something differs by value. */
        boolean differs(Function<DeviceClass, ?> part) {
            return !part.apply(before).equals(part.apply(after));
        }

        boolean presenceDiffers(Function<DeviceClass, Optional<?>> part) {
            return part.apply(before).isPresent() != part.apply(after).isPresent();
        }
    }

    static void check(List<DeviceClass> old, List<DeviceClass> next, Findings findings) {
        var changes =
                next.stream()
                        .filter(c -> ClusterRules.find(old, c.name()) != null)
                        .map(c -> new Change(ClusterRules.find(old, c.name()), c))
                        .toList();
        changes.forEach(c -> storageClass(c, findings));
        removals(old, next, findings);
        changes.forEach(c -> thinPool(c, findings));
        changes.forEach(c -> raid(c, findings));
        changes.forEach(c -> nodes(c, findings));
        changes.forEach(c -> devices(c, findings));
    }

    // Compares effective values, so absent and default are the same, and taking the options away
    // is a change as well as giving them: CEL transition rules see neither.
    private static void storageClass(Change change, Findings findings) {
        var before = change.before().effectiveOptions();
        var after = change.after().effectiveOptions();
        immutable(
                change,
                "reclaimPolicy",
                StorageClassOptions::reclaimPolicy,
                before,
                after,
                findings);
        immutable(
                change,
                "volumeBindingMode",
                StorageClassOptions::bindingMode,
                before,
                after,
                findings);
        immutable(
                change,
                "additionalParameters",
                StorageClassOptions::additionalParameters,
                before,
                after,
                findings);
    }

    private static void immutable(
            Change change,
            String field,
            Function<StorageClassOptions, ?> part,
            StorageClassOptions before,
            StorageClassOptions after,
            Findings findings) {
        findings.errorIf(
                !part.apply(before).equals(part.apply(after)),
                change.prefix() + "storageClassOptions." + field + " is immutable once set");
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

    private static void thinPool(Change change, Findings findings) {
        if (change.presenceDiffers(DeviceClass::thinPool)) {
            findings.error(
                    change.prefix()
                            + "thinPoolConfig cannot be added to or removed from an existing"
                            + " class");
        } else if (change.after().thinPool().isPresent()) {
            pool(
                    change.prefix(),
                    change.before().thinPool().get(),
                    change.after().thinPool().get(),
                    findings);
        }
    }

    private static void pool(
            String prefix, ThinPoolConfig before, ThinPoolConfig after, Findings findings) {
        var field = prefix + "thinPoolConfig.";
        findings.errorIf(!before.name().equals(after.name()), field + "name cannot be changed");
        findings.errorIf(
                before.sizePercent() != after.sizePercent(),
                field + "sizePercent cannot be changed");
        findings.errorIf(
                before.chunkSizePolicy() != after.chunkSizePolicy(),
                field + "chunkSizeCalculationPolicy cannot be changed");
        findings.errorIf(
                !before.effectiveChunkSize().equals(after.effectiveChunkSize()),
                field + "chunkSize cannot be changed");
        ThinPoolRules.defaultMetadata(prefix + "thin pool: ", after, findings);
        boolean fixed =
                before.metadataSizePolicy() == SizePolicy.STATIC
                        && after.metadataSizePolicy() == SizePolicy.STATIC;
        findings.errorIf(
                fixed
                        && after.effectiveMetadataSize()
                                        .get()
                                        .compareTo(before.effectiveMetadataSize().get())
                                < 0,
                field + "metadataSize can only be increased");
    }

    private static void raid(Change change, Findings findings) {
        if (change.presenceDiffers(DeviceClass::raid)) {
            findings.error(
                    change.prefix()
                            + "raidConfig cannot be added to or removed from an existing class");
        } else {
            findings.errorIf(
                    change.differs(c -> c.raid().map(UpdateRules::effective)),
                    change.prefix() + "raidConfig is immutable");
        }
    }

    // The default number of mirrors may be written out; LVM is told the same.
    private static List<Object> effective(RaidConfig raid) {
        return List.of(raid.type(), raid.effectiveMirrors(), raid.stripes(), raid.stripeSize());
    }

    private static void nodes(Change change, Findings findings) {
        findings.errorIf(
                change.differs(DeviceClass::nodeSelector),
                change.prefix() + "nodeSelector cannot be added, removed or changed");
    }

    private static void devices(Change change, Findings findings) {
        var prefix = change.prefix();
        findings.errorIf(
                change.differs(c -> c.deviceSelector().flatMap(DeviceSelector::forceWipe)),
                prefix + "forceWipeDevicesAndDestroyAllData cannot be set, unset or changed");
        boolean had = change.before().hasPaths();
        boolean has = change.after().hasPaths();
        findings.errorIf(
                !had && has,
                prefix + "paths cannot be added to a class that was initialised without paths");
        findings.errorIf(had && !has, prefix + "at least one path must remain");
    }
}
