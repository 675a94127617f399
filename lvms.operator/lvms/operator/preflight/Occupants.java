package lvms.operator.preflight;

import lvms.api.Driver;
import lvms.api.Names;
import lvms.api.nativestor.RawDevice;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.operator.takeover.Provenance;
import lvms.operator.takeover.Takeover;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Looks for what serves our drivers already: an installation of ours, or a predecessor. */
record Occupants(KubeClient kube) {
    private static final String SUBJECT = "other drivers";
    private static final String LVMS = "lvms";

    List<Check> checks() throws ApiException, InterruptedException {
        var operators =
                kube.list(Types.DEPLOYMENT, ListOptions.all()).items().stream()
                        .filter(deployment -> deployment.name().equals(Names.OPERATOR))
                        .collect(Collectors.partitioningBy(Provenance::isOfOurManifests));
        var checks = new ArrayList<Check>();
        var known = new HashSet<String>();
        for (var ours : operators.get(true)) {
            known.add(ours.namespace());
            checks.add(
                    Check.ok(
                            SUBJECT,
                            "lvms itself is in namespace "
                                    + ours.namespace()
                                    + "; lvms doctor looks at it"));
        }
        for (var system : Takeover.SYSTEMS) {
            var found = new TreeSet<>(Takeover.namespaces(kube, system));
            if (system.equals(LVMS)) {
                operators.get(false).forEach(operator -> found.add(operator.namespace()));
            }
            found.stream()
                    .filter(known::add) // TopoLVM's programs are a part of the others
                    .forEach(namespace -> checks.add(occupied(system, namespace)));
        }
        return checks.isEmpty() ? List.of(left()) : checks;
    }

    private static Check occupied(String system, String namespace) {
        return Check.problem(
                SUBJECT,
                system + " is in namespace " + namespace + " and holds the driver and the groups",
                "lvms takeover plan --from="
                        + system
                        + " --namespace="
                        + namespace
                        + " says how lvms takes its place");
    }

    /** A driver's object that nobody serves any more, as far as one can see. */
    private Check left() throws ApiException, InterruptedException {
        for (var name :
                List.of(Driver.TOPOLVM.name(), Driver.LEGACY.name(), RawDevice.DRIVER.name())) {
            if (kube.find(Types.CSI_DRIVER, ObjectKey.cluster(name)).isPresent()) {
                return Check.warning(
                        SUBJECT,
                        "there is a CSIDriver "
                                + name
                                + ", but no program was found that serves it",
                        "find out whose it is; if nobody's, delete it");
            }
        }
        return Check.ok(SUBJECT, "none serves " + Driver.TOPOLVM.name());
    }
}
