package lvms.operator.overview;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LogicalVolume;
import lvms.api.finding.Finding;
import lvms.api.nativestor.RawDevice;
import lvms.api.nativestor.TopolvmCluster;
import lvms.deploy.Roles;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.yaml.Yaml;
import lvms.tests.server.Definitions;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** One look at the server is enough, it changes nothing, and a missing right is one line. */
class OverviewTests {
    private static final InstantSource CLOCK = InstantSource.system();
    private ApiServer server;
    private KubeClient kube;

    @BeforeEach
    void start() throws Exception {
        server = Servers.start();
        kube = KubeClient.open(server.config(), "overview").withFieldManager("test");
        Definitions.install(kube, Definitions.ALL);
        create("{apiVersion: v1, kind: Namespace, metadata: {name: lvms-system}}");
        Scene.working()
                .volume("pvc-1", "n1", "{volumeID: v1, currentSize: 1Gi}")
                .persistentVolume("pvc-1", "v1", "Released", "old")
                .create(kube);
        server.faults().forgetRequests();
    }

    @AfterEach
    void stop() throws Exception {
        kube.close();
        server.close();
    }

    private void create(String yaml) throws Exception {
        kube.create(Types.NAMESPACE, KubeObject.of(Yaml.read(yaml).asObject()));
    }

    private void forbid(String plural) {
        server.faults()
                .answer(
                        seen -> seen.target().contains("/" + plural),
                        100,
                        403,
                        "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"reason\":"
                            + "\"Forbidden\",\"code\":403,\"message\":\""
                                + plural
                                + " is forbidden: you may not\"}");
    }

    @Test
    void everythingIsReadAndNothingIsWritten() throws Exception {
        var overview = Overview.read(kube, CLOCK);
        assertEquals(List.of(), overview.gaps());
        assertEquals(1, overview.volumes().size());
        assertEquals(1, VolumeReport.retained(overview).count());
        assertEquals(
                5, StatusReport.of(overview).stream().filter(s -> !s.rows().isEmpty()).count());
        assertTrue(server.faults().requests().stream().allMatch(r -> r.method().equals("GET")));
    }

    /** In the operator's pod the commands have the rights of the operator. */
    @Test
    void theOperatorsRoleIsEnoughForIt() throws Exception {
        Overview.read(kube, CLOCK);
        // Another test may have left the types on a real server; who has them has these roles, too.
        var roles =
                kube.serves(TopolvmCluster.TYPE)
                        ? List.of(Roles.OPERATOR, Roles.NATIVE_STOR, Roles.RAW_DEVICE_OPERATOR)
                        : List.of(Roles.OPERATOR);
        Roles.requireAllowed(server.faults().requests(), "overview", roles.toArray(Path[]::new));
    }

    @Test
    void aMissingRightIsOneLineAndTheRestIsThere() throws Exception {
        forbid("nodes");
        var overview = Overview.read(kube, CLOCK);
        assertEquals(1, overview.gaps().size(), overview.gaps().toString());
        assertTrue(
                overview.gaps().getFirst().contains("nodes is forbidden: you may not"),
                overview.gaps().toString());
        assertEquals(1, overview.volumes().size());
        assertTrue(overview.knows(LogicalVolume.TYPE) && !overview.knows(Types.NODE));
    }

    @Test
    void whatUsersOfNativeStorHaveIsReadShownAndCollected() throws Exception {
        Definitions.install(kube, Definitions.NATIVESTOR);
        kube.create(
                TopolvmCluster.TYPE,
                KubeObject.create(TopolvmCluster.TYPE, ObjectKey.of("lvms-system", "topolvm"))
                        .with(
                                Yaml.read(
                                        "{topolvmVersion: x, storage: {useAllNodes: true,"
                                                + " useAllDevices: true, useLoop: false}}"),
                                "spec"));
        kube.create(
                RawDevice.TYPE,
                KubeObject.create(RawDevice.TYPE, ObjectKey.cluster("d1"))
                        .with(
                                Yaml.read(
                                        "{nodeName: n1, size: 4096, type: disk, realPath: /dev/sdc,"
                                                + " major: 8, minor: 1, uuid: '', available:"
                                                + " true}"),
                                "spec"));
        var overview = Overview.read(kube, CLOCK);
        var shown = StatusReport.of(overview).stream().map(Section::name).toList();
        assertTrue(shown.containsAll(List.of("topolvmClusters", "rawDevices")), shown.toString());
        var files = new TreeMap<String, String>();
        SupportBundle.collect(
                kube,
                overview,
                Optional.empty(),
                (name, content) -> files.put(name, new String(content, StandardCharsets.UTF_8)));
        assertTrue(
                files.get("objects/topolvmclusters.topolvm.cybozu.com.json")
                        .contains("\"topolvm\""));
        assertTrue(files.get("objects/rawdevices.nativestor.alauda.io.json").contains("/dev/sdc"));
    }

    /** NativeStor did nothing without them, so people look for them. */
    @Test
    void settingsThatAreMissingAreNotedUnderTheirNewestName() throws Exception {
        var here = Installation.ofOperator("lvms-system");
        var note = "ConfigMap lvms-system/nativestor-setting";
        assertTrue(subjects(InstallationFindings.of(kube, here, true)).contains(note));
        assertFalse(subjects(InstallationFindings.of(kube, here, false)).contains(note));
        var old = ObjectKey.of("lvms-system", "tooplvm-operator-setting");
        kube.create(Types.CONFIG_MAP, KubeObject.create(Types.CONFIG_MAP, old));
        assertFalse(subjects(InstallationFindings.of(kube, here, true)).contains(note));
    }

    private static List<String> subjects(InstallationFindings.Answer answer) {
        return answer.findings().stream().map(Finding::subject).toList();
    }

    @Test
    void shippedObjectsThatAreMissingAreNamedAndOneLineForEachKindThatMayNotBeRead()
            throws Exception {
        forbid("clusterroles");
        var answer = InstallationFindings.of(kube, Installation.ofOperator("lvms-system"), false);
        assertTrue(
                answer.findings().stream()
                        .anyMatch(f -> f.subject().equals("Role lvms-system/vg-manager")),
                answer.findings().toString());
        assertTrue(
                answer.findings().stream().noneMatch(f -> f.subject().startsWith("Namespace")),
                answer.findings().toString());
        assertEquals(1, answer.gaps().size(), answer.gaps().toString());
    }

    @Test
    void aClaimThatDoesNotExistIsAnError() {
        var failure =
                assertThrows(
                        ApiException.NotFound.class,
                        () -> ClaimExplanation.of(kube, Scene.claim(), CLOCK));
        assertTrue(
                failure.getMessage().contains("persistentvolumeclaims \"data\" not found"),
                failure.getMessage());
    }

    @Test
    void aClaimIsExplainedAlsoWithoutTheRightToReadEvents() throws Exception {
        kube.create(
                Types.PVC,
                KubeObject.of(
                        Yaml.read(
                                        """
                                        apiVersion: v1
                                        kind: PersistentVolumeClaim
                                        metadata: {name: data, namespace: default}
                                        spec:
                                          storageClassName: lvms-ssd
                                          accessModes: [ReadWriteOnce]
                                          resources: {requests: {storage: 1Gi}}
                                        """)
                                .asObject()));
        forbid("events");
        var answer = ClaimExplanation.of(kube, Scene.claim(), CLOCK);
        assertTrue(
                answer.sections().getFirst().json().toString().contains("no pod uses it yet"),
                answer.sections().toString());
        assertEquals(1, answer.gaps().size(), answer.gaps().toString());
    }
}
