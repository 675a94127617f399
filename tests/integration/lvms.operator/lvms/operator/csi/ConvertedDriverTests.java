package lvms.operator.csi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.api.LogicalVolume;
import lvms.k8s.client.MergePatch;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.Types;
import lvms.operator.ProvisionerSettings;
import lvms.operator.TopolvmController;
import lvms.operator.informer.OperatorInformers;
import lvms.operator.volume.SizeRules;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** A PersistentVolume of the old driver goes on working when its LogicalVolume is ours. */
@Timeout(60)
class ConvertedDriverTests {
    private static final long GIB = 1L << 30;
    private static final ObjectKey NAME = ObjectKey.cluster("pvc-1");
    private static final String ID = "4a1f0d4e-0000-4000-8000-000000000001";

    @TempDir Path folder;
    private DriverCluster cluster;
    private EventRecorder events;
    private TopolvmController controller;

    @BeforeEach
    void start() throws Exception {
        cluster = new DriverCluster();
        cluster.agent.addNode("n1", 10 * GIB);
        converted();
        bound();
        events = EventRecorder.open(cluster.kube, "topolvm-controller", "test");
        var drivers = Drivers.of(Driver.TOPOLVM, Driver.CONVERTED);
        controller =
                new TopolvmController(
                        cluster.kube,
                        cluster.kube,
                        OperatorInformers.of(cluster.kube, drivers, DriverCluster.POD.namespace()),
                        new TopolvmController.Settings(
                                Driver.TOPOLVM,
                                SizeRules.DEFAULT,
                                "test",
                                folder.resolve("csi.sock"),
                                true,
                                Optional.of(
                                        new TopolvmController.Alone(
                                                DriverCluster.POD, ProvisionerSettings.DEFAULT))),
                        events,
                        new MetricsRegistry());
        controller.serve();
        controller.lead();
    }

    @AfterEach
    void stop() throws Exception {
        controller.close();
        events.close();
        cluster.close();
    }

    /** The object as a conversion leaves it; its volume has the UID of the former one. */
    private void converted() throws Exception {
        cluster.agent.hold();
        var type = Driver.TOPOLVM.logicalVolumes();
        var spec =
                new LogicalVolume.Spec(NAME.name(), "n1", Quantity.ofBytes(GIB), "ssd", "", "", "");
        var annotations = Map.of(Driver.TOPOLVM.volumeIdAnnotation(), ID);
        var made =
                cluster.kube.create(type, LogicalVolume.create(Driver.TOPOLVM, spec, annotations));
        cluster.kube.mergePatchStatus(
                type,
                MergePatch.of(made)
                        .status(
                                DriverCluster.object(
                                        "{'volumeID':'" + ID + "','currentSize':'1Gi'}")));
    }

    private void bound() throws Exception {
        cluster.create(
                Types.STORAGE_CLASS,
                "{'metadata':{'name':'old'},'provisioner':'topolvm.cybozu.com',"
                        + "'allowVolumeExpansion':true}");
        cluster.create(
                Types.PV,
                "{'metadata':{'name':'pvc-1','annotations':{"
                        + "'pv.kubernetes.io/provisioned-by':'topolvm.cybozu.com'},'finalizers':["
                        + "'external-provisioner.volume.kubernetes.io/finalizer']},"
                        + "'spec':{'capacity':{'storage':'1Gi'},'accessModes':['ReadWriteOnce'],"
                        + "'persistentVolumeReclaimPolicy':'Delete','storageClassName':'old',"
                        + "'claimRef':{'namespace':'default','name':'data'},"
                        + "'csi':{'driver':'topolvm.cybozu.com','volumeHandle':'"
                        + ID
                        + "'},'nodeAffinity':{'required':{'nodeSelectorTerms':[{"
                        + "'matchExpressions':[{'key':'topology.topolvm.cybozu.com/node',"
                        + "'operator':'In','values':['n1']}]}]}}}}");
        cluster.createClaim("data", "old", "1Gi", ",'volumeName':'pvc-1'");
        cluster.awaitBound("data");
    }

    private KubeObject volume() throws Exception {
        return cluster.kube.get(Driver.TOPOLVM.logicalVolumes(), NAME);
    }

    @Test
    void growsAndIsRemovedWithItsVolume() throws Exception {
        cluster.patch(
                Types.PVC,
                DriverCluster.claim("data"),
                "{'spec':{'resources':{'requests':{'storage':'2Gi'}}}}");
        cluster.await(
                "its volume is asked to grow",
                () -> LogicalVolume.of(volume()).spec().size().bytes() == 2 * GIB);
        assertEquals(1, cluster.volumes().size());
        cluster.delete(Types.PVC, DriverCluster.claim("data"));
        cluster.await("its volume is being deleted", () -> volume().terminating());
        cluster.agent.resume();
        cluster.awaitNothingLeft();
    }
}
