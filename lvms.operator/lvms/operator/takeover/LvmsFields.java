package lvms.operator.takeover;

import lvms.k8s.object.KubeObject;

import java.util.ArrayList;
import java.util.List;

/** Fields of a device class that LVMS does not know. */
final class LvmsFields {
    static final List<String> UNKNOWN =
            List.of(
                    "erasureConfig",
                    "thinPoolConfig.growthLimit",
                    "thinPoolConfig.growthStepPercent",
                    "thinPoolConfig.thresholdPercent",
                    "thinPoolConfig.trim",
                    "thinPoolConfig.whenFull");

    private LvmsFields() {}

    /** Returns those that an LVMCluster has, with the names of its device classes. */
    static List<String> in(KubeObject cluster) {
        var found = new ArrayList<String>();
        for (var deviceClass : cluster.objects("spec", "storage", "deviceClasses")) {
            for (var field : UNKNOWN) {
                var path = field.split("\\.");
                var parent =
                        path.length == 1 ? deviceClass : deviceClass.object(path[0]).orElse(null);
                if (parent != null && parent.has(path[path.length - 1])) {
                    found.add(deviceClass.text("name").orElse("") + ": " + field);
                }
            }
        }
        return found;
    }
}
