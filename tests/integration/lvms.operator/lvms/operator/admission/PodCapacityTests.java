package lvms.operator.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.k8s.admission.AdmissionAnswer;
import lvms.k8s.admission.AdmissionRequest;
import lvms.k8s.client.JsonPatch;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.tree.Json;
import lvms.k8s.yaml.Yaml;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A new pod says what it wants of each device class before it is scheduled, and keeps the rest of
 * what it says.
 */
@Timeout(60)
class PodCapacityTests {
    private static final String BARE = "{name: c, image: x}";
    private ApiServer server;
    private KubeClient kube;

    @BeforeEach
    void start() throws Exception {
        server = Servers.start();
        kube = KubeClient.open(server.config(), "test").withFieldManager("test");
        storageClass("fast", "topolvm.io", "{topolvm.io/device-class: ssd}");
        storageClass("slow", "topolvm.io", "{topolvm.io/device-class: hdd}");
        storageClass("usual", "topolvm.io", "{}");
        storageClass("nameless", "topolvm.io", "{topolvm.io/device-class: ''}");
        storageClass("foreign", "example.com", "{topolvm.io/device-class: ssd}");
        claim("a", "fast", "1Gi");
        claim("b", "fast", "1073741825");
        claim("c", "slow", "1.5");
        claim("d", "usual", "2Gi");
        claim("e", "foreign", "4Gi");
        claim("f", "gone", "4Gi");
        claim("g", "nameless", "1");
        claim("j", "''", "1");
        claimWithoutClass("i");
    }

    @AfterEach
    void stop() throws Exception {
        kube.close();
        server.close();
    }

    private KubeObject create(ResourceType type, String yaml) throws Exception {
        var tree = Yaml.read(yaml).asObject().toBuilder();
        tree.put("apiVersion", type.apiVersion()).put("kind", type.kind());
        return kube.create(type, KubeObject.of(tree.build()));
    }

    private void storageClass(String name, String provisioner, String parameters) throws Exception {
        create(
                Types.STORAGE_CLASS,
                "{metadata: {name: %s}, provisioner: %s, parameters: %s}"
                        .formatted(name, provisioner, parameters));
    }

    private static String spec(String storageClass, String size) {
        return ("{storageClassName: %s, accessModes: [ReadWriteOnce], resources: {requests:"
                        + " {storage: '%s'}}}")
                .formatted(storageClass, size);
    }

    private void claim(String name, String storageClass, String size) throws Exception {
        create(
                Types.PVC,
                "{metadata: {name: %s, namespace: default}, spec: %s, status: {phase: Pending}}"
                        .formatted(name, spec(storageClass, size)));
    }

    /** As it stays where no StorageClass is the default. */
    private void claimWithoutClass(String name) throws Exception {
        create(
                Types.PVC,
                "{metadata: {name: %s, namespace: default}, spec: {accessModes: [ReadWriteOnce],"
                                .formatted(name)
                        + " resources: {requests: {storage: 1Gi}}}}");
    }

    private static KubeObject pod(String container, String volumes) {
        return KubeObject.of(
                Yaml.read(
                                "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace:"
                                        + " default}, spec: {containers: ["
                                        + container
                                        + "], volumes: ["
                                        + volumes
                                        + "]}}")
                        .asObject());
    }

    private static String claims(String names) {
        var volumes = new StringBuilder();
        for (var name : names.split(" ")) {
            volumes.append(
                    "{name: v-%s, persistentVolumeClaim: {claimName: %s}},".formatted(name, name));
        }
        return volumes.toString();
    }

    private AdmissionAnswer judged(KubeObject pod) throws Exception {
        return judged(pod, Drivers.DEFAULT);
    }

    private AdmissionAnswer judged(KubeObject pod, Drivers drivers) throws Exception {
        return new PodCapacity(kube::find, Driver.TOPOLVM, drivers)
                .judge(
                        new AdmissionRequest(
                                "1", "CREATE", "default", Optional.of(pod), Optional.empty()));
    }

    @ParameterizedTest(name = "claims {0}: {1}")
    @CsvSource({
        "a, ssd=1073741824",
        "a b, ssd=2147483649",
        "a c d, ssd=1073741824 hdd=2 00default=2147483648",
        "a e, ssd=1073741824",
        "e, ''",
        "f, ''",
        "missing, ''",
        "g, 00default=1",
        "j, ''",
        "i, ''",
        "a j i, ssd=1073741824"
    })
    void sumsWhatUnboundClaimsOfOursAskFor(String names, String expected) throws Exception {
        var patch = judged(pod(BARE, claims(names))).patch();
        var found = new StringBuilder();
        for (var operation : patch.map(p -> p.json().objects()).orElse(List.of())) {
            if (operation.text("path").orElse("").equals("/metadata/annotations")) {
                operation
                        .textMap("value")
                        .forEach(
                                (key, value) ->
                                        found.append(key.replace("capacity.topolvm.io/", ""))
                                                .append('=')
                                                .append(value)
                                                .append(' '));
            }
        }
        assertEquals(Set.of(expected.split(" ")), Set.of(found.toString().strip().split(" ")));
    }

    /** Its volumes lie in the same device classes, which Nodes announce by the present name. */
    @Test
    void aClaimOfAConvertedDriverCountsForTheSameClass() throws Exception {
        storageClass("old", "topolvm.cybozu.com", "{topolvm.cybozu.com/device-class: ssd}");
        claim("h", "old", "2");
        var pod = pod(BARE, claims("c h"));
        var both = Drivers.of(Driver.TOPOLVM, Driver.CONVERTED);
        var first = judged(pod, both).patch().orElseThrow().json().objects().getFirst();
        assertEquals(
                Map.of("capacity.topolvm.io/ssd", "2", "capacity.topolvm.io/hdd", "2"),
                first.textMap("value"));
        assertEquals(AdmissionAnswer.allowed(), judged(pod(BARE, claims("h"))));
    }

    @Test
    void aBoundClaimOfOursMeansThatThePodHasItsPlace() throws Exception {
        kube.mergePatchStatus(
                Types.PVC,
                ObjectKey.of("default", "b"),
                Json.parse("{\"status\":{\"phase\":\"Bound\"}}").asObject());
        assertEquals(AdmissionAnswer.allowed(), judged(pod(BARE, claims("a b"))));
    }

    @Test
    void aGenericEphemeralVolumeCountsAndOneWithoutAClassDoesNot() throws Exception {
        var ephemeral = "{name: %s, ephemeral: {volumeClaimTemplate: {spec: %s}}}";
        var answer =
                judged(
                        pod(
                                BARE,
                                ephemeral.formatted("x", spec("fast", "3"))
                                        + ","
                                        + ephemeral.formatted("y", spec("''", "5"))));
        var first = answer.patch().orElseThrow().json().objects().getFirst();
        assertEquals(Map.of("capacity.topolvm.io/ssd", "3"), first.textMap("value"));
    }

    @Test
    void whatThePodHasStays() throws Exception {
        var container =
                "{name: c, image: x, resources: {requests: {cpu: 100m}, limits: {memory: 1Gi}}}";
        var pod = pod(container, claims("a")).with("kept", "metadata", "annotations", "note");
        var answer = judged(pod).patch().orElseThrow();
        var operations =
                answer.json().objects().stream()
                        .map(o -> o.text("op").orElse("") + " " + o.text("path").orElse(""))
                        .toList();
        assertEquals(
                List.of(
                        "add /metadata/annotations/capacity.topolvm.io~1ssd",
                        "add /spec/containers/0/resources/requests/topolvm.io~1capacity",
                        "add /spec/containers/0/resources/limits/topolvm.io~1capacity"),
                operations);
    }

    @Test
    void theServerTakesTheAnnotations() throws Exception {
        var pod = pod(BARE, claims("a"));
        kube.create(Types.POD, pod);
        var annotations = judged(pod).patch().orElseThrow().json().objects().getFirst();
        var now =
                kube.jsonPatch(
                        Types.POD,
                        ObjectKey.of("default", "p"),
                        JsonPatch.create().add(annotations.at("value"), "metadata", "annotations"));
        assertEquals("1073741824", now.annotation("capacity.topolvm.io/ssd").orElse(""));
    }

    @Test
    void aPodWithoutContainersIsRefusedAndOneWithoutVolumesIsLeftAlone() throws Exception {
        assertEquals(Optional.of("the pod has no containers"), judged(pod("", "")).refusal());
        assertEquals(AdmissionAnswer.allowed(), judged(pod(BARE, "")));
    }
}
