package lvms.node.pool;

import static java.lang.System.Logger.Level.WARNING;

import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;
import lvms.lvm2.plan.AllocationSettings;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What the machine's LVM does by itself.
 *
 * @param settings how it allocates
 * @param dmeventd its daemon that may extend thin pools
 * @param thresholdPercent from this use of data on, LVM makes no volume in a thin pool
 */
public record PoolHost(AllocationSettings settings, Dmeventd dmeventd, int thresholdPercent) {
    private static final System.Logger LOG = System.getLogger(PoolHost.class.getName());
    private static final String MONITORING = "activation/monitoring";
    private static final String THRESHOLD = "activation/thin_pool_autoextend_threshold";
    private static final Path PROC = Path.of("/proc");

    /** Reads LVM's configuration; says so if it cannot. */
    public static PoolHost of(Lvm lvm) {
        return of(lvm, PROC);
    }

    static PoolHost of(Lvm lvm, Path proc) {
        try {
            return read(lvm, proc);
        } catch (LvmException | NumberFormatException e) {
            LOG.log(
                    WARNING,
                    () -> "cannot read lvm.conf, LVM's defaults are assumed: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return new PoolHost(AllocationSettings.DEFAULTS, new Dmeventd(false, proc), 100);
    }

    private static PoolHost read(Lvm lvm, Path proc) throws LvmException, InterruptedException {
        var keys = new ArrayList<>(AllocationSettings.KEYS);
        keys.addAll(List.of(MONITORING, THRESHOLD));
        var values = lvm.configured(keys);
        int threshold = Integer.parseInt(values.getOrDefault(THRESHOLD, "100"));
        boolean extending = values.getOrDefault(MONITORING, "0").equals("1") && threshold < 100;
        return new PoolHost(
                AllocationSettings.of(values), new Dmeventd(extending, proc), threshold);
    }

    /** Returns whether its dmeventd extends thin pools now. */
    boolean extendsPools() throws IOException {
        return dmeventd.extendsPools();
    }
}
