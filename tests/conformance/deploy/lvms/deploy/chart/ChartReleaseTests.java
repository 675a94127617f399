package lvms.deploy.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.deploy.Admin;
import lvms.deploy.Patience;
import lvms.tests.cluster.ControlPlane;
import lvms.tests.cluster.Programs;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/** The chart on a real API server: what Helm makes, changes and leaves. */
@Timeout(300)
class ChartReleaseTests {
    private static final String DEFINITION = "customresourcedefinition/logicalvolumes.topolvm.io";
    private static final Path THEIRS = Path.of("../shared/peers/topolvm/rendered-default.yaml");

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

    /** Types of others, of which only the names count here. */
    private static final String OTHERS =
            """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata:
              name: PLURAL.GROUP
            spec:
              group: GROUP
              scope: Namespaced
              names: {kind: KIND, listKind: KINDList, plural: PLURAL, singular: SINGULAR}
              versions:
                - name: v1
                  served: true
                  storage: true
                  schema:
                    openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
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
        define("cert-manager.io", "Issuer");
        define("cert-manager.io", "Certificate");
        define("monitoring.coreos.com", "PodMonitor");
    }

    private static void define(String group, String kind) throws Exception {
        var singular = kind.toLowerCase(Locale.ROOT);
        create(
                OTHERS.replace("GROUP", group)
                        .replace("PLURAL", singular + "s")
                        .replace("SINGULAR", singular)
                        .replace("KIND", kind));
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
        assumeTrue(Files.exists(THEIRS), "there is no rendered chart of TopoLVM in " + THEIRS);
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
        assertFalse(exists("daemonset/topolvm-lvmd-0"));
        helm.succeed("rollback", "topolvm", "1", "--namespace=topolvm-system");
        assertEquals(before, uids(stays));
        assertTrue(exists("daemonset/topolvm-lvmd-0"));
        helm.succeed(Helm.command("upgrade"));
        helm.succeed("uninstall", "topolvm", "--namespace=topolvm-system");
        assertEquals(uids(stays.subList(0, 2)), before.subList(0, 2));
    }

    private static List<String> uids(List<String> objects) throws Exception {
        var uids = new ArrayList<String>();
        for (var object : objects) {
            uids.add(uid(object));
        }
        return uids;
    }

    /** A chart that renders what TopoLVM's does. */
    private static Path theirChart() throws Exception {
        var chart = folder.resolve("theirs");
        Files.createDirectories(chart.resolve("templates"));
        Files.writeString(
                chart.resolve("Chart.yaml"), "{apiVersion: v2, name: topolvm, version: 17.1.0}\n");
        Files.copy(THEIRS, chart.resolve("templates/all.yaml"));
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
        admin.succeed("delete", "secret", "topolvm-mutatingwebhook", "-n", "topolvm-system");
        helm.succeed(Helm.command("upgrade", values));
        assertNotEquals(certificate, certificate());
        assertEquals(certificate().lines().findFirst(), authority().lines().findFirst());
    }

    private static String certificate() throws Exception {
        return admin.succeed(
                "get",
                "secret/topolvm-mutatingwebhook",
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
