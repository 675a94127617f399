package lvms.operator.cluster.rule;

import lvms.api.DeviceClass;
import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;

import java.util.List;

/**
 * Names of classes and volume groups that a TopolvmCluster has. On a node each is there once, and
 * whoever had a name first keeps it.
 */
public final class TakenNames {
    private TakenNames() {}

    /**
     * Judges the names of a cluster.
     *
     * @param accepted the classes that were accepted before
     * @param groups the LVMVolumeGroups of TopolvmClusters
     */
    public static Verdict check(
            LvmCluster cluster, List<DeviceClass> accepted, List<LvmVolumeGroup> groups) {
        var known = accepted.stream().map(DeviceClass::name).toList();
        var findings = new Findings();
        for (var deviceClass : cluster.deviceClasses()) {
            var name = deviceClass.name();
            findings.errorIf(
                    !known.contains(name) && groups.stream().anyMatch(group -> has(group, name)),
                    "device class "
                            + name
                            + ": a TopolvmCluster has a class or volume group of this name; choose"
                            + " another one");
        }
        return findings.verdict();
    }

    private static boolean has(LvmVolumeGroup group, String name) {
        return group.deviceClass().equals(name) || group.volumeGroup().equals(name);
    }
}
