package lvms.operator.unit;

import lvms.api.LvmCluster;
import lvms.api.nativestor.RawDevice;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.ObjectKey;
import lvms.operator.nativestor.RawDeviceUse;

import java.time.Duration;

/**
 * Keeps the last cluster, and with it the node agents, while pods may have raw devices: nobody else
 * could take the devices away from them, or erase what they leave.
 *
 * @param kube asks for PersistentVolumes, and only if the cluster is to go
 * @param csiDrivers all CSIDrivers
 */
public record RawVolumeHold(KubeClient kube, Informer csiDrivers) implements ReconcileUnit {
    private static final ObjectKey DRIVER = ObjectKey.cluster(RawDevice.DRIVER.name());
    private static final Duration POLL = Duration.ofSeconds(10);

    @Override
    public String name() {
        return "rawVolumes";
    }

    @Override
    public Outcome apply(LvmCluster cluster) {
        return new Outcome.Converged();
    }

    @Override
    public Outcome remove(LvmCluster cluster) throws ApiException, InterruptedException {
        if (csiDrivers.get(DRIVER).filter(ForeignDriver::isOurs).isEmpty()) {
            return new Outcome.Converged();
        }
        var volumes = RawDeviceUse.volumes(kube);
        return volumes.isEmpty()
                ? new Outcome.Converged()
                : new Outcome.Pending(
                        "there are PersistentVolumes of %s, delete what uses them: %s"
                                .formatted(DRIVER.name(), String.join(", ", volumes)),
                        POLL);
    }
}
