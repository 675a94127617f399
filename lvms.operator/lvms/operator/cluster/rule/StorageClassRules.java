package lvms.operator.cluster.rule;

import lvms.api.DeviceClass;
import lvms.api.Driver;
import lvms.api.Names;

import java.util.Set;

/** Rules of what becomes part of a StorageClass. */
final class StorageClassRules {
    private static final Set<String> FILESYSTEMS = Set.of("ext4", "xfs");
    private static final Set<String> OWNED_PARAMETERS =
            Set.of(Driver.TOPOLVM.deviceClassParameter(), Names.PARAMETER_FSTYPE);
    private static final Set<String> OWNED_LABELS =
            Set.of(
                    "app.kubernetes.io/managed-by",
                    "app.kubernetes.io/part-of",
                    "app.kubernetes.io/name",
                    "app.kubernetes.io/component");
    private static final String OWNED_LABEL_PREFIX = "owned-by." + Driver.TOPOLVM.name();

    private StorageClassRules() {}

    static void filesystem(DeviceClass deviceClass, Findings findings) {
        findings.errorIf(
                !FILESYSTEMS.contains(deviceClass.fstype()),
                prefix(deviceClass) + "unsupported filesystem " + deviceClass.fstype());
    }

    static void check(DeviceClass deviceClass, Findings findings) {
        var options = deviceClass.effectiveOptions();
        var prefix = prefix(deviceClass);
        options.additionalParameters().keySet().forEach(key -> parameter(prefix, key, findings));
        options.additionalLabels().forEach((key, value) -> label(prefix, key, value, findings));
    }

    private static void parameter(String prefix, String key, Findings findings) {
        findings.errorIf(key.isEmpty(), prefix + "additionalParameters has an empty key");
        findings.errorIf(
                OWNED_PARAMETERS.contains(key),
                prefix + "additionalParameters key \"" + key + "\" is managed by LVMS");
    }

    private static void label(String prefix, String key, String value, Findings findings) {
        var label = prefix + "additionalLabels key \"" + key + "\"";
        findings.errorIf(
                !lvms.k8s.object.Names.isLabelKey(key),
                label + " is invalid: not a qualified name");
        findings.errorIf(
                !value.isEmpty() && !lvms.k8s.object.Names.isLabelName(value),
                label + ": value \"" + value + "\" is invalid");
        findings.errorIf(
                OWNED_LABELS.contains(key) || key.startsWith(OWNED_LABEL_PREFIX),
                label + " is operator-reserved");
    }

    private static String prefix(DeviceClass deviceClass) {
        return "device class \"" + deviceClass.name() + "\": ";
    }
}
