package lvms.operator.takeover;

import lvms.api.LvmCluster;
import lvms.api.Names;
import lvms.k8s.object.KubeObject;

/** Tells whose an object is. A name is no proof. */
public final class Provenance {
    private static final String OWNER_KIND = Names.OWNED_BY_PREFIX + "kind";

    private Provenance() {}

    /** Whether our manifests made it: they label what others have a like of. */
    public static boolean isOfOurManifests(KubeObject object) {
        return object.label("app.kubernetes.io/part-of")
                        .filter("lvms-provisioner"::equals)
                        .isPresent()
                && !isOfAnLvmCluster(object);
    }

    /** Whether an operator made it for an LVMCluster. */
    static boolean isOfAnLvmCluster(KubeObject object) {
        return object.label(OWNER_KIND).filter(LvmCluster.TYPE.kind()::equals).isPresent();
    }

    /** Whether it goes with an LVMCluster, as LVMS's workloads up to 4.15 do. */
    static boolean isOwnedByAnLvmCluster(KubeObject object) {
        return object.ownerReferences().stream()
                .anyMatch(owner -> owner.kind().equals(LvmCluster.TYPE.kind()));
    }

    /** Whether OLM installs it and would bring it back. */
    static boolean isOfOlm(KubeObject object) {
        return object.ownerReferences().stream()
                        .anyMatch(owner -> owner.kind().equals("ClusterServiceVersion"))
                || object.label("olm.owner").isPresent();
    }
}
