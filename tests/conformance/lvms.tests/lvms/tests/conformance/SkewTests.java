package lvms.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.Names;
import lvms.k8s.object.Types;
import lvms.tests.cluster.Cluster;
import lvms.tests.cluster.ClusterNode;
import lvms.tests.cluster.ClusterOptions;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Pod;
import lvms.tests.cluster.workload.Product;
import lvms.tests.cluster.workload.Sandbox;
import lvms.tests.lab.machine.HostProgram;
import lvms.tests.runner.FullOnly;

import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The version before this one, an upgrade, and the way back: volumes stay mounted and keep their
 * data, and operator and agents work together while they differ by that version, whichever is
 * newer.
 */
@FullOnly("builds another version, and takes a cluster of its own")
class SkewTests {
    private static final Path FOLDER = Path.of("out/skew").toAbsolutePath();
    private static final Duration IMPORT = Duration.ofMinutes(4);
    private static final String FILE = "/data/file";
    private static final int MIB = 8;

    private static final Version BASE =
            new Version(FOLDER + "/deploy", "localhost/lvms:0.0.0-base");
    private static final Version CURRENT = new Version("deploy", "localhost/lvms:0.1.0");

    /** Stands for a roll-out that has not come to the agents yet. */
    private static final String AGENTS_STAY =
            """
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingAdmissionPolicy
            metadata: {name: agents-stay}
            spec:
              failurePolicy: Fail
              matchConstraints:
                resourceRules:
                  - apiGroups: [apps]
                    apiVersions: [v1]
                    operations: [UPDATE]
                    resources: [daemonsets]
              validations:
                - expression: object.spec == oldObject.spec
                  message: not yet
            ---
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingAdmissionPolicyBinding
            metadata: {name: agents-stay}
            spec: {policyName: agents-stay, validationActions: [Deny]}
            """;

    private Product product;
    private Sandbox box;
    private String data;

    /** Manifests, and the image that they name. */
    private record Version(String manifests, String image) {}

    @Test
    void volumesGoOnThroughAnUpgradeAndTheWayBack() throws Exception {
        HostProgram.run(List.of("bash", "tests/skew/build.sh", FOLDER.toString()));
        var options = ClusterOptions.twoNodes(Path.of("out/conformance/skew"));
        try (var cluster = Cluster.start(options)) {
            product = Product.on(cluster);
            for (var node : cluster.nodes()) {
                importBase(node);
            }
            install(BASE);
            product.applyCluster();
            awaitAgents(BASE);
            product.awaitReady();
            startWriter();
            useVolumes("base");

            holdAgents();
            install(CURRENT);
            awaitAgents(BASE);
            useVolumes("newer-operator");
            letAgentsGo();
            awaitAgents(CURRENT);
            product.awaitReady();
            useVolumes("upgraded");

            holdAgents();
            install(BASE);
            awaitAgents(CURRENT);
            useVolumes("newer-agents");
            letAgentsGo();
            awaitAgents(BASE);
            product.awaitReady();
            useVolumes("back");
            box.clear();
            product.checker().awaitAgreement(IMPORT);
        }
    }

    private static void importBase(ClusterNode node) throws Exception {
        var archive = FOLDER.resolve("out/lvms-0.0.0-base-no-aot.oci.tar").toString();
        node.run(List.of("ctr", "--namespace=k8s.io", "images", "import", archive), IMPORT)
                .require("import of the other version");
    }

    private void install(Version version) throws Exception {
        product.kubectl("apply", "-k", version.manifests() + "/guard");
        product.kubectl("apply", "-k", version.manifests());
        product.kubectl(
                "rollout",
                "status",
                "--namespace=" + Product.SYSTEM,
                "deployment/" + Names.OPERATOR,
                "--timeout=180s");
        product.patience()
                .until(
                        "every operator is " + version.image(),
                        () -> images(Names.OPERATOR).equals(Set.of(version.image())));
    }

    private void awaitAgents(Version version) throws Exception {
        product.patience()
                .until(
                        "every agent is ready and " + version.image(),
                        () ->
                                images(Names.VG_MANAGER).equals(Set.of(version.image()))
                                        && product.pods(Names.VG_MANAGER).stream()
                                                .allMatch(pod -> Product.holds(pod, "Ready")));
    }

    private Set<String> images(String name) throws Exception {
        return product.pods(name).stream()
                .map(pod -> pod.objects("spec", "containers").getFirst())
                .map(container -> container.text("image").orElseThrow())
                .collect(Collectors.toSet());
    }

    private void holdAgents() throws Exception {
        var file = Files.writeString(FOLDER.resolve("agents-stay.yaml"), AGENTS_STAY);
        product.kubectl("apply", "--filename=" + file);
        product.patience().until("the agents are held", () -> !agentsMayChange());
    }

    private boolean agentsMayChange() throws Exception {
        return product.cluster()
                .kubectl(
                        "patch",
                        "daemonset/" + Names.VG_MANAGER,
                        "--namespace=" + Product.SYSTEM,
                        "--dry-run=server",
                        "--patch={\"spec\":{\"minReadySeconds\":1}}")
                .succeeded();
    }

    private void letAgentsGo() throws Exception {
        product.kubectl("delete", "--filename=" + FOLDER.resolve("agents-stay.yaml"));
    }

    /** Volumes of both kinds that stay mounted in one pod through everything that follows. */
    private void startWriter() throws Exception {
        box = Sandbox.open(product, "skew");
        box.create(Claim.of("thin", Product.THIN_CLASS, "320Mi"));
        box.create(Claim.of("thick", Product.THICK_CLASS, "64Mi"));
        box.create(Pod.with("writer", "thin").mount("thick", "thick"));
        box.awaitReady("writer");
        data = box.write("writer", FILE, MIB);
    }

    /** What users do, with a new claim; and the volumes of before are as they were. */
    private void useVolumes(String name) throws Exception {
        box.start(Claim.of(name, Product.THIN_CLASS, "320Mi"));
        var written = box.write(name, FILE, MIB);
        box.grow(name, "384Mi");
        box.awaitCapacity(name, "384Mi");
        box.snapshot(name, name);
        var copy = name + "-copy";
        box.start(Claim.of(copy, Product.THIN_CLASS, "384Mi").ofSnapshot(name));
        assertEquals(written, box.checksum(copy, FILE, MIB));
        for (var pod : List.of(copy, name)) {
            box.remove(Types.POD, pod);
            box.remove(Types.PVC, pod);
        }
        box.remove(Types.VOLUME_SNAPSHOT, name);
        assertEquals(data, box.checksum("writer", FILE, MIB));
        assertEquals(0, box.restarts("writer"));
        product.checker().awaitAgreement(IMPORT);
    }
}
