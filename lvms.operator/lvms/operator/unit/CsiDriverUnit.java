package lvms.operator.unit;

import lvms.api.Driver;
import lvms.api.LvmCluster;
import lvms.api.Names;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.Deletion;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.tree.Json;

import java.time.Duration;

/**
 * Owns the CSIDriver.
 *
 * @param applier writes
 * @param csiDrivers all CSIDrivers
 */
public record CsiDriverUnit(Applier applier, Informer csiDrivers) implements ReconcileUnit {
    private static final Duration POLL = Duration.ofSeconds(10);
    private static final String SPEC =
            """
            {
              "attachRequired": false,
              "podInfoOnMount": true,
              "seLinuxMount": true,
              "storageCapacity": true,
              "volumeLifecycleModes": ["Persistent"]
            }
            """;

    @Override
    public String name() {
        return "csiDriver";
    }

    /** Returns the object that the cluster asks for. */
    public static KubeObject desired(LvmCluster cluster) {
        return desired(cluster, Driver.TOPOLVM);
    }

    /** Returns that of a driver that does what ours does. */
    public static KubeObject desired(LvmCluster cluster, Driver driver) {
        return KubeObject.create(Types.CSI_DRIVER, ObjectKey.cluster(driver.name()))
                .with(Trees.of(Names.ownedBy(cluster)), "metadata", "labels")
                .with(Json.parse(SPEC), "spec");
    }

    @Override
    public Outcome apply(LvmCluster cluster) throws ApiException, InterruptedException {
        applier.apply(desired(cluster), csiDrivers);
        return new Outcome.Converged();
    }

    @Override
    public Outcome remove(LvmCluster cluster) throws ApiException, InterruptedException {
        var present =
                csiDrivers
                        .get(ObjectKey.cluster(Driver.TOPOLVM.name()))
                        .filter(ForeignDriver::isOurs);
        if (present.isPresent()
                && applier.delete(Types.CSI_DRIVER, present.get()) == Deletion.IN_PROGRESS) {
            return new Outcome.Pending(
                    "CSIDriver " + Driver.TOPOLVM.name() + " is terminating", POLL);
        }
        return new Outcome.Converged();
    }
}
