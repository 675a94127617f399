package lvms.operator.informer;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.api.Names;
import lvms.api.VolumeAffinity;
import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;

import java.util.List;

/** Trims objects to what somebody here reads. Pure functions. */
final class Trim {
    private Trim() {}

    /** Who needs the disks reads them when they are needed. */
    static KubeObject nodeStatus(KubeObject status) {
        return status.without("spec", "disks");
    }

    /** The status of a Node, with its images, is most of it; one condition is read. */
    static KubeObject node(Drivers drivers, KubeObject node) {
        var kept = node;
        for (var annotation : node.annotations().keySet()) {
            boolean capacity =
                    drivers.all().stream()
                            .map(Driver::capacityPrefix)
                            .anyMatch(annotation::startsWith);
            if (!capacity && !annotation.equals(Names.NO_NEW_VOLUMES_ANNOTATION)) {
                kept = kept.without("metadata", "annotations", annotation);
            }
        }
        var bare = kept.without("status");
        var ready =
                node.objects("status", "conditions").stream()
                        .filter(condition -> condition.text("type").orElse("").equals("Ready"))
                        .map(Trim::withoutHeartbeat)
                        .toList();
        return ready.isEmpty() ? bare : bare.with(ListTree.of(ready), "status", "conditions");
    }

    /** So an update of a Node that only shows that it lives changes nothing here. */
    private static ObjectTree withoutHeartbeat(ObjectTree condition) {
        var kept = ObjectTree.builder();
        for (var field : List.of("type", "status", "lastTransitionTime")) {
            condition.text(field).ifPresent(text -> kept.put(field, text));
        }
        return kept.build();
    }

    static KubeObject csiNode(Drivers drivers, KubeObject node) {
        var ours =
                node.objects("spec", "drivers").stream()
                        .filter(entry -> drivers.serve(entry.text("name").orElse("")))
                        .toList();
        var spec = ObjectTree.builder().put("drivers", ListTree.of(ours)).build();
        return node.without("metadata", "annotations").with(spec, "spec");
    }

    static KubeObject persistentVolume(Drivers drivers, KubeObject volume) {
        var bare =
                volume.without("spec", "mountOptions")
                        .without("spec", "accessModes")
                        .without("spec", "csi", "volumeAttributes");
        var driver = drivers.ofVolume(volume);
        if (driver.isEmpty()) {
            return bare.without("spec")
                    .without("status")
                    .without("metadata", "labels")
                    .without("metadata", "annotations");
        }
        return labelled(volume, driver.get())
                ? bare.without("metadata", "labels").without("spec", "nodeAffinity")
                : bare;
    }

    /** Returns whether label and affinity name the same node, so nobody needs either of them. */
    private static boolean labelled(KubeObject volume, Driver driver) {
        var node = VolumeAffinity.node(volume, driver);
        return node.isPresent() && node.equals(volume.label(Names.HOSTNAME_LABEL));
    }
}
