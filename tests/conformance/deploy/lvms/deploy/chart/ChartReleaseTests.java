package lvms.deploy.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import lvms.deploy.Admin;
import lvms.deploy.Patience;
import lvms.k8s.client.KubeClient;
import lvms.k8s.config.KubeConfig;
import lvms.operator.takeover.Takeover;
import lvms.tests.cluster.ControlPlane;
import lvms.tests.cluster.Programs;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Peers;
import lvms.tests.runner.Peers.Manifests;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** The chart on a real API server: what Helm makes, changes and leaves. */
@Timeout(300)
@FullOnly("a minute of helm; the other tests of the chart see what it renders")
class ChartReleaseTests {
    private static final String DEFINITION = "customresourcedefinition/logicalvolumes.topolvm.io";

    private static final String[] DELETE_TYPES = {
        "delete",
        "customresourcedefinition",
        "--ignore-not-found",
        "logicalvolumes.topolvm.io",
        "logicalvolumes.topolvm.cybozu.com",
        "lvmclusters.lvm.topolvm.io",
        "lvmvolumegroups.lvm.topolvm.io",
        "lvmvolumegroupnodestatuses.lvm.topolvm.io"
    };

    private static final String VOLUME =
            """
            apiVersion: topolvm.io/v1
            kind: LogicalVolume
            metadata:
              name: pvc-1
              finalizers: [topolvm.io/logicalvolume]
            spec: {name: pvc-1, nodeName: node1, deviceClass: ssd, size: 1Gi}
            """;

    @TempDir private static Path folder;
    private static ControlPlane plane;
    private static Admin admin;
    private static Helm helm;

    @BeforeAll
    static void start() throws Exception {
        plane = ControlPlane.options(Programs.find(), folder.resolve("plane")).start();
        admin = new Admin(plane.kubeconfig(), folder);
        helm = new Helm(plane.kubeconfig(), folder);
        ForeignTypes.define(admin, folder);
    }

    @AfterAll
    static void stop() throws Exception {
        if (plane != null) {
            plane.close();
        }
    }

    private static void create(String manifest) throws Exception {
        var file = Files.writeString(Files.createTempFile(folder, "m", ".yaml"), manifest);
        admin.succeed("create", "--filename=" + file);
    }

    @AfterEach
    void leaveNothing() throws Exception {
        helm.run("uninstall", "topolvm", "--namespace=topolvm-system");
        helm.run("uninstall", "lvms", "--namespace=lvms-system");
        admin.succeed("delete", "--kustomize=deploy/guard", "--ignore-not-found");
        var patch = "--patch={\"metadata\":{\"finalizers\":null}}";
        admin.run("patch", "logicalvolumes.topolvm.io", "pvc-1", "--type=merge", patch);
        // the server has a cache of its own of what policies refuse
        Patience.until("the types are gone", () -> admin.run(DELETE_TYPES).code() == 0);
    }

    private static String uid(String object) throws Exception {
        return admin.succeed(
                "get", object, "--namespace=topolvm-system", "--output=jsonpath={.metadata.uid}");
    }

    private static boolean exists(String object) throws Exception {
        return admin.run("get", object, "--namespace=topolvm-system").code() == 0;
    }

    @Safety(39)
    @Test
    void volumesAndTheirTypeOutliveEachStepOfARelease() throws Exception {
        helm.succeed(Helm.command("install", "--create-namespace"));
        create(VOLUME);
        var definition = uid(DEFINITION);
        var volume = uid("logicalvolume/pvc-1");
        var agents = uid("daemonset/topolvm-node");
        helm.succeed(
                Helm.command(
                        "upgrade", "--values=" + Helm.EXAMPLES.resolve("kinds-of-nodes.yaml")));
        assertTrue(exists("daemonset/topolvm-lvmd-1"));
        helm.succeed("rollback", "topolvm", "1", "--namespace=topolvm-system");
        assertFalse(exists("daemonset/topolvm-lvmd-1"));
        assertEquals(agents, uid("daemonset/topolvm-node"));
        helm.succeed("uninstall", "topolvm", "--namespace=topolvm-system");
        assertFalse(exists("daemonset/topolvm-node"));
        assertEquals(definition, uid(DEFINITION));
        assertEquals(volume, uid("logicalvolume/pvc-1"));
        helm.succeed(Helm.command("install"));
        assertEquals(definition, uid(DEFINITION));
        assertEquals(volume, uid("logicalvolume/pvc-1"));
    }

    @Safety(39)
    @Test
    void aReleaseOfTopolvmsChartIsTakenOverAndGivenBack() throws Exception {
        helm.succeed(Helm.command("install", theirChart(), "--create-namespace"));
        create(VOLUME);
        var stays =
                List.of(
                        DEFINITION,
                        "logicalvolume/pvc-1",
                        "daemonset/topolvm-node",
                        "deployment/topolvm-controller",
                        "csidriver/topolvm.io",
                        "storageclass/topolvm-provisioner");
        var before = uids(stays);
        helm.succeed(Helm.command("upgrade"));
        assertEquals(before, uids(stays));
        assertEquals("keep", policy());
        assertEquals("true", seLinuxMount());
        helm.succeed("rollback", "topolvm", "1", "--namespace=topolvm-system");
        assertEquals(before, uids(stays));
        assertTrue(exists("daemonset/topolvm-lvmd-0"));
        assertEquals("false", seLinuxMount());
        requireDanger();
        helm.succeed(Helm.command("upgrade"));
        helm.succeed("uninstall", "topolvm", "--namespace=topolvm-system");
        assertEquals(uids(stays.subList(0, 2)), before.subList(0, 2));
    }

    private static String policy() throws Exception {
        return admin.succeed(
                "get",
                DEFINITION,
                "--output=jsonpath={.metadata.annotations.helm\\.sh/resource-policy}");
    }

    private static String seLinuxMount() throws Exception {
        return admin.succeed(
                "get", "csidriver/topolvm.io", "--output=jsonpath={.spec.seLinuxMount}");
    }

    /** TopoLVM's template has no policy, so a way back to it takes ours off the definition. */
    private static void requireDanger() throws Exception {
        assertEquals("", policy());
        var config = KubeConfig.load(Optional.of(plane.kubeconfig()));
        try (var kube = KubeClient.open(config, "tests")) {
            var takeover = new Takeover(kube, "topolvm", "topolvm-system");
            var notes = takeover.plan().notes();
            assertTrue(notes.stream().anyMatch(n -> n.startsWith("DANGER: ")), notes.toString());
            takeover.run(takeover.plan(), Duration.ofSeconds(30), _ -> {});
        }
        assertEquals("keep", policy());
    }

    /** TopoLVM's node service ends without it, and is replaced on one node after the other. */
    @Test
    void lvmdOfTopolvmStaysUntilAllNodesHaveOurAgent() throws Exception {
        helm.succeed(Helm.command("install", theirChart(), "--create-namespace"));
        var lvmd =
                List.of(
                        "daemonset/topolvm-lvmd-0",
                        "serviceaccount/topolvm-lvmd",
                        "configmap/topolvm-lvmd-0");
        var before = uids(lvmd);
        for (int upgrades = 0; upgrades < 2; upgrades++) {
            var notes = helm.succeed(Helm.command("upgrade"));
            assertTrue(notes.contains("DaemonSet topolvm-lvmd-0 of TopoLVM stays until"), notes);
            assertEquals(before, uids(lvmd));
            assertEquals("1", generation("daemonset/topolvm-lvmd-0"), "its pods go on");
            assertTrue(mayUpdateVolumes(), "TopoLVM's node service does");
            agents(3, 2);
        }
        agents(3, 3);
        var notes = helm.succeed(Helm.command("upgrade"));
        assertFalse(notes.contains("topolvm-lvmd-0"), notes);
        assertFalse(exists("daemonset/topolvm-lvmd-0"));
        assertFalse(exists("serviceaccount/topolvm-lvmd"));
        assertFalse(mayUpdateVolumes());
        helm.succeed("rollback", "topolvm", "2", "--namespace=topolvm-system");
        assertTrue(exists("daemonset/topolvm-lvmd-0"));
        helm.succeed("rollback", "topolvm", "1", "--namespace=topolvm-system");
        assertTrue(exists("serviceaccount/topolvm-lvmd"));
    }

    /** TopoLVM's node service leaves those nodes at once, when its DaemonSet is for others. */
    @Test
    void theAgentsOfAFurtherFileAreStartedAtOnceInTheSwapAlone() throws Exception {
        var theirs = theirChart();
        var further =
                Arrays.stream(Files.readString(rendered()).split("(?m)^---\n"))
                        .filter(text -> text.contains("kind: DaemonSet"))
                        .filter(text -> text.contains("name: topolvm-lvmd-0"))
                        .map(text -> text.replace("lvmd-0", "lvmd-1"))
                        .map(text -> text.replace("idx: \"0\"", "idx: \"1\""))
                        .findFirst()
                        .orElseThrow();
        var file = Files.writeString(theirs.resolve("templates/further.yaml"), further);
        helm.succeed(Helm.command("install", theirs, "--create-namespace"));
        Files.delete(file);
        var lvmd = uid("daemonset/topolvm-lvmd-1");
        var values = "--values=" + Helm.EXAMPLES.resolve("kinds-of-nodes.yaml");
        helm.succeed(Helm.command("upgrade", values));
        assertEquals(lvmd, uid("daemonset/topolvm-lvmd-1"));
        assertEquals("100%", missingAgents("topolvm-lvmd-1"));
        assertEquals("1", missingAgents("topolvm-node"));
        helm.succeed(Helm.command("upgrade", values));
        assertEquals("1", missingAgents("topolvm-lvmd-1"));
        helm.succeed("rollback", "topolvm", "1", "--namespace=topolvm-system");
        assertEquals(lvmd, uid("daemonset/topolvm-lvmd-1"));
    }

    private static String missingAgents(String agents) throws Exception {
        return admin.succeed(
                "get",
                "daemonset/" + agents,
                "--namespace=topolvm-system",
                "--output=jsonpath={.spec.updateStrategy.rollingUpdate.maxUnavailable}");
    }

    private static String generation(String workload) throws Exception {
        return admin.succeed(
                "get",
                workload,
                "--namespace=topolvm-system",
                "--output=jsonpath={.metadata.generation}");
    }

    private static boolean mayUpdateVolumes() throws Exception {
        var account = "--as=system:serviceaccount:topolvm-system:topolvm-node";
        return admin.run("auth", "can-i", "update", "logicalvolumes.topolvm.io", account).code()
                == 0;
    }

    /** The nodes have as many agents, and as many of them are ready. */
    private static void agents(int nodes, int ready) throws Exception {
        status(
                "daemonset/topolvm-node",
                "\"observedGeneration\":%s,\"desiredNumberScheduled\":%d,"
                                .formatted(generation("daemonset/topolvm-node"), nodes)
                        + "\"currentNumberScheduled\":%d,\"numberMisscheduled\":0,".formatted(nodes)
                        + "\"updatedNumberScheduled\":%d,\"numberReady\":%d"
                                .formatted(nodes, ready));
    }

    private static void status(String workload, String status) throws Exception {
        admin.succeed(
                "patch",
                workload,
                "--namespace=topolvm-system",
                "--subresource=status",
                "--type=merge",
                "--patch={\"status\":{" + status + "}}");
    }

    /**
     * Two pods share no node, so on a single one of two a controller has to be replaced at once.
     */
    @Test
    void theControllerIsReplacedOneByOneWhereAllOfItAreAvailable() throws Exception {
        helm.succeed(Helm.command("install", "--create-namespace"));
        assertEquals("1", maxUnavailable(), "helm install --wait waits for one");
        helm.succeed(Helm.command("upgrade"));
        assertEquals("100%", maxUnavailable(), "none is available");
        status(
                "deployment/topolvm-controller",
                "\"replicas\":2,\"availableReplicas\":1," + "\"readyReplicas\":1");
        helm.succeed(Helm.command("upgrade"));
        assertEquals("100%", maxUnavailable(), "there is one node");
        status(
                "deployment/topolvm-controller",
                "\"replicas\":2,\"availableReplicas\":2," + "\"readyReplicas\":2");
        helm.succeed(Helm.command("upgrade"));
        assertEquals("1", maxUnavailable());
        helm.succeed(Helm.command("upgrade", "--set=controller.replicaCount=3"));
        assertEquals("100%", maxUnavailable(), "a third pod may find no node");
    }

    private static String maxUnavailable() throws Exception {
        return admin.succeed(
                "get",
                "deployment/topolvm-controller",
                "--namespace=topolvm-system",
                "--output=jsonpath={.spec.strategy.rollingUpdate.maxUnavailable}");
    }

    /** Helm forgets --set=mode=lvms with the next --set. */
    @Test
    void aReleaseOfTopolvmsSideKeepsItsMode() throws Exception {
        helm.succeed(Helm.command("install", "--create-namespace"));
        var agents = uid("daemonset/topolvm-node");
        var said = helm.fail(Helm.command("upgrade", "--set=mode=lvms"));
        assertTrue(said.contains("mode: release topolvm has mode topolvm, and lvms would"), said);
        said = helm.fail(Helm.command("upgrade", "--set=mode=lvms", "--dry-run=server"));
        assertTrue(said.contains("mode: release topolvm has mode topolvm"), said);
        assertEquals(agents, uid("daemonset/topolvm-node"));
    }

    @Test
    void theOperatorsReleaseKeepsItsModeAndGoesBack() throws Exception {
        var chart = Helm.chart().toString();
        var lvms = List.of("lvms", chart, "--namespace=lvms-system", "--create-namespace");
        helm.succeed(words("install", lvms, "--set=mode=lvms"));
        var said = helm.fail(words("upgrade", lvms, "--set=lvms.operator.replicaCount=1"));
        assertTrue(said.contains("mode: release lvms has mode lvms, and topolvm would"), said);
        admin.succeed("get", "deployment/lvms-operator", "--namespace=lvms-system");
        helm.succeed(words("upgrade", lvms, "--set=mode=lvms,lvms.operator.replicaCount=1"));
        assertEquals("1", operators());
        helm.succeed("rollback", "lvms", "1", "--namespace=lvms-system");
        assertEquals("2", operators());
    }

    private static String[] words(String verb, List<String> middle, String last) {
        var words = new ArrayList<>(List.of(verb));
        words.addAll(middle);
        words.add(last);
        return words.toArray(String[]::new);
    }

    private static String operators() throws Exception {
        return admin.succeed(
                "get",
                "deployment/lvms-operator",
                "--namespace=lvms-system",
                "--output=jsonpath={.spec.replicas}");
    }

    /** The first thing that many try takes TopoLVM's image for the chart's. */
    @Test
    void valuesOfTheFormerChartAreRefusedInOneLine() throws Exception {
        var theirs = theirChart();
        Files.writeString(
                theirs.resolve("values.yaml"),
                """
                image:
                  repository: ghcr.io/topolvm/topolvm-with-sidecar
                  csi: {csiProvisioner: null}
                lvmd: {managed: true, deviceClasses: [{name: ssd, volume-group: myvg1}]}
                """);
        helm.succeed(Helm.command("install", theirs, "--create-namespace"));
        var said = helm.fail(Helm.command("upgrade", "--reuse-values"));
        assertTrue(said.contains("image.repository: ghcr.io/topolvm/topolvm-with-sidecar"), said);
        assertTrue(said.contains("Do not use --reuse-values"), said);
        var own = "--set=image.repository=localhost/lvms";
        helm.succeed(Helm.command("upgrade", "--reuse-values", own));
    }

    /** cert-manager leaves its Secret, which Helm would not take over. */
    @Test
    void theCertificateOfCertManagerMakesRoomForOneOfTheChart() throws Exception {
        var hook = "--set=webhook.podMutatingWebhook.enabled=true";
        helm.succeed(Helm.command("install", "--create-namespace", hook));
        create(
                "apiVersion: v1\nkind: Secret\nmetadata: {name: topolvm-mutatingwebhook,"
                        + " namespace: topolvm-system}\n");
        helm.succeed(Helm.command("upgrade", hook, "--set=webhook.certManager=false"));
        assertEquals(
                "topolvm-webhook",
                admin.succeed(
                        "get",
                        "deployment/topolvm-controller",
                        "--namespace=topolvm-system",
                        "--output=jsonpath={.spec.template.spec.volumes[?(@.name=='certs')]"
                                + ".secret.secretName}"));
        assertTrue(exists("secret/topolvm-webhook"));
        helm.succeed(Helm.command("upgrade", hook));
        assertFalse(exists("secret/topolvm-webhook"));
    }

    private static List<String> uids(List<String> objects) throws Exception {
        var uids = new ArrayList<String>();
        for (var object : objects) {
            uids.add(uid(object));
        }
        return uids;
    }

    /** Returns what Helm renders of TopoLVM's chart; the test is skipped if it is not there. */
    private static Path rendered() {
        return Peers.find().manifest(Manifests.OF_TOPOLVM, "rendered-default.yaml");
    }

    /** A chart that renders what TopoLVM's does. */
    private static Path theirChart() throws Exception {
        var chart = folder.resolve("theirs");
        Files.createDirectories(chart.resolve("templates"));
        Files.writeString(
                chart.resolve("Chart.yaml"), "{apiVersion: v2, name: topolvm, version: 17.1.0}\n");
        Files.deleteIfExists(chart.resolve("values.yaml"));
        Files.copy(rendered(), chart.resolve("templates/all.yaml"), REPLACE_EXISTING);
        return chart;
    }

    @Test
    void theOtherDriverIsNotLeftWithItsVolumes() throws Exception {
        helm.succeed(Helm.command("install", "--create-namespace"));
        create(VOLUME);
        var said = helm.fail(Helm.command("upgrade", "--set=useLegacy=true"));
        assertTrue(
                said.contains(
                        "useLegacy: true serves topolvm.cybozu.com, but the cluster has 1"
                                + " LogicalVolumes of topolvm.io, whose volumes no pod could use"),
                said);
        assertTrue(exists("logicalvolume/pvc-1"));
    }

    @Test
    void theCertificateThatTheChartMadeStaysInUpgrades() throws Exception {
        var values = "--values=" + Helm.EXAMPLES.resolve("scheduler.yaml");
        helm.succeed(Helm.command("install", "--create-namespace", values));
        var certificate = certificate();
        helm.succeed(Helm.command("upgrade", values, "--set=controller.replicaCount=1"));
        assertEquals(certificate, certificate());
        assertEquals(certificate.lines().findFirst(), authority().lines().findFirst());
        admin.succeed("delete", "secret", "topolvm-webhook", "-n", "topolvm-system");
        helm.succeed(Helm.command("upgrade", values));
        assertNotEquals(certificate, certificate());
        assertEquals(certificate().lines().findFirst(), authority().lines().findFirst());
    }

    private static String certificate() throws Exception {
        return admin.succeed(
                "get",
                "secret/topolvm-webhook",
                "--namespace=topolvm-system",
                "--output=jsonpath={.data.ca\\.crt}{'\\n'}{.data.tls\\.crt}");
    }

    private static String authority() throws Exception {
        return admin.succeed(
                "get",
                "mutatingwebhookconfiguration/topolvm-hook",
                "--output=jsonpath={.webhooks[0].clientConfig.caBundle}");
    }

    @Test
    void theServerTakesWhatEachExampleRenders() throws Exception {
        helm.succeed(Helm.command("install", "--create-namespace", "--set=mode=lvms"));
        var examples = new TreeSet<Path>();
        try (var files = Files.newDirectoryStream(Helm.EXAMPLES, "*.yaml")) {
            files.forEach(examples::add);
        }
        assertTrue(examples.size() >= 8, examples.toString());
        for (var example : examples) {
            var rendered =
                    helm.template(
                            "--values=" + example,
                            "--api-versions=lvm.topolvm.io/v1alpha1/LVMCluster");
            var file = Files.writeString(folder.resolve("rendered.yaml"), rendered);
            var run =
                    admin.run(
                            "apply",
                            "--server-side",
                            "--force-conflicts",
                            "--dry-run=server",
                            "--validate=strict",
                            "--filename=" + file);
            assertEquals(0, run.code(), example + ": " + run.output());
            assertFalse(run.output().contains("Warning:"), example + ": " + run.output());
        }
    }

    @Safety(39)
    @Test
    void anLvmClusterComesWithTheSecondUpgradeAndOutlivesTheRelease() throws Exception {
        var values = "--values=" + Helm.EXAMPLES.resolve("lvms.yaml");
        var chart = Helm.chart().toString();
        var notes =
                helm.succeed(
                        "install",
                        "lvms",
                        chart,
                        "--namespace=lvms-system",
                        "--create-namespace",
                        values);
        assertTrue(notes.contains("LVMCluster lvmcluster is not there yet"), notes);
        helm.succeed("upgrade", "lvms", chart, "--namespace=lvms-system", values);
        var cluster = "lvmcluster/lvmcluster";
        admin.succeed("get", cluster, "--namespace=lvms-system");
        var uninstall = new String[] {"uninstall", "lvms", "--namespace=lvms-system", "--debug"};
        for (int i = 0; i < 2; i++) { // what refuses the first one is there for the second one
            var said = helm.fail(uninstall);
            assertTrue(said.contains("LVMCluster lvmcluster still exists; delete it first"), said);
            admin.succeed("get", "deployment/lvms-operator", "--namespace=lvms-system");
        }
        admin.succeed("delete", cluster, "--namespace=lvms-system");
        Patience.until("the policies know that it is gone", () -> helm.run(uninstall).code() == 0);
    }
}
