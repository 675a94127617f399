package lvms.node.capacity;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.api.VolumeCounts;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.KubeObject;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.NodeDeviceClass;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The Node annotations that report the capacity of a node. */
final class CapacityAnnotations {
    private CapacityAnnotations() {}

    /**
     * Returns the annotations that the Node should have; the one for the default class is 0 if
     * there is no default. A node without any class has none, since the product may be about to be
     * uninstalled.
     *
     * @param drivers drivers that are served; each has annotations of its own
     * @param counts of all groups; empty if one of them cannot be read
     */
    static Map<String, String> wanted(
            Drivers drivers,
            DeviceClasses classes,
            Map<String, Long> bytes,
            Optional<VolumeCounts> counts) {
        if (classes.classes().isEmpty()) {
            return Map.of();
        }
        long ofDefault = classes.find("").map(NodeDeviceClass::name).map(bytes::get).orElse(0L);
        var wanted = all(drivers, bytes, ofDefault);
        var thick = thick(classes);
        if (!thick.isEmpty()) {
            drivers.all().forEach(driver -> wanted.put(driver.thickClassesAnnotation(), thick));
        }
        for (var driver : drivers.all()) {
            counts.ifPresent(all -> wanted.put(driver.volumeCountsAnnotation(), all.text()));
        }
        return wanted;
    }

    /** The classes whose volumes have snapshots with a store of their own. */
    private static String thick(DeviceClasses classes) {
        return classes.classes().stream()
                .filter(deviceClass -> deviceClass.thin().isEmpty())
                .flatMap(
                        deviceClass ->
                                deviceClass.isDefault()
                                        ? Stream.of(deviceClass.name(), Driver.DEFAULT_CLASS_KEY)
                                        : Stream.of(deviceClass.name()))
                .collect(Collectors.joining(","));
    }

    /**
     * Returns the annotations for these classes.
     *
     * @param bytes name of a class to what it can hold
     * @param ofDefault what the default class can hold; 0 without one
     */
    static Map<String, String> all(Drivers drivers, Map<String, Long> bytes, long ofDefault) {
        var wanted = new TreeMap<String, String>();
        for (var driver : drivers.all()) {
            bytes.forEach(
                    (name, capacity) ->
                            wanted.put(driver.capacityAnnotation(name), Long.toString(capacity)));
            wanted.put(driver.capacityAnnotation(""), Long.toString(ofDefault));
        }
        return wanted;
    }

    /**
     * Returns the wanted annotations with the present values for some classes, and none where there
     * is none.
     *
     * @param names of classes
     */
    static Map<String, String> keeping(
            Drivers drivers,
            DeviceClasses classes,
            Map<String, String> wanted,
            Map<String, String> present,
            Set<String> names) {
        var kept = new TreeMap<>(wanted);
        var keys = new TreeSet<>(names);
        classes.find("")
                .map(NodeDeviceClass::name)
                .filter(names::contains)
                .ifPresent(_ -> keys.add(""));
        for (var driver : drivers.all()) {
            for (var name : keys) {
                var key = driver.capacityAnnotation(name);
                kept.computeIfPresent(key, (_, _) -> present.get(key));
            }
        }
        return kept;
    }

    /** Returns the merge patch that turns the present annotations into the wanted ones. */
    static Optional<MergePatch> patch(
            Drivers drivers, KubeObject node, Map<String, String> wanted) {
        var present = node.annotations();
        var nothing = MergePatch.of(node);
        var patch = nothing;
        for (var annotation : wanted.entrySet()) {
            if (!annotation.getValue().equals(present.get(annotation.getKey()))) {
                patch = patch.annotation(annotation.getKey(), annotation.getValue());
            }
        }
        for (var name : present.keySet()) {
            boolean ours =
                    drivers.all().stream().map(Driver::capacityPrefix).anyMatch(name::startsWith);
            if (ours && !wanted.containsKey(name)) {
                patch = patch.withoutAnnotation(name);
            }
        }
        return patch == nothing ? Optional.empty() : Optional.of(patch);
    }
}
