package lvms.deploy.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.object.KubeObject;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What a user has to ask for is there in both modes if it is asked for, and not otherwise. */
class ChartChoiceTests extends ChartCase {
    /** Whoever waits for the taint to go must not wait for it to start. */
    @Test
    void theStartUpTaintIsToleratedAndTakenOffOnlyIfThatIsAskedFor() throws Exception {
        var flag = "--startup-taint=lvms.topolvm.io/agent-not-ready";
        var toleration = "lvms.topolvm.io/agent-not-ready";
        var on = "--set=startupTaint.enabled=true";
        var topolvm = Helm.objects(helm.template(on));
        assertTrue(command(topolvm.get("Deployment/topolvm-controller")).contains(flag));
        for (var name : List.of("Deployment/topolvm-controller", "DaemonSet/topolvm-node")) {
            assertTrue(tolerated(topolvm.get(name)).contains(toleration), name);
        }
        assertFalse(helm.template().contains(toleration));
        var other = "startup-taint.cluster-autoscaler.kubernetes.io/lvms";
        var lvms =
                Helm.objects(
                        helm.template("--set=mode=lvms", on, "--set=startupTaint.key=" + other));
        assertTrue(arguments(lvms).contains("--startup-taint=" + other));
        assertTrue(tolerated(lvms.get("Deployment/lvms-operator")).contains(other));
    }

    @Test
    void claimsAreDisposableOnlyIfATimeIsNamed() throws Exception {
        var on = "--set=disposableAfter=2m";
        var flag = "--disposable-after=2m";
        var topolvm = Helm.objects(helm.template(on));
        assertTrue(command(topolvm.get("Deployment/topolvm-controller")).contains(flag));
        assertFalse(helm.template().contains("--disposable-after"));
        assertTrue(arguments(Helm.objects(helm.template("--set=mode=lvms", on))).contains(flag));
        assertFalse(helm.template("--set=mode=lvms").contains("--disposable-after"));
    }

    @Test
    void whatUsersOfNativeStorNeedIsTheManifestsForThem() throws Exception {
        var on = "--set=mode=lvms,lvms.nativestor.enabled=true";
        var lvms = Helm.objects(helm.template(on));
        assertTrue(arguments(lvms).contains("--nativestor"), arguments(lvms).toString());
        assertFalse(arguments(lvms).contains("--raw-devices"), arguments(lvms).toString());
        var usual = Helm.objects(helm.template("--set=mode=lvms"));
        var manifests = Helm.objects(kubectl().succeed("kustomize", "deploy/nativestor"));
        manifests.putAll(Helm.objects(kubectl().succeed("kustomize", "deploy/nativestor/guard")));
        var more = new TreeSet<>(manifests.keySet());
        for (var folder : new String[] {"deploy/base", "deploy/guard"}) {
            more.removeAll(Helm.objects(kubectl().succeed("kustomize", folder)).keySet());
        }
        var rendered = new TreeSet<>(lvms.keySet());
        rendered.removeAll(usual.keySet());
        assertEquals(more, rendered);
        for (var name : more) {
            if (name.startsWith("ClusterRole/")) {
                assertEquals(withoutHelm(manifests.get(name)), withoutHelm(lvms.get(name)), name);
            }
        }
        assertTrue(usual.keySet().stream().noneMatch(name -> name.contains("nativestor")));
        assertFalse(arguments(usual).contains("--nativestor"));
        assertTrue(
                arguments(Helm.objects(helm.template(on + ",lvms.nativestor.rawDevices=true")))
                        .contains("--raw-devices"));
    }

    private static List<String> tolerated(KubeObject workload) {
        return workload.objects("spec", "template", "spec", "tolerations").stream()
                .map(toleration -> toleration.text("key").orElse(""))
                .toList();
    }

    @Test
    void grantsOfOtherNamespacesAreReadOnlyIfThatIsAskedFor() throws Exception {
        var grants = "list gateway.networking.k8s.io/referencegrants ";
        var flag = "--cross-namespace-volume-data-source";
        var on = "--set=crossNamespaceVolumeDataSource.enabled=true";
        var topolvm = Helm.objects(helm.template(on));
        assertTrue(allowed(topolvm.get("ClusterRole/topolvm-system:controller")).contains(grants));
        assertTrue(command(topolvm.get("Deployment/topolvm-controller")).contains(flag));
        assertFalse(helm.template().contains("referencegrants"));
        var lvms = Helm.objects(helm.template("--set=mode=lvms", on));
        assertEquals(
                Set.of(grants), allowed(lvms.get("ClusterRole/lvms-operator-reference-grants")));
        var manifests = Helm.objects(kubectl().succeed("kustomize", "deploy/cross-namespace"));
        var role = "ClusterRole/lvms-operator-reference-grants";
        assertEquals(withoutHelm(manifests.get(role)), withoutHelm(lvms.get(role)));
        var subject =
                lvms.get("ClusterRoleBinding/lvms-operator-reference-grants")
                        .objects("subjects")
                        .getFirst();
        assertEquals("topolvm-system", subject.text("namespace").orElseThrow());
        assertTrue(arguments(lvms).contains(flag), arguments(lvms).toString());
        assertFalse(helm.template("--set=mode=lvms").contains("referencegrants"));
    }
}
