package lvms.tests.conformance.takeover;

import lvms.api.Driver;
import lvms.tests.cluster.NodeSpec;
import lvms.tests.cluster.Programs;
import lvms.tests.cluster.workload.Product;
import lvms.tests.lab.machine.HostProgram;
import lvms.tests.runner.Peers;
import lvms.tests.runner.Peers.Program;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What people have who use TopoLVM: groups on the nodes, classes, and the standard sidecars. */
final class TopolvmSite {
    /** The device class of a group. */
    static final String THICK = "ssd";

    static final String THICK_CLASS = "lvms-ssd";
    static final String THIN_CLASS = "lvms-thin";

    private static final long GIB = 1L << 30;

    private static final String ON_A_NODE =
            """
            mkdir -p /run/lock
            vgcreate myvg1 /dev/ubdc
            vgcreate myvg2 /dev/ubdd
            lvcreate --type thin-pool --extents 90%FREE --zero y --name pool0 myvg2
            """;

    private static final String THIN_DEVICE_CLASS =
            """
                  - name: thin
                    volume-group: myvg2
                    type: thin
                    thin-pool: {name: pool0, overprovision-ratio: 5}
            """;

    private static final String CLASSES =
            """
            apiVersion: snapshot.storage.k8s.io/v1
            kind: VolumeSnapshotClass
            metadata: {name: %s}
            driver: DRIVER
            deletionPolicy: Delete
            ---
            apiVersion: storage.k8s.io/v1
            kind: StorageClass
            metadata: {name: %s}
            provisioner: DRIVER
            allowVolumeExpansion: true
            volumeBindingMode: WaitForFirstConsumer
            parameters: {DRIVER/device-class: ssd, csi.storage.k8s.io/fstype: ext4}
            ---
            apiVersion: storage.k8s.io/v1
            kind: StorageClass
            metadata: {name: %s}
            provisioner: DRIVER
            allowVolumeExpansion: true
            volumeBindingMode: WaitForFirstConsumer
            parameters: {DRIVER/device-class: thin, csi.storage.k8s.io/fstype: xfs}
            """
                    .formatted(Product.THIN_CLASS, THICK_CLASS, THIN_CLASS);

    private TopolvmSite() {}

    /** A node with disks for the two groups. */
    static NodeSpec node(String name) {
        return NodeSpec.debian(name).disks(4 * GIB, 3 * GIB);
    }

    /** Makes the groups on all nodes, and the classes of a driver. */
    static void prepare(Product product, Path folder, Driver driver) throws Exception {
        for (var node : product.cluster().nodes()) {
            node.shell(ON_A_NODE);
        }
        var text = CLASSES.replace("DRIVER", driver.name());
        var file = Files.writeString(folder.resolve("classes.yaml"), text);
        product.kubectl("apply", "--filename=" + file);
    }

    /** Returns a ConfigMap of lvmd.yaml with both classes for the one with the chart's default. */
    static String classes(String configMap) {
        return configMap.replace("spare-gb: 10", "spare-gb: 1") + THIN_DEVICE_CLASS;
    }

    /** Skips the test unless the sidecars that are not built are there. */
    static void requireSidecars() {
        Peers.find().require(Program.NODE_DRIVER_REGISTRAR, Program.LIVENESS_PROBE);
    }

    /** Returns the sidecars by the names of their programs; those without a peer are built. */
    static Map<String, Path> sidecars() throws Exception {
        var built = List.of("csi-provisioner", "csi-resizer", "csi-snapshotter");
        var command = new ArrayList<>(List.of("./build.sh", "programs"));
        command.addAll(built);
        HostProgram.run(command);
        var all = new HashMap<String, Path>();
        for (var name : built) {
            all.put(name, Programs.find().sidecar(name));
        }
        for (var program : List.of(Program.NODE_DRIVER_REGISTRAR, Program.LIVENESS_PROBE)) {
            all.put(program.file(), Peers.find().program(program));
        }
        return all;
    }
}
