package lvms.operator.unit;

import lvms.api.LvmCluster;
import lvms.k8s.client.ApiException;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A unit whose objects serve an LVMCluster and a TopolvmCluster alike. The LVMCluster owns them as
 * long as it is there, so that no two passes ever disagree about them; when it goes, they are left
 * to the other one.
 *
 * @param unit does the work
 * @param other the TopolvmCluster as a unit sees it, if one is in charge; it is for every node
 * @param stays whether that is still there to take something over
 */
public record SharedUnit(ReconcileUnit unit, Supplier<Optional<LvmCluster>> other, Stays stays)
        implements ReconcileUnit {
    /** Asks the server: the cache that has the TopolvmCluster may be older than the LVMCluster. */
    @FunctionalInterface
    public interface Stays {
        boolean now(LvmCluster heir) throws ApiException, InterruptedException;
    }

    @Override
    public String name() {
        return unit.name();
    }

    @Override
    public Outcome apply(LvmCluster cluster) throws ApiException, InterruptedException {
        boolean everywhere = other.get().isPresent();
        return unit.apply(everywhere ? cluster.withDeviceClasses(List.of()) : cluster);
    }

    @Override
    public Outcome remove(LvmCluster cluster) throws ApiException, InterruptedException {
        var heir = other.get();
        return heir.isPresent() && stays.now(heir.get())
                ? unit.handOver(cluster, heir.get())
                : unit.remove(cluster);
    }
}
