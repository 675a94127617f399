package lvms.k8s.testkit.kinds;

/** Which built-in resources have rules of their own. */
final class BuiltinRules {
    private BuiltinRules() {}

    static Rules of(String plural) {
        return switch (plural) {
            case "namespaces" -> new CoreRules.NamespaceRules();
            case "pods" -> new PodRules();
            case "persistentvolumeclaims" -> new ClaimRules();
            case "persistentvolumes" -> new VolumeRules();
            case "storageclasses" -> new StorageRules.StorageClassRules();
            case "csidrivers" -> new StorageRules.CsiDriverRules();
            case "csinodes" -> new StorageRules.CsiNodeRules();
            case "volumeattributesclasses" -> new StorageRules.AttributesClassRules();
            case "csistoragecapacities" -> new StorageRules.CapacityRules();
            case "secrets", "configmaps" -> new CoreRules.DataRules(plural);
            case "services" -> new CoreRules.ServiceRules();
            case "serviceaccounts" -> new CoreRules.ServiceAccountRules();
            case "daemonsets", "deployments", "statefulsets", "replicasets" ->
                    new WorkloadRules(plural);
            case "rolebindings", "clusterrolebindings" -> new CoreRules.BindingRules();
            case "events" -> new CoreRules.EventRules();
            case "nodes" -> new CoreRules.NodeRules();
            case "validatingadmissionpolicies", "validatingadmissionpolicybindings" ->
                    new AdmissionPolicyRules();
            case "customresourcedefinitions" -> new DefinitionRules();
            default -> Rules.NONE;
        };
    }
}
