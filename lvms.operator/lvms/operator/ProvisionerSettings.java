package lvms.operator;

import lvms.operator.claim.VolumeNaming;

/**
 * What an installation chooses of the work of external-provisioner, whose flags these are.
 *
 * @param defaultFsType filesystem of claims whose class names none; empty leaves it to the node
 * @param capacityForImmediateBinding whether capacity is published also of classes whose volumes do
 *     not wait for a pod
 * @param crossNamespaceSources whether claims may be copied from sources in other namespaces that
 *     have a ReferenceGrant, as with the gate CrossNamespaceVolumeDataSource
 * @param volumeNamePrefix what names of new volumes begin with, before a hyphen
 * @param volumeNameUuidLength how many digits of the claim's UID follow, -1 for the whole UID
 */
public record ProvisionerSettings(
        String defaultFsType,
        boolean capacityForImmediateBinding,
        boolean crossNamespaceSources,
        String volumeNamePrefix,
        int volumeNameUuidLength) {
    /** As external-provisioner is without flags. */
    public static final ProvisionerSettings DEFAULT = new ProvisionerSettings("", false, false);

    /**
     * Checks the names.
     *
     * @throws IllegalArgumentException what is wrong with them
     */
    public ProvisionerSettings {
        new VolumeNaming(volumeNamePrefix, volumeNameUuidLength);
    }

    /** With volumes that are called as external-provisioner calls them without flags. */
    public ProvisionerSettings(
            String defaultFsType,
            boolean capacityForImmediateBinding,
            boolean crossNamespaceSources) {
        this(
                defaultFsType,
                capacityForImmediateBinding,
                crossNamespaceSources,
                VolumeNaming.DEFAULT.prefix(),
                VolumeNaming.DEFAULT.uuidLength());
    }

    /**
     * Returns the same with other names of new volumes.
     *
     * @throws IllegalArgumentException what is wrong with them
     */
    public ProvisionerSettings named(String prefix, int uuidLength) {
        return new ProvisionerSettings(
                defaultFsType,
                capacityForImmediateBinding,
                crossNamespaceSources,
                prefix,
                uuidLength);
    }

    VolumeNaming naming() {
        return new VolumeNaming(volumeNamePrefix, volumeNameUuidLength);
    }
}
