package lvms.operator.cluster;

import lvms.api.DeviceClass;
import lvms.api.Driver;
import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;
import lvms.api.Names;
import lvms.api.StorageClassOptions;
import lvms.api.StorageClassOptions.BindingMode;
import lvms.api.StorageClassOptions.ReclaimPolicy;
import lvms.k8s.object.KubeObject;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The device classes that were accepted last.
 *
 * <p>They are read back from what was made from them: LVMVolumeGroups and StorageClasses carry
 * every field. So nothing has to be stored, and objects of a predecessor count as well.
 */
public final class AcceptedClasses {
    private AcceptedClasses() {}

    /**
     * Returns the classes, in the order of the current spec; others follow, sorted by name.
     *
     * @param groups the LVMVolumeGroups of the cluster
     * @param storageClass finds a StorageClass by name
     * @param next the cluster as it is asked for now; it fills in what no object carries because a
     *     StorageClass was deleted by hand
     */
    public static List<DeviceClass> of(
            List<LvmVolumeGroup> groups,
            Function<String, Optional<KubeObject>> storageClass,
            LvmCluster next) {
        var accepted = new ArrayList<DeviceClass>();
        boolean single = groups.size() == 1;
        for (var group : groups) {
            if (!group.object().terminating()) {
                accepted.add(
                        deviceClass(
                                group,
                                storageClass.apply(Names.classOf(group.name())),
                                next.deviceClass(group.name()),
                                single));
            }
        }
        var order = next.deviceClasses().stream().map(DeviceClass::name).toList();
        accepted.sort(
                Comparator.comparingInt(
                                (DeviceClass c) ->
                                        order.contains(c.name())
                                                ? order.indexOf(c.name())
                                                : order.size())
                        .thenComparing(DeviceClass::name));
        return List.copyOf(accepted);
    }

    private static DeviceClass deviceClass(
            LvmVolumeGroup group,
            Optional<KubeObject> storageClass,
            Optional<DeviceClass> next,
            boolean single) {
        var fstype =
                storageClass
                        .flatMap(c -> c.text("parameters", Names.PARAMETER_FSTYPE))
                        .or(() -> next.map(DeviceClass::fstype))
                        .orElse(DeviceClass.DEFAULT_FSTYPE);
        return new DeviceClass(
                group.name(),
                isDefault(group, storageClass, single),
                fstype,
                group.spec().group(),
                storageClass
                        .map(AcceptedClasses::options)
                        .or(() -> next.flatMap(DeviceClass::options)));
    }

    // The only class of a cluster is the default of its nodes even if its spec does not say so.
    private static boolean isDefault(
            LvmVolumeGroup group, Optional<KubeObject> storageClass, boolean single) {
        boolean chosen =
                storageClass
                        .flatMap(c -> c.annotation(Names.DEFAULT_CLASS_ANNOTATION))
                        .filter("true"::equals)
                        .isPresent();
        return group.spec().isDefault() && (!single || chosen);
    }

    private static StorageClassOptions options(KubeObject storageClass) {
        var parameters = new LinkedHashMap<>(storageClass.textMap("parameters"));
        parameters.keySet().remove(Driver.TOPOLVM.deviceClassParameter());
        parameters.keySet().remove(Names.PARAMETER_FSTYPE);
        return new StorageClassOptions(
                storageClass
                        .text("reclaimPolicy")
                        .map(ReclaimPolicy::of)
                        .orElse(ReclaimPolicy.DELETE),
                storageClass
                        .text("volumeBindingMode")
                        .map(BindingMode::of)
                        .orElse(BindingMode.IMMEDIATE),
                parameters,
                additionalLabels(storageClass));
    }

    private static Map<String, String> additionalLabels(KubeObject storageClass) {
        var labels = new LinkedHashMap<>(storageClass.labels());
        labels.keySet().removeIf(key -> key.startsWith(Names.OWNED_BY_PREFIX));
        return labels;
    }
}
