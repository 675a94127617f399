package lvms.operator.cluster;

import static lvms.operator.cluster.Clusters.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.DiscoveryPolicy;
import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.k8s.admission.AdmissionPages;
import lvms.k8s.admission.WebhookConfiguration;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.serving.HttpListener;
import lvms.k8s.serving.Limits;
import lvms.k8s.serving.ServerTls;
import lvms.k8s.serving.TlsBounds;
import lvms.k8s.testkit.Kubectl;
import lvms.k8s.testkit.tls.Certificates;
import lvms.k8s.tls.CertifiedKey;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.yaml.Yaml;
import lvms.operator.admission.ClusterChecks;
import lvms.operator.admission.ClusterDefaults;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the webhooks of LVMClusters say, to a person with kubectl. */
@Lasts(seconds = 25)
class ClusterAdmissionTests extends ClusterCase {
    private static final String SILENT = "{'name':'vg1','default':true}";
    private static final String TWO_MISTAKES =
            "{'name':'vg1','default':true,'fstype':'ext4','deviceSelector':{'paths':['sda']}}";
    private static final List<ResourceType> TYPES =
            List.of(
                    WebhookConfiguration.mutating("").type(),
                    WebhookConfiguration.validating("").type());

    @TempDir private Path folder;
    private Certificates certificates;
    private HttpListener webhooks;
    private Kubectl kubectl;

    @BeforeEach
    void serve() throws Exception {
        serve(Site.NAMESPACE);
        kubectl = new Kubectl(site.server, folder);
    }

    /** As an operator does that works in this namespace; empty if it does not know. */
    private void serve(String namespace) throws Exception {
        var loopback = InetAddress.getByName("127.0.0.1");
        certificates = Certificates.make(List.of("localhost"), List.of(loopback));
        new CertifiedKey(certificates.chain(), certificates.key()).save(folder, "tls");
        var pages =
                new AdmissionPages(
                        Map.of(
                                "/mutate-lvm-topolvm-io-v1alpha1-lvmcluster", new ClusterDefaults(),
                                "/validate-lvm-topolvm-io-v1alpha1-lvmcluster",
                                        new ClusterChecks(site.kube, namespace)));
        webhooks =
                HttpListener.start(
                        new InetSocketAddress(loopback, 0),
                        Limits.CALLERS,
                        Optional.of(ServerTls.ofFolder(folder, () -> TlsBounds.DEFAULT)),
                        pages);
    }

    @AfterEach
    void end() throws Exception {
        for (var configuration : shipped()) {
            site.kube.delete(type(configuration), configuration.key(), DeleteOptions.any());
        }
        webhooks.close();
    }

    /** Has the API server ask, and waits until it does. */
    private void configure() throws Exception {
        register();
        Site.await( // a real server takes note of configurations after a moment
                "the webhooks are asked",
                () -> {
                    var said = dryRun(cluster(TWO_MISTAKES));
                    return said.contains("denied the request")
                            && dryRun(cluster(SILENT)).matches("(?s).*(Static|already).*");
                });
    }

    /** Names the address of this test instead of the Service's. */
    private void register() throws Exception {
        for (var configuration : shipped()) {
            var webhook = configuration.objects("webhooks").getFirst();
            var path = webhook.text("clientConfig", "service", "path").orElseThrow();
            var client =
                    ObjectTree.builder()
                            .put("url", "https://127.0.0.1:" + webhooks.address().getPort() + path)
                            .put(
                                    "caBundle",
                                    Base64.getEncoder()
                                            .encodeToString(
                                                    certificates
                                                            .caPem()
                                                            .getBytes(StandardCharsets.US_ASCII)))
                            .build();
            var asked = ListTree.of(webhook.toBuilder().put("clientConfig", client).build());
            site.kube.apply(type(configuration), configuration.with(asked, "webhooks"));
        }
    }

    private static List<KubeObject> shipped() throws Exception {
        return Yaml.readAll(Files.readString(Path.of("deploy/admission/webhooks.yaml"))).stream()
                .map(tree -> KubeObject.of(tree.asObject()))
                .toList();
    }

    private static ResourceType type(KubeObject configuration) {
        return TYPES.stream()
                .filter(type -> type.kind().equals(configuration.kind()))
                .findFirst()
                .orElseThrow();
    }

    private Path file(LvmCluster cluster) throws Exception {
        var file = folder.resolve("cluster.json");
        var object = cluster.object().without("metadata", "uid").without("metadata", "generation");
        return Files.writeString(file, object.toJson());
    }

    private String dryRun(LvmCluster cluster) throws Exception {
        return kubectl.run("create", "-f", file(cluster) + "", "--dry-run=server", "-o", "yaml")
                .output();
    }

    @Test
    void aNewClassWithoutPathsTakesNoLaterDisks() throws Exception {
        configure();
        site.create(cluster(SILENT));
        assertEquals(
                Optional.of(DiscoveryPolicy.STATIC),
                site.cluster().deviceClasses().getFirst().group().discoveryPolicy());
    }

    @Test
    void aDryRunSaysWhichDisksWouldBeTakenAndWiped() throws Exception {
        site.node("n1");
        site.createObject(
                LvmVolumeGroupNodeStatus.TYPE,
                ObjectKey.of(Site.NAMESPACE, "n1"),
                "{'spec':{'disks':[{'name':'/dev/vda','sizeBytes':107374182400},"
                        + "{'name':'/dev/vdb','sizeBytes':1073741824,'content':'ext4',"
                        + "'obstacles':['/dev/vdb has a filesystem']}]}}");
        configure();
        var said =
                dryRun(
                        cluster(
                                VG1,
                                "{'name':'vg2','deviceSelector':{'paths':['/dev/vdb'],"
                                        + "'forceWipeDevicesAndDestroyAllData':true}}"));
        assertTrue(
                said.contains("Warning: device class \"vg1\" takes on node n1 /dev/vda (100GiB)\n"),
                said);
        assertTrue(
                said.contains(
                        "Warning: device class \"vg2\" DESTROYS ALL DATA on node n1 on /dev/vdb"
                                + " (1GiB, ext4)\n"),
                said);
        assertTrue(site.kube.find(LvmCluster.TYPE, Site.CLUSTER).isEmpty());
    }

    @Test
    void aClassThatSaysWhatItTakesIsLeftAsItIs() throws Exception {
        configure();
        site.create(cluster("{'name':'vg1','default':true,'deviceDiscoveryPolicy':'Dynamic'}"));
        assertEquals(
                Optional.of(DiscoveryPolicy.DYNAMIC),
                site.cluster().deviceClasses().getFirst().group().discoveryPolicy());
        site.delete(LvmCluster.TYPE, Site.CLUSTER);
        site.create(cluster(VG1));
        assertEquals(
                Optional.empty(),
                site.cluster().deviceClasses().getFirst().group().discoveryPolicy());
    }

    @Test
    void allReasonsAreToldAtOnceAndTheWarningsWithThem() throws Exception {
        configure();
        var refused =
                dryRun(
                        cluster(
                                TWO_MISTAKES,
                                "{'name':'vg2','default':true,'thinPoolConfig':{'name':'pool',"
                                        + "'overprovisionRatio':2,'sizePercent':95},"
                                        + "'deviceSelector':{'paths':['/dev/vdb']}}"));
        assertTrue(
                refused.contains("admission webhook \"vlvmcluster.kb.io\" denied the request: "),
                refused);
        assertTrue(refused.contains("Error from server (Forbidden)"), refused);
        assertTrue(refused.contains("only one device class may be the default"), refused);
        assertTrue(refused.contains("sda"), refused);
        assertTrue(refused.contains("Warning: "), refused);
        assertTrue(refused.contains("sizePercent"), refused);
    }

    @Test
    void eachRuleOfANewClusterIsTold() throws Exception {
        configure();
        for (var broken : RuleTexts.CREATE) {
            var said = dryRun(cluster(broken.split()));
            assertTrue(said.contains(broken.text()), () -> broken.rule() + ": " + said);
        }
    }

    static List<RuleTexts.Changes> changes() {
        return RuleTexts.UPDATE;
    }

    @ParameterizedTest
    @MethodSource("changes")
    void eachRuleOfAChangeIsTold(RuleTexts.Changes changes) throws Exception {
        ready(changes.before());
        configure();
        for (var broken : changes.cases()) {
            var said = change(cluster(broken.split()));
            assertTrue(said.contains(broken.text()), () -> broken.rule() + ": " + said);
        }
    }

    private String change(LvmCluster cluster) throws Exception {
        return kubectl.run("replace", "-f", file(cluster) + "", "--dry-run=server").output();
    }

    @Test
    void aSecondClusterAndOneElsewhereAreRefused() throws Exception {
        configure();
        site.create(cluster(VG1));
        var second = LvmCluster.of(cluster(VG1).object().with("second", "metadata", "name"));
        assertTrue(dryRun(second).contains("there is an LVMCluster already: lvms-system/my"));
        var elsewhere =
                LvmCluster.of(cluster(VG1).object().with("default", "metadata", "namespace"));
        assertTrue(dryRun(elsewhere).contains("invalid namespace"));
    }

    @Test
    void anOperatorThatDoesNotKnowItsNamespaceSaysSo() throws Exception {
        webhooks.close();
        serve("");
        register();
        Site.await(
                "rule C1",
                () -> dryRun(cluster(VG1)).contains("cannot be verified: NAMESPACE is not set"));
    }

    @Test
    void whatVolumesRelyOnDoesNotChange() throws Exception {
        ready(VG1);
        configure();
        var changed = cluster(VG1.replace("thin-pool-1", "other"));
        var refused =
                kubectl.run("apply", "--server-side", "--force-conflicts", "-f", file(changed) + "")
                        .output();
        assertTrue(refused.contains("denied the request"), refused);
        assertTrue(refused.contains("thinPoolConfig.name"), refused);
        assertEquals("Ready", site.awaitState("Ready").status().state());
    }

    @Test
    void whatAnObjectHasAlreadyIsNoReason() throws Exception {
        site.create(cluster(TWO_MISTAKES)); // while nobody was asked
        configure();
        kubectl.succeed("label", "lvmcluster", "my", "--namespace=" + Site.NAMESPACE, "a=b");
        kubectl.succeed(
                "patch",
                "lvmcluster",
                "my",
                "--namespace=" + Site.NAMESPACE,
                "--type=merge",
                "--patch={\"spec\":{\"tolerations\":[{\"operator\":\"Exists\"}]}}");
        var worse =
                kubectl.run(
                        "patch",
                        "lvmcluster",
                        "my",
                        "--namespace=" + Site.NAMESPACE,
                        "--type=json",
                        "--patch=[{\"op\":\"add\",\"path\":\"/spec/storage/deviceClasses/-\","
                                + "\"value\":{\"name\":\"vg2\",\"default\":true,"
                                + "\"deviceSelector\":{\"paths\":[\"/dev/vdb\"]}}}]");
        assertTrue(worse.output().contains("only one device class"), worse.output());
        assertFalse(worse.output().contains("sda"), worse.output());
    }

    @Test
    void anOperatorThatIsAwayKeepsNobodyFromWriting() throws Exception {
        configure();
        webhooks.close();
        site.startOperator();
        site.create(cluster(TWO_MISTAKES));
        site.awaitState("Failed");
        kubectl.succeed("delete", "lvmcluster", "my", "--namespace=" + Site.NAMESPACE);
        assertTrue(site.kube.find(LvmCluster.TYPE, Site.CLUSTER).isEmpty());
    }
}
