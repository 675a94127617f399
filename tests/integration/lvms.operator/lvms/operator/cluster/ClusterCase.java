package lvms.operator.cluster;

import static lvms.operator.cluster.Clusters.cluster;
import static lvms.operator.cluster.Site.NAMESPACE;

import lvms.api.LvmCluster;
import lvms.k8s.object.ObjectKey;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** An API server, the operator, and a cluster of one node when a test asks for it. */
abstract class ClusterCase {
    static final String VG1 =
            "{'name':'vg1','default':true,'deviceSelector':{'paths':['/dev/vda']},"
                    + "'thinPoolConfig':{'name':'thin-pool-1','overprovisionRatio':10}}";
    static final String VG2 =
            "{'name':'vg2','deviceSelector':{'paths':['/dev/vdb']},"
                    + "'storageClassOptions':{'reclaimPolicy':'Retain'}}";
    static final ObjectKey AGENT = ObjectKey.of(NAMESPACE, "vg-manager");
    static final ObjectKey DRIVER = ObjectKey.cluster("topolvm.io");

    Site site;

    @BeforeEach
    final void open() throws Exception {
        site = Site.open();
    }

    @AfterEach
    final void close() throws Exception {
        site.close();
    }

    /** Creates a cluster on the node n1 and waits until it is ready. */
    final LvmCluster ready(String... deviceClasses) throws Exception {
        site.node("n1");
        site.startOperator();
        site.create(cluster(deviceClasses));
        Site.await("groups", () -> site.groups().size() == deviceClasses.length);
        site.rollOut(1);
        site.report("n1", "Ready");
        return site.awaitState("Ready");
    }

    static ObjectKey group(String name) {
        return ObjectKey.of(NAMESPACE, name);
    }

    static ObjectKey storageClass(String deviceClass) {
        return ObjectKey.cluster("lvms-" + deviceClass);
    }

    /** A patch that names all device classes. */
    static String classes(String... deviceClasses) {
        return "{'spec':{'storage':{'deviceClasses':[" + String.join(",", deviceClasses) + "]}}}";
    }
}
