package lvms.operator.uninstall;

import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.Names;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Where an installation is: in the namespace of the account to which the manifests bind the
 * operator's role. Where that binding is gone or may not be read, the objects say it that an
 * operator accepts and makes in its own namespace alone.
 */
public final class InstalledNamespace {
    private static final ObjectKey BINDING = ObjectKey.cluster(Names.OPERATOR);

    private InstalledNamespace() {}

    /** Looks for it, also where little is left. */
    static String find(Reads reads) throws ApiException, InterruptedException {
        var used = new TreeSet<String>();
        for (var type :
                List.of(LvmCluster.TYPE, LvmVolumeGroup.TYPE, LvmVolumeGroupNodeStatus.TYPE)) {
            reads.list(type).forEach(item -> used.add(item.object().namespace()));
        }
        return find(reads.kube(), used);
    }

    /**
     * Looks for it.
     *
     * @param kube with the caller's rights, which need not be enough for the binding
     * @param used the namespaces with LVMClusters
     */
    public static String find(KubeClient kube, Collection<String> used)
            throws ApiException, InterruptedException {
        return known(kube, used).orElse(Names.DEFAULT_NAMESPACE);
    }

    /** Looks for it; empty where nothing says that there is one. */
    public static Optional<String> known(KubeClient kube, Collection<String> used)
            throws ApiException, InterruptedException {
        if (Set.copyOf(used).equals(Set.of(Names.DEFAULT_NAMESPACE))) {
            return Optional.of(Names.DEFAULT_NAMESPACE);
        }
        try {
            return of(kube.find(Types.CLUSTER_ROLE_BINDING, BINDING), used);
        } catch (ApiException.Forbidden _) {
            return of(Optional.empty(), used); // the operator's own role lacks it
        }
    }

    private static Optional<String> of(Optional<KubeObject> binding, Collection<String> used) {
        return binding.stream()
                .flatMap(object -> object.objects("subjects").stream())
                .flatMap(subject -> subject.text("namespace").stream())
                .findFirst()
                .or(() -> used.stream().filter(Names.DEFAULT_NAMESPACE::equals).findFirst())
                .or(() -> used.stream().sorted().findFirst());
    }
}
