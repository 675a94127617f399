package lvms.tests.bench.cluster;

import lvms.api.Names;
import lvms.api.nativestor.RawDevice;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.yaml.Yaml;
import lvms.tests.cluster.workload.Product;

import java.util.List;
import java.util.Map;

/**
 * What block devices, and what users of NativeStor have, cost in memory: the processes of a node as
 * it is, with 64 block devices more, with what NativeStor's users have while none of it is used,
 * and with discovery and raw devices at work. Each time they were started anew.
 */
public final class DeviceBench {
    private static final long GIB = 1L << 30;
    // 64 devices more; the kernel of a node has room for twelve disks beside its own
    private static final int DISKS = 10;
    private static final int PARTITIONS = 5; // of each disk
    private static final int LOOPS = 4;
    private static final long SETTLE_MILLIS = 60_000;
    private static final String OVERLAY = "deploy/nativestor";
    private static final ObjectKey SETTINGS = ObjectKey.of(Product.SYSTEM, "nativestor-setting");
    // 1 MiB at each end is the table's.
    private static final String MORE_DEVICES =
            """
            set -e
            for disk in %s; do
                for part in $(seq %d); do echo size=2130MiB; done >/tmp/table
                sfdisk --quiet --label gpt $disk </tmp/table
            done
            for loop in $(seq %d); do
                truncate --size=3G /var/loop-$loop
                losetup --find /var/loop-$loop
            done
            udevadm settle
            """;

    private final BenchCluster bench;
    private Map<String, List<Double>> before = Map.of();

    private DeviceBench(BenchCluster bench) {
        this.bench = bench;
    }

    /** Runs it. */
    public static void main(String[] words) throws Exception {
        try (var bench = BenchCluster.withUdev()) {
            new DeviceBench(bench).run();
        }
        System.exit(0);
    }

    private void run() throws Exception {
        bench.product().install();
        System.out.println(
                "| state                              | process    | RSS MiB | anonymous MiB |"
                        + " more than at first |");
        System.out.println(
                "| ---------------------------------- | ---------- | ------: | ------------: |"
                        + " -----------------: |");
        measure("as it is");
        addDevices();
        measure("64 block devices more");
        bench.product().kubectl("apply", "-k", OVERLAY + "/guard");
        bench.product().kubectl("apply", "-k", OVERLAY);
        measure("NativeStor's types, flag, rights");
        useRawDevices();
        measure("discovery and raw devices at work");
    }

    private void addDevices() throws Exception {
        var disks = new StringBuilder();
        for (int disk = 0; disk < DISKS; disk++) {
            disks.append(' ').append(bench.node().addDisk((2 * PARTITIONS + 2) * GIB).device());
        }
        bench.node().shell(MORE_DEVICES.formatted(disks, PARTITIONS, LOOPS));
    }

    private void useRawDevices() throws Exception {
        var settings =
                KubeObject.create(Types.CONFIG_MAP, SETTINGS)
                        .with(Yaml.read("{RAW_DEVICE_ENABLE: 'true'}"), "data");
        bench.kube().create(Types.CONFIG_MAP, settings);
        bench.product()
                .patience()
                .untilNothingMissing(
                        "the node's devices are RawDevices",
                        () -> {
                            int found =
                                    bench.kube()
                                            .list(RawDevice.TYPE, ListOptions.all())
                                            .items()
                                            .size();
                            return found >= DISKS * (1 + PARTITIONS) ? "" : found + " so far";
                        });
    }

    /** Of processes of the same age, since all were started a minute before. */
    private void measure(String state) throws Exception {
        for (var workload : List.of("deployment/" + Names.OPERATOR, "daemonset/vg-manager")) {
            var inSystem = "--namespace=" + Product.SYSTEM;
            bench.product().kubectl("rollout", "restart", inSystem, workload);
            bench.product().kubectl("rollout", "status", inSystem, workload, "--timeout=4m");
        }
        Thread.sleep(SETTLE_MILLIS);
        var memory = new Processes(bench.node()).memory();
        if (before.isEmpty()) {
            before = memory;
        }
        memory.forEach((process, mib) -> print(state, process, mib));
    }

    private void print(String state, String process, List<Double> mib) {
        var first = before.getOrDefault(process, mib);
        System.out.printf(
                "| %-34s | %-10s | %7.1f | %13.1f | %+7.1f / %+8.1f |%n",
                state,
                process,
                mib.get(0),
                mib.get(1),
                mib.get(0) - first.get(0),
                mib.get(1) - first.get(1));
    }
}
