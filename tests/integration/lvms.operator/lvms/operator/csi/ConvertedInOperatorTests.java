package lvms.operator.csi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.k8s.object.Types;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.Optional;

/** The operator of LVMS goes on with a converted driver whose CSIDriver a chart of TopoLVM made. */
@Timeout(60)
class ConvertedInOperatorTests {
    private static final long GIB = 1L << 30;

    @Test
    void aClaimOfAnOldClassGetsAVolumeAndLeavesNothing() throws Exception {
        try (var cluster = new DriverCluster(Drivers.of(Driver.TOPOLVM, Driver.CONVERTED))) {
            cluster.agent.addNode("n1", 10 * GIB);
            cluster.create(
                    Types.CSI_DRIVER,
                    "{'metadata':{'name':'topolvm.cybozu.com','labels':{"
                            + "'app.kubernetes.io/managed-by':'Helm'},'annotations':{'"
                            + Drivers.CONVERTED_MARK
                            + "':'topolvm.io'}},'spec':{}}");
            cluster.create(
                    Types.STORAGE_CLASS,
                    "{'metadata':{'name':'old'},'provisioner':'topolvm.cybozu.com',"
                            + "'parameters':{'topolvm.cybozu.com/device-class':'ssd'}}");
            cluster.startOperator();
            cluster.createClaim("data", "old", "1Gi", "");
            var volume = cluster.kube.get(Types.PV, cluster.awaitVolumeOf("data"));
            assertEquals(Optional.of("topolvm.cybozu.com"), volume.text("spec", "csi", "driver"));
            cluster.delete(Types.PVC, DriverCluster.claim("data"));
            cluster.awaitNothingLeft();
        }
    }
}
