package lvms.tests.e2e;

import lvms.api.Driver;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What the suite is told of the driver: its type {@code driverDefinition} in Kubernetes' folder
 * test/e2e/storage/external. A capability that is not named counts as absent.
 *
 * @param copies whether snapshots and clones are declared
 * @param yaml the definition, whose part {@code DriverInfo} stands last
 */
public record DriverDefinition(boolean copies, String yaml) {
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
              VolumeModifyStressTestOptions: {NumPods: 3}
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

    private static final String COPIES =
            """
            SnapshotClass:
              FromExistingClassName: %s
            %s    snapshotDataSource: true
                pvcDataSource: true
              VolumeSnapshotStressTestOptions: {NumPods: 2, NumSnapshots: 3}
            """;

    /** The driver with volumes of a StorageClass, without snapshots and clones. */
    public static DriverDefinition ofClass(String storageClass) {
        return new DriverDefinition(
                false,
                BASE.formatted(
                        storageClass,
                        ATTRIBUTES,
                        Driver.TOPOLVM.name(),
                        Driver.TOPOLVM.topologyKey()));
    }

    /** The same with snapshots and clones. */
    public DriverDefinition withCopies(String snapshotClass) {
        return new DriverDefinition(true, COPIES.formatted(snapshotClass, yaml));
    }

    void writeTo(Path file) throws IOException {
        Files.writeString(file, yaml);
    }
}
