package lvms.operator;

/**
 * What an installation chooses of the work of external-provisioner, whose flags these are.
 *
 * @param defaultFsType filesystem of claims whose class names none; empty leaves it to the node
 * @param capacityForImmediateBinding whether capacity is published also of classes whose volumes do
 *     not wait for a pod
 * @param crossNamespaceSources whether claims may be copied from sources in other namespaces that
 *     have a ReferenceGrant, as with the gate CrossNamespaceVolumeDataSource
 */
public record ProvisionerSettings(
        String defaultFsType, boolean capacityForImmediateBinding, boolean crossNamespaceSources) {
    /** As external-provisioner is without flags. */
    public static final ProvisionerSettings DEFAULT = new ProvisionerSettings("", false, false);
}
