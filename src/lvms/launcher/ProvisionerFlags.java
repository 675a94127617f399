package lvms.launcher;

import lvms.api.Names;
import lvms.launcher.flag.Flag;
import lvms.launcher.flag.Flags;
import lvms.launcher.flag.UsageException;
import lvms.operator.ProvisionerSettings;

import java.util.List;

/** The flags of external-provisioner that the operator has, by the same names. */
final class ProvisionerFlags {
    private static final String FS_TYPE = "default-fstype";
    private static final String IMMEDIATE = "capacity-for-immediate-binding";

    private static final String CROSS_NAMESPACE = "cross-namespace-volume-data-source";

    static final List<Flag> ALL =
            List.of(
                    Flag.ofText(
                            FS_TYPE,
                            "",
                            "filesystem of claims whose StorageClass names none; empty for ext4"),
                    new Flag(
                            IMMEDIATE,
                            Flag.Kind.SWITCH,
                            "false",
                            "publish capacity also of classes with volumeBindingMode Immediate"),
                    new Flag(
                            CROSS_NAMESPACE,
                            Flag.Kind.SWITCH,
                            "false",
                            "copy claims and snapshots of other namespaces that have a"
                                + " ReferenceGrant; see docs/csi.md for the right that it needs"));

    private ProvisionerFlags() {}

    /**
     * Reads the flags.
     *
     * @throws UsageException if no node could make the filesystem
     */
    static ProvisionerSettings read(Flags flags) throws UsageException {
        var fsType = flags.text(FS_TYPE);
        if (!fsType.isEmpty() && !Names.FILESYSTEMS.contains(fsType)) {
            throw new UsageException(
                    "--%s needs one of %s, not %s"
                            .formatted(FS_TYPE, String.join(", ", Names.FILESYSTEMS), fsType));
        }
        return new ProvisionerSettings(fsType, flags.on(IMMEDIATE), flags.on(CROSS_NAMESPACE));
    }
}
