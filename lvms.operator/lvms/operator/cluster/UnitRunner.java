package lvms.operator.cluster;

import lvms.api.LvmCluster;
import lvms.k8s.client.ApiException;
import lvms.operator.unit.ReconcileUnit;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs units; one that fails does not stop the others. */
public final class UnitRunner {
    private static final System.Logger LOG = System.getLogger(UnitRunner.class.getName());

    private UnitRunner() {}

    /** Applies all units, each on a thread of its own. */
    public static List<UnitResult> applyAll(List<ReconcileUnit> units, LvmCluster cluster)
            throws InterruptedException {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<UnitResult>> passes =
                    units.stream().<Callable<UnitResult>>map(u -> () -> apply(u, cluster)).toList();
            var results = new ArrayList<UnitResult>();
            for (Future<UnitResult> pass : threads.invokeAll(passes)) {
                results.add(pass.get());
            }
            return results;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause()); // apply throws nothing but errors
        }
    }

    /** Removes the units' objects in order, up to the first that is not done. */
    public static List<UnitResult> removeInOrder(List<ReconcileUnit> units, LvmCluster cluster)
            throws InterruptedException {
        var results = new ArrayList<UnitResult>();
        for (var unit : units) {
            var result = remove(unit, cluster);
            results.add(result);
            if (result.problem().isPresent()) {
                break;
            }
        }
        return results;
    }

    private static UnitResult apply(ReconcileUnit unit, LvmCluster cluster)
            throws InterruptedException {
        try {
            return UnitResult.ended(unit.name(), unit.apply(cluster));
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            return failed(unit, e);
        }
    }

    private static UnitResult remove(ReconcileUnit unit, LvmCluster cluster)
            throws InterruptedException {
        try {
            return UnitResult.ended(unit.name(), unit.remove(cluster));
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            return failed(unit, e);
        }
    }

    private static UnitResult failed(ReconcileUnit unit, Exception failure) {
        if (failure instanceof ApiException) { // the cluster's status reports it
            LOG.log(Level.DEBUG, () -> "unit failed unit=" + unit.name() + " " + failure);
        } else {
            LOG.log(Level.ERROR, "unit failed unit=" + unit.name(), failure);
        }
        return UnitResult.failed(unit.name(), failure);
    }
}
