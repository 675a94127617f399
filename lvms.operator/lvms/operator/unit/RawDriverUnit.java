package lvms.operator.unit;

import lvms.api.LvmCluster;
import lvms.api.nativestor.RawDevice;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.operator.nativestor.RawDeviceUse;

import java.time.Duration;
import java.util.Optional;

/**
 * Owns the CSIDriver of raw devices. While it is there and ours, the operator serves claims of it.
 *
 * @param kube asks for PersistentVolumes, and only if it is to go
 * @param applier writes
 * @param csiDrivers all CSIDrivers
 * @param wanted whether raw devices are switched on
 */
public record RawDriverUnit(KubeClient kube, Applier applier, Informer csiDrivers, boolean wanted)
        implements ReconcileUnit {
    private static final ObjectKey KEY = ObjectKey.cluster(RawDevice.DRIVER.name());
    private static final Duration POLL = Duration.ofSeconds(30);

    @Override
    public String name() {
        return "rawDriver";
    }

    @Override
    public Outcome apply(LvmCluster cluster) throws ApiException, InterruptedException {
        if (!wanted) {
            return remove(cluster);
        }
        var foreign = ForeignDriver.of(present());
        if (foreign.isPresent()) {
            return new Outcome.Pending(foreign.get(), POLL);
        }
        applier.apply(CsiDriverUnit.desired(cluster, RawDevice.DRIVER), csiDrivers);
        return new Outcome.Converged();
    }

    /** Volumes need it as long as they live. */
    @Override
    public Outcome remove(LvmCluster cluster) throws ApiException, InterruptedException {
        var ours = present().filter(ForeignDriver::isOurs);
        if (ours.isPresent() && RawDeviceUse.volumes(kube).isEmpty()) {
            applier.delete(Types.CSI_DRIVER, ours.get());
        }
        return new Outcome.Converged();
    }

    private Optional<KubeObject> present() {
        return csiDrivers.get(KEY);
    }
}
