package lvms.node.pool;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;
import lvms.lvm2.plan.AllocationSettings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What the machine's LVM does by itself.
 *
 * @param settings how it allocates
 * @param extendsPools whether its dmeventd extends thin pools
 * @param thresholdPercent from this use of data on, LVM makes no volume in a thin pool
 */
public record PoolHost(AllocationSettings settings, boolean extendsPools, int thresholdPercent) {
    private static final System.Logger LOG = System.getLogger(PoolHost.class.getName());
    private static final String MONITORING = "activation/monitoring";
    private static final String THRESHOLD = "activation/thin_pool_autoextend_threshold";
    private static final Path PROC = Path.of("/proc");

    /** Reads LVM's configuration; says once if pools are left to the host, or if it cannot. */
    public static PoolHost of(Lvm lvm) {
        try {
            return read(lvm);
        } catch (LvmException | NumberFormatException e) {
            LOG.log(
                    WARNING,
                    () -> "cannot read lvm.conf, LVM's defaults are assumed: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return new PoolHost(AllocationSettings.DEFAULTS, false, 100);
    }

    private static PoolHost read(Lvm lvm) throws LvmException, InterruptedException {
        var keys = new ArrayList<>(AllocationSettings.KEYS);
        keys.addAll(List.of(MONITORING, THRESHOLD));
        var values = lvm.configured(keys);
        int threshold = Integer.parseInt(values.getOrDefault(THRESHOLD, "100"));
        boolean configured = values.getOrDefault(MONITORING, "0").equals("1") && threshold < 100;
        boolean extendsPools = configured && dmeventdRuns();
        if (extendsPools) {
            LOG.log(
                    INFO,
                    "dmeventd of the host extends thin pools (thin_pool_autoextend_threshold in"
                            + " lvm.conf), so the agent lets none grow");
        }
        return new PoolHost(AllocationSettings.of(values), extendsPools, threshold);
    }

    /** The agent sees the processes of its host. */
    private static boolean dmeventdRuns() {
        try (var processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (var process : processes) {
                if (name(process).equals("dmeventd")) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            LOG.log(INFO, () -> "cannot look for dmeventd: " + e.getMessage());
            return false;
        }
    }

    private static String name(Path process) {
        try {
            return Files.readString(process.resolve("comm")).strip();
        } catch (IOException e) {
            return ""; // it has ended
        }
    }
}
