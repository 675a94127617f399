package lvms.launcher.flag;

import lvms.api.Names;
import lvms.operator.ProvisionerSettings;

import java.util.List;

/** The flags of external-provisioner that the operator has, by the same names. */
public final class ProvisionerFlags {
    private static final String FS_TYPE = "default-fstype";
    private static final String IMMEDIATE = "capacity-for-immediate-binding";

    private static final String CROSS_NAMESPACE = "cross-namespace-volume-data-source";
    private static final String PREFIX = "volume-name-prefix";
    private static final String UUID_LENGTH = "volume-name-uuid-length";

    public static final List<Flag> ALL =
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
                                + " ReferenceGrant; see docs/csi.md for the right that it needs"),
                    Flag.ofText(
                            PREFIX,
                            ProvisionerSettings.DEFAULT.volumeNamePrefix(),
                            "what names of new volumes begin with, before a hyphen"),
                    Flag.ofText(
                            UUID_LENGTH,
                            Integer.toString(ProvisionerSettings.DEFAULT.volumeNameUuidLength()),
                            "how many digits of the claim's UID follow in them, 1 to 32; -1 for"
                                    + " the whole UID"));

    private ProvisionerFlags() {}

    /**
     * Reads the flags.
     *
     * @throws UsageException if no node could make the filesystem, or no API server would take the
     *     names
     */
    public static ProvisionerSettings read(Flags flags) throws UsageException {
        var fsType = flags.text(FS_TYPE);
        if (!fsType.isEmpty() && !Names.FILESYSTEMS.contains(fsType)) {
            throw new UsageException(
                    "--%s needs one of %s, not %s"
                            .formatted(FS_TYPE, String.join(", ", Names.FILESYSTEMS), fsType));
        }
        return named(
                new ProvisionerSettings(fsType, flags.on(IMMEDIATE), flags.on(CROSS_NAMESPACE)),
                flags);
    }

    private static ProvisionerSettings named(ProvisionerSettings settings, Flags flags)
            throws UsageException {
        var length = flags.text(UUID_LENGTH);
        try {
            return settings.named(flags.text(PREFIX), Integer.parseInt(length));
        } catch (NumberFormatException _) {
            throw new UsageException("--%s=%s: must be a number".formatted(UUID_LENGTH, length));
        } catch (IllegalArgumentException e) {
            throw new UsageException("names of volumes: " + e.getMessage());
        }
    }
}
