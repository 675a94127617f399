package lvms.operator.overview;

import lvms.api.Driver;
import lvms.api.LvmCluster;
import lvms.api.Names;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.operator.topolvm.TopolvmPrograms;
import lvms.operator.uninstall.InstalledNamespace;
import lvms.operator.uninstall.Manifests;
import lvms.operator.uninstall.Reads;

import java.util.List;
import java.util.Optional;

/**
 * What is installed, and where. An operator with its LVMCluster comes before TopoLVM's programs,
 * whose driver it cannot serve while they do.
 *
 * @param form which programs there are
 * @param namespace where they are
 * @param driver the driver that they serve, if not also another one
 */
public record Installation(Form form, String namespace, Driver driver) {
    /** The two sides of the chart. */
    public enum Form {
        /** An operator, its agents, and what an LVMCluster asks for. */
        OPERATOR,
        /** TopoLVM's programs, for groups that people made; nothing but LogicalVolumes. */
        TOPOLVM
    }

    private static final List<Driver> DRIVERS = List.of(Driver.TOPOLVM, Driver.LEGACY);

    /** Looks for it; where nothing is installed, it is an operator that is missing. */
    static Installation find(KubeClient kube, TolerantReads reads, List<LvmCluster> clusters)
            throws ApiException, InterruptedException {
        var used = clusters.stream().map(LvmCluster::namespace).toList();
        var known = InstalledNamespace.known(kube, used);
        if (known.isPresent()) {
            return ofOperator(known.get());
        }
        return programs(kube, reads).orElseGet(() -> ofOperator(Names.DEFAULT_NAMESPACE));
    }

    static Installation ofOperator(String namespace) {
        return new Installation(Form.OPERATOR, namespace, Driver.TOPOLVM);
    }

    /** The operator's own role lacks the right; where its kind is served, it is the operator's. */
    private static Optional<Installation> programs(KubeClient kube, TolerantReads reads)
            throws ApiException, InterruptedException {
        try {
            for (var driver : DRIVERS) {
                var found = new TopolvmPrograms(new Reads(kube)).namespaces(driver);
                if (!found.isEmpty()) {
                    return Optional.of(new Installation(Form.TOPOLVM, found.getFirst(), driver));
                }
            }
        } catch (ApiException.Forbidden e) {
            if (!kube.serves(LvmCluster.TYPE)) {
                reads.gap("where TopoLVM's programs are: " + e.getMessage());
            }
        }
        return Optional.empty();
    }

    boolean isTopolvm() {
        return form == Form.TOPOLVM;
    }

    /** The objects without which it cannot work, by names that are the same in all of its form. */
    List<Manifests.Entry> objects() {
        return isTopolvm()
                ? List.of(
                        new Manifests.Entry(Types.CSI_DRIVER, ObjectKey.cluster(driver.name())),
                        new Manifests.Entry(
                                Types.CRD,
                                ObjectKey.cluster(driver.logicalVolumes().qualifiedPlural())))
                : Manifests.installed(namespace);
    }

    /** Who hands volumes to claims, in a sentence. */
    String maker() {
        return isTopolvm() ? TopolvmPrograms.CONTROLLER : "the operator";
    }
}
