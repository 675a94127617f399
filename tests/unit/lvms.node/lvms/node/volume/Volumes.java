package lvms.node.volume;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.api.Names;
import lvms.api.StatusCode;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Quantity;
import lvms.k8s.tree.ListTree;

import java.util.Map;
import java.util.Optional;

/** LogicalVolume objects for tests. */
final class Volumes {
    static final String NODE = "n1";
    static final String UID = "7f3c2c1e-0b0e-4a0e-9a53-0d5c8c4f3a11";

    private Volumes() {}

    static KubeObject object(String name, String size) {
        return unclaimed(
                        new LogicalVolume.Spec(
                                name, NODE, Quantity.parse(size), "thin", "", "", ""))
                .with(UID, "metadata", "uid");
    }

    /** Returns an object as TopoLVM's controller writes it: finalizer and label are missing. */
    static KubeObject unclaimed(LogicalVolume.Spec spec) {
        return LogicalVolume.create(Driver.TOPOLVM, spec, Map.of())
                .without("metadata", "finalizers")
                .without("metadata", "labels");
    }

    static LogicalVolume wanted(String size) {
        return LogicalVolume.of(object("pvc-1", size));
    }

    static LogicalVolume copyOf(String source, String access, String size) {
        return LogicalVolume.of(
                object("pvc-2", size)
                        .with(source, "spec", "source")
                        .with(access, "spec", "accessType"));
    }

    static LogicalVolume made(String size) {
        return LogicalVolume.of(withStatus(claimed(object("pvc-1", size)), UID, size));
    }

    static KubeObject claimed(KubeObject object) {
        var finalizers = ListTree.builder();
        finalizers.add(Driver.TOPOLVM.volumeFinalizer());
        return object.with(finalizers.build(), "metadata", "finalizers")
                .with(Names.CREATED_BY, "metadata", "labels", Names.CREATED_BY_LABEL);
    }

    static KubeObject withStatus(KubeObject object, String volumeId, String size) {
        return object.with(
                new LogicalVolume.Status(
                                volumeId, StatusCode.OK, "", Optional.of(Quantity.parse(size)))
                        .json(),
                "status");
    }
}
