package lvms.api.nativestor;

import lvms.api.Driver;
import lvms.api.field.Fields;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ResourceType;
import lvms.k8s.tree.ObjectTree;

import java.util.Objects;

/**
 * A TopolvmCluster: what an administrator of NativeStor asks for, node by node or for all nodes.
 *
 * <p>What users wrote is read leniently: no field is required, and what cannot work is for the
 * rules to say.
 *
 * @param object the object with every field
 * @param spec what it asks for
 * @param status what was reported last
 */
public record TopolvmCluster(KubeObject object, Spec spec, TopolvmClusterStatus status) {
    /** TopolvmCluster in {@code topolvm.cybozu.com/v2}. */
    public static final ResourceType TYPE =
            new ResourceType(
                    Driver.LEGACY.group(), "v2", "TopolvmCluster", "topolvmclusters", true);

    /** Finalizer by which it stays until its volume groups are gone or released. */
    public static final String FINALIZER = "topolvmcluster." + Driver.LEGACY.group();

    public TopolvmCluster {
        Objects.requireNonNull(object, "object");
        Objects.requireNonNull(spec, "spec");
        Objects.requireNonNull(status, "status");
    }

    /**
     * What is asked for.
     *
     * @param topolvmVersion image of TopoLVM; without effect, as in NativeStor
     * @param certsSecret Secret with a certificate for a webhook that we do not need
     * @param cleanup whether volume groups and physical volumes go with the object
     * @param storage nodes and devices
     */
    public record Spec(
            String topolvmVersion, String certsSecret, boolean cleanup, ClusterStorage storage) {
        public Spec {
            Objects.requireNonNull(topolvmVersion, "topolvmVersion");
            Objects.requireNonNull(certsSecret, "certsSecret");
            Objects.requireNonNull(storage, "storage");
        }

        /** Reads the JSON form. */
        public static Spec of(ObjectTree tree) {
            return new Spec(
                    Fields.text(tree, "topolvmVersion"),
                    Fields.text(tree, "certsSecret"),
                    Fields.flag(tree, "cleanup"),
                    ClusterStorage.of(tree.object("storage").orElse(ObjectTree.EMPTY)));
        }

        public ObjectTree json() {
            var tree = ObjectTree.builder();
            Fields.addText(tree, "topolvmVersion", topolvmVersion);
            Fields.addText(tree, "certsSecret", certsSecret);
            tree.put("cleanup", cleanup);
            tree.put("storage", storage.json());
            return tree.build();
        }
    }

    /** Reads an object. */
    public static TopolvmCluster of(KubeObject object) {
        return new TopolvmCluster(
                object,
                Spec.of(object.object("spec").orElse(ObjectTree.EMPTY)),
                TopolvmClusterStatus.of(object.object("status").orElse(ObjectTree.EMPTY)));
    }

    public String name() {
        return object.name();
    }

    public String namespace() {
        return object.namespace();
    }
}
