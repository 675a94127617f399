package lvms.deploy.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.deploy.Roles;
import lvms.k8s.object.KubeObject;
import lvms.k8s.yaml.Yaml;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The accounts may do what their processes do, and the policies hold them to their own objects. */
class ChartRightsTests extends ChartCase {
    private static final Path ALONE = Path.of("tests/integration/topolvm-alone-roles.yaml");

    /** What those files allow is what the processes ask for: tests of theirs hold them to it. */
    @Test
    void theAccountsMayDoWhatTheirProcessesDoAndNoMore() throws Exception {
        var objects = Helm.objects(helm.template());
        var controller = allowed(objects.get("ClusterRole/topolvm-system:controller"));
        controller.addAll(allowed(objects.get("Role/leader-election")));
        controller.addAll(allowed(objects.get("Role/external-provisioner-cfg")));
        var asked = new TreeSet<String>();
        for (var role : Helm.objects(Files.readString(ALONE)).values()) {
            asked.addAll(allowed(role));
        }
        // beside sidecars, where TopoLVM's chart grants no patch, it updates
        asked.addAll(List.of("update /persistentvolumeclaims ", "update /pods "));
        assertEquals(asked, controller);
        var agent = new TreeSet<String>();
        for (var object : Yaml.readAll(Files.readString(Roles.AGENT))) {
            agent.addAll(allowed(KubeObject.of(object.asObject())));
        }
        agent.removeIf(right -> right.contains("lvm.topolvm.io/"));
        agent.remove("get storage.k8s.io/csidrivers topolvm.cybozu.com"); // one of the next
        agent.add("get storage.k8s.io/csidrivers ");
        assertEquals(agent, allowed(objects.get("ClusterRole/topolvm-system:node")));
    }

    /** TopoLVM's chart starts no csi-snapshotter then, and gives the provisioner no such flag. */
    @Test
    void withoutSnapshotsAndCapacityThereAreNeitherWorkNorRights() throws Exception {
        var objects =
                Helm.objects(
                        helm.template(
                                "--set=snapshot.enabled=false,"
                                        + "controller.storageCapacityTracking.enabled=false"));
        var command = command(objects.get("Deployment/topolvm-controller"));
        assertTrue(command.contains("--enable-snapshots=false"), command.toString());
        assertTrue(command.contains("--enable-capacity=false"), command.toString());
        var rights = allowed(objects.get("ClusterRole/topolvm-system:controller"));
        rights.addAll(allowed(objects.get("Role/external-provisioner-cfg")));
        assertEquals(
                Set.of(),
                rights.stream()
                        .filter(r -> r.matches(".*(snapshot|customres|csistorage|replicaset).*"))
                        .collect(Collectors.toSet()));
        assertEquals(
                Optional.of(false),
                objects.get("CSIDriver/topolvm.io").flag("spec", "storageCapacity"));
        var usual = command(Helm.objects(helm.template()).get("Deployment/topolvm-controller"));
        assertTrue(
                usual.stream()
                        .noneMatch(
                                w ->
                                        w.startsWith("--enable-")
                                                && !w.equals("--enable-webhooks=false")),
                usual.toString());
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "snapshot.enabled=true | none",
                "controller.args={--secure-metrics-server} | controller",
                "controller.args={-secure-metrics-server=true} | controller",
                "controller.args={--secure-metrics-server=false} | none",
                "controller.profiling.bindAddress=:6060 | controller",
                "controller.profiling.bindAddress=localhost:6060 | none",
                "node.args={--secure-metrics-server} | node",
                "lvmd.args={--secure-metrics-server} | node",
                "lvmd.profiling.bindAddress=:6060 | node",
                "node.profiling.bindAddress=127.0.0.1:6060 | none",
            })
    void onlyWhoGuardsPagesAsksWhoMayReadThem(String value, String account) throws Exception {
        var objects = Helm.objects(helm.template("--set=" + value));
        for (var each : List.of("controller", "node")) {
            var asks =
                    allowed(objects.get("ClusterRole/topolvm-system:" + each)).stream()
                            .filter(right -> right.contains("reviews"))
                            .toList();
            assertEquals(
                    each.equals(account)
                            ? List.of(
                                    "create authentication.k8s.io/tokenreviews ",
                                    "create authorization.k8s.io/subjectaccessreviews ")
                            : List.of(),
                    asks,
                    each);
        }
    }

    /** What deploy/guard says of operator and agents holds for these accounts, word for word. */
    @ParameterizedTest(name = "{1}")
    @CsvSource({
        "node-policy.yaml, node, vg-manager-own-node",
        "operator-policy.yaml, controller, lvms-operator-own-objects"
    })
    void thePoliciesOfTheOtherSideGuardTheAccountsOfThisOne(
            String file, String component, String policy) throws Exception {
        var objects = Helm.objects(helm.template("--set=guard.enabled=true"));
        var name = "topolvm-system-topolvm-" + component;
        var ours = objects.get("ValidatingAdmissionPolicy/" + name);
        var manifest =
                Helm.objects(Files.readString(Path.of("deploy/guard", file)))
                        .get("ValidatingAdmissionPolicy/" + policy);
        assertEquals(
                manifest.without("spec", "matchConditions").value("spec"),
                ours.without("spec", "matchConditions").value("spec"));
        assertEquals(
                List.of(
                        "request.userInfo.username =="
                                + " 'system:serviceaccount:topolvm-system:topolvm-"
                                + component
                                + "'"),
                ours.objects("spec", "matchConditions").stream()
                        .flatMap(condition -> condition.text("expression").stream())
                        .toList());
        var account =
                component.equals("node")
                        ? "DaemonSet/topolvm-node"
                        : "Deployment/topolvm-controller";
        assertEquals(
                Optional.of("topolvm-" + component),
                objects.get(account).text("spec", "template", "spec", "serviceAccountName"));
        var binding = objects.get("ValidatingAdmissionPolicyBinding/" + name);
        assertEquals(Optional.of(name), binding.text("spec", "policyName"));
        assertFalse(helm.template().contains("ValidatingAdmissionPolicy"));
    }

    @Test
    void anAgentOfTheLegacyGroupIsGuardedByItsNames() throws Exception {
        var rendered =
                helm.template(
                        "--set=guard.enabled=true,useLegacy=true",
                        "--show-only=templates/topolvm/guard.yaml");
        var policies = rendered.split("(?m)^---$");
        var node = policies[1];
        assertTrue(node.contains("name: topolvm-system-topolvm-node"), node);
        assertTrue(node.contains("capacity.topolvm.cybozu.com/"), node);
        assertFalse(node.contains("topolvm.io"), node);
        assertTrue(
                rendered.contains(
                        "[''topolvm.io'', ''topolvm.cybozu.com'', ''nativestor.alauda.io'']"),
                rendered);
    }
}
