package lvms.operator.overview;

import lvms.api.finding.Finding;
import lvms.api.nativestor.RawDevice;
import lvms.api.nativestor.TopolvmCluster;
import lvms.k8s.object.Condition;
import lvms.k8s.object.Types;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What is wrong with TopolvmClusters and RawDevices. Pure. */
final class NativeStorFindings {
    private static final String APPLY = "kubectl apply -k deploy/nativestor";

    /** Reasons that pass by themselves. */
    private static final Set<String> PASSING =
            Set.of("ResourcesSyncIncomplete", "VGReadinessInProgress", "Reconciling");

    private final Overview overview;
    private final List<Finding> found = new ArrayList<>();

    private NativeStorFindings(Overview overview) {
        this.overview = overview;
    }

    static List<Finding> of(Overview overview) {
        var findings = new NativeStorFindings(overview);
        findings.operator();
        overview.nativeStor().clusters().forEach(findings::cluster);
        overview.nativeStor().rawDevices().forEach(findings::rawDevice);
        return List.copyOf(findings.found);
    }

    private void operator() {
        if (overview.obeysNativeStor() && !overview.nativeStor().served()) {
            found.add(
                    Finding.error(
                            "operator",
                            "it runs with --nativestor, and the cluster does not know the type "
                                    + TopolvmCluster.TYPE.qualifiedPlural(),
                            APPLY));
        }
    }

    private void cluster(TopolvmCluster cluster) {
        var subject = "TopolvmCluster " + cluster.object().key();
        boolean here = cluster.namespace().equals(overview.namespace());
        if (here && overview.knows(Types.POD) && operatorIsThere() && !overview.obeysNativeStor()) {
            found.add(
                    Finding.error(
                            subject,
                            "nothing is done for it: the operator runs without --nativestor",
                            APPLY));
            return;
        }
        for (var condition : cluster.status().conditions()) {
            if (!condition.holds()) {
                found.add(finding(subject, condition));
            }
        }
    }

    private boolean operatorIsThere() {
        return overview.pods().stream().anyMatch(ProductPod::isController);
    }

    private static Finding finding(String subject, Condition condition) {
        return new Finding(
                PASSING.contains(condition.reason())
                        ? Finding.Severity.WARNING
                        : Finding.Severity.ERROR,
                subject,
                condition.message(),
                "docs/nativestor.md says what each edit does and which rules a spec has");
    }

    private void rawDevice(RawDevice device) {
        var subject =
                "node %s, raw device %s"
                        .formatted(device.spec().nodeName(), device.spec().realPath());
        if (device.lost()) {
            found.add(
                    Finding.error(
                            subject,
                            "it is gone, and "
                                    + (device.allocated()
                                            ? "volume " + device.volumeId() + " has it"
                                            : "what a volume left was not erased"),
                            "bring the disk back; RawDevice "
                                    + device.name()
                                    + " says which it was"));
        } else if (device.toBeErased() && device.erasureFailure().isPresent()) {
            found.add(
                    Finding.warning(
                            subject,
                            "it cannot be erased: " + device.erasureFailure().get(),
                            "docs/nativestor.md, Erasure"));
        }
    }
}
