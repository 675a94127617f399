package lvms.operator.cluster.rule;

import lvms.api.DeviceClass;
import lvms.api.DiscoveryPolicy;
import lvms.api.NodeTerms;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Rules of device selectors and their paths. */
final class PathRules {
    private static final String DEVICES = "/dev/";

    private PathRules() {}

    static void selectors(List<DeviceClass> classes, Findings findings) {
        for (var deviceClass : classes) {
            findings.errorIf(
                    deviceClass.group().deviceSelector().isPresent() && !deviceClass.hasPaths(),
                    "device class \""
                            + deviceClass.name()
                            + "\": the deviceSelector has neither paths nor optionalPaths;"
                            + " at least one of the lists must be given");
        }
        var without = classes.stream().filter(c -> c.group().deviceSelector().isEmpty()).toList();
        if (without.isEmpty()) {
            return;
        }
        if (classes.size() > 1) {
            findings.error(
                    "with several device classes each needs a deviceSelector with paths;"
                            + " these have none: "
                            + String.join(", ", without.stream().map(DeviceClass::name).toList()));
        } else {
            // Dynamic has a warning of its own. Static may have been written by our own webhook.
            findings.warningIf(
                    !without.getFirst()
                            .group()
                            .discoveryPolicy()
                            .equals(Optional.of(DiscoveryPolicy.DYNAMIC)),
                    "device class \""
                            + without.getFirst().name()
                            + "\": no device paths are given, so"
                            + " every disk that is free when the volume group is made on a node is"
                            + " taken; this is not recommended for production");
        }
    }

    static void absolute(List<DeviceClass> classes, Findings findings) {
        for (var deviceClass : classes) {
            for (var path : deviceClass.paths()) {
                absolute(deviceClass, "path ", path, findings);
            }
            for (var path : deviceClass.optionalPaths()) {
                absolute(deviceClass, "optional path ", path, findings);
            }
        }
    }

    private static void absolute(
            DeviceClass deviceClass, String what, String path, Findings findings) {
        findings.errorIf(
                !path.startsWith(DEVICES),
                "device class \""
                        + deviceClass.name()
                        + "\": "
                        + what
                        + path
                        + " must be an absolute path of a device, starting with "
                        + DEVICES);
    }

    /** A place where a path is mentioned. */
    private record Mention(String path, String deviceClass, String kind) {}

    static void unique(List<DeviceClass> classes, Findings findings) {
        // Classes for different nodes may name the same path: it is a different disk there.
        var byNodes = new HashMap<Optional<NodeTerms>, Map<String, Mention>>();
        for (var deviceClass : classes) {
            var seen =
                    byNodes.computeIfAbsent(
                            deviceClass.group().nodeSelector(), _ -> new HashMap<>());
            for (var mention : mentions(deviceClass)) {
                var first = seen.putIfAbsent(mention.path(), mention);
                if (first != null) {
                    findings.error(overlap(first, mention));
                }
            }
        }
    }

    private static List<Mention> mentions(DeviceClass deviceClass) {
        var mentions = new ArrayList<Mention>();
        for (var path : deviceClass.paths()) {
            mentions.add(new Mention(path, deviceClass.name(), "device path "));
        }
        for (var path : deviceClass.optionalPaths()) {
            mentions.add(new Mention(path, deviceClass.name(), "optional device path "));
        }
        return mentions;
    }

    private static String overlap(Mention first, Mention second) {
        var path = second.kind() + second.path();
        return first.deviceClass().equals(second.deviceClass())
                ? path + " is specified at multiple places in deviceClass " + second.deviceClass()
                : path
                        + " overlaps in two different deviceClasses "
                        + first.deviceClass()
                        + " and "
                        + second.deviceClass();
    }
}
