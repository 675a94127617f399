package lvms.tests.e2e;

import lvms.api.Driver;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What the suite is told of the driver: its type {@code driverDefinition} in Kubernetes' folder
 * test/e2e/storage/external. A capability that is not named counts as absent.
 *
 * @param specs the specs that are run with it, a regular expression; empty: all
 * @param yaml the definition
 */
public record DriverDefinition(String specs, String yaml) {
    /**
     * The smallest volume holds xfs, whose least size is 300 MiB, in whole extents. Absent are: RWX
     * and capReadOnlyMany, since a volume is on one node; volumeMountGroup, since kubelet changes
     * ownership as well and honours fsGroupChangePolicy; volumeLimits, since a node has none;
     * snapshotMetadata; seLinuxMount, since the kernel of these nodes has SELinux off;
     * PerformanceTestOptions, whose spec skips classes that wait for a pod, and then fails while it
     * deletes the class that it did not create.
     */
    private static final String BASE =
            """
            StorageClass:
              FromExistingClassName: %s
            VolumeAttributesClass:
              FromExistingClassName: %s
            DriverInfo:
              Name: %s
              SupportedSizeRange: {Min: 320Mi}
              SupportedFsType: {"": {}, ext4: {}, xfs: {}}
              SupportedMountOption: {noatime: {}, dirsync: {}}
              TopologyKeys: [%s]
              StressTestOptions: {NumPods: 3, NumRestarts: 3}
              Capabilities:
                persistence: true
                block: true
                fsGroup: true
                exec: true
                multipods: true
                controllerExpansion: true
                nodeExpansion: true
                offlineExpansion: true
                onlineExpansion: true
                singleNodeVolume: true
                topology: true
                capacity: true
                readWriteOncePod: true
                multiplePVsSameID: true
            """;

    /** Name of the VolumeAttributesClass that the suite's volumes are modified by. */
    static final String ATTRIBUTES = "e2e";

    private static final String OPTIONS = "  Capabilities:\n";
    private static final String GROUP_SPECS = "volumegroupsnapshot";
    private static final String MODIFY_SPECS = "volume-modify-stress";

    /** The driver with volumes of a StorageClass, without snapshots and clones. */
    public static DriverDefinition ofClass(String storageClass) {
        return new DriverDefinition(
                "",
                BASE.formatted(
                        storageClass,
                        ATTRIBUTES,
                        Driver.TOPOLVM.name(),
                        Driver.TOPOLVM.topologyKey()));
    }

    /** The same with snapshots and clones. */
    public DriverDefinition withCopies(String snapshotClass) {
        var copying =
                """
                  VolumeSnapshotStressTestOptions: {NumPods: 2, NumSnapshots: 3}
                  Capabilities:
                    snapshotDataSource: true
                    pvcDataSource: true
                """;
        var text = "SnapshotClass: {FromExistingClassName: " + snapshotClass + "}\n" + yaml;
        return new DriverDefinition(specs, text.replace(OPTIONS, copying));
    }

    /**
     * Snapshots of several volumes, and nothing else. The specs spread their volumes over all nodes
     * that the StorageClass allows, so it has to allow only one.
     */
    public DriverDefinition groupsAlone() {
        var grouping =
                """
                  VolumeGroupSnapshotStressTestOptions: {NumPods: 2, NumSnapshots: 3}
                  Capabilities:
                    groupSnapshot: true
                """;
        var text = "GroupSnapshotClass: {FromName: true}\n" + yaml;
        return new DriverDefinition(GROUP_SPECS, text.replace(OPTIONS, grouping));
    }

    /**
     * Many volumes that are modified, and nothing else. The specs modify claims that no pod uses
     * yet, so the StorageClass has to bind at once: an unbound claim cannot be modified.
     */
    public DriverDefinition modificationsAlone() {
        var options = "  VolumeModifyStressTestOptions: {NumPods: 3}\n" + OPTIONS;
        return new DriverDefinition(MODIFY_SPECS, yaml.replace(OPTIONS, options));
    }

    void writeTo(Path file) throws IOException {
        Files.writeString(file, yaml);
    }
}
