package lvms.tests.conformance.fault;

import lvms.tests.cluster.ClusterNode;
import lvms.tests.cluster.workload.Patience;

import java.io.IOException;
import java.util.List;

/**
 * SCSI disks of a node that can be pulled out while they are in use and plugged in again, under
 * another kernel name then, as real ones: the kernel's scsi_debug, with a host for each disk.
 */
public final class ScsiDisks {
    /** Size of each in MiB; the content lies in the node's memory. */
    static final int SIZE_MIB = 96;

    private static final int COUNT = 3;

    /** Each host of scsi_debug with the link that udev made for its disk. */
    private static final String FOUND =
            """
            for host in $(grep -lx scsi_debug /sys/class/scsi_host/host*/proc_name); do
                host=${host%/proc_name}
                disk=$(ls $host/device/target*/*/block)
                for link in /dev/disk/by-id/wwn-*; do
                    [ "$(realpath $link)" != /dev/$disk ] || echo $host $link
                done
            done
            """;

    private final ClusterNode node;
    private final Patience patience;
    private final List<Disk> disks;

    private ScsiDisks(ClusterNode node, Patience patience, List<Disk> disks) {
        this.node = node;
        this.patience = patience;
        this.disks = disks;
    }

    /** One disk: its host in sysfs, and the path that stays with it. */
    private record Disk(String host, String path) {
        static Disk of(String line) {
            var words = line.split(" ");
            return new Disk(words[0], words[1]);
        }
    }

    /** Plugs three in; the node needs udev. */
    public static ScsiDisks start(ClusterNode node, Patience patience) throws Exception {
        node.shell(
                "modprobe scsi_debug delay=0 per_host_store=1 add_host=%d dev_size_mb=%d"
                        .formatted(COUNT, SIZE_MIB));
        patience.until(
                "udev has found the disks", () -> node.shell(FOUND).lines().count() == COUNT);
        var found = node.shell(FOUND).lines().map(Disk::of).toList();
        return new ScsiDisks(node, patience, found);
    }

    /** Returns the path that stays with the disk. */
    public String path(int disk) {
        return disks.get(disk).path();
    }

    /** Returns the path that the kernel gave the disk, which another may get. */
    String device(int disk) throws IOException {
        return node.shell("realpath " + path(disk)).strip();
    }

    /** Pulls a disk out; whatever uses it gets errors. */
    public void pull(int disk) throws Exception {
        node.shell(
                "echo 1 >/sys/block/$(basename $(realpath %s))/device/delete"
                        .formatted(path(disk)));
        await(disk, false);
    }

    /** Plugs a disk in again, with what it held. */
    public void plug(int disk) throws Exception {
        node.shell("echo '- - -' >%s/scan".formatted(disks.get(disk).host()));
        await(disk, true);
    }

    private void await(int disk, boolean there) throws Exception {
        patience.until(
                path(disk) + (there ? " appears" : " vanishes"),
                () -> node.run("test", "-b", path(disk)).succeeded() == there);
    }

    /** Takes them away for good; nothing may use them any more. */
    public void close() throws Exception {
        patience.until("disks are unused", this::removed);
    }

    private boolean removed() throws IOException {
        return node.run("modprobe", "-r", "scsi_debug").succeeded();
    }
}
