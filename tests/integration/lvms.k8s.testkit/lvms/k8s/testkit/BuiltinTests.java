package lvms.k8s.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.tests.server.DependsOnVersion;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Built-in types have their defaults, their one form of values, and what may not change. */
@DependsOnVersion("checks of built-in kinds: the texts of refusals changed in 1.32")
class BuiltinTests {
    private static final String CLASSES = "/apis/storage.k8s.io/v1/storageclasses";
    private static final String VOLUMES = "/api/v1/persistentvolumes";
    private static ApiServer server;
    private static Client client;
    private String namespaced;

    @BeforeAll
    static void start() throws Exception {
        server = Servers.start();
        client = Client.of(server);
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @BeforeEach
    void freshNamespace() {
        namespaced = "/api/v1/namespaces/" + client.namespace();
    }

    private Client.Reply claim(String spec) {
        return client.post(
                namespaced + "/persistentvolumeclaims",
                "{'metadata':{'name':'c'},'spec':{'accessModes':['ReadWriteOnce'],'resources':"
                        + "{'requests':{'storage':'1024Mi'}}"
                        + spec
                        + "}}");
    }

    private static Client.Reply volume(String name) {
        return client.post(
                VOLUMES,
                "{'metadata':{'name':'"
                        + name
                        + "'},'spec':{'capacity':{'storage':'1Gi'},'accessModes':"
                        + "['ReadWriteOnce'],'csi':{'driver':'topolvm.io','volumeHandle':'h'},"
                        + "'nodeAffinity':{'required':{'nodeSelectorTerms':[{'matchExpressions':"
                        + "[{'key':'k','operator':'In','values':['v']}]}]}}}}");
    }

    @Test
    void quantitiesHaveOneForm() {
        assertEquals("1Gi", claim("").text("spec", "resources", "requests", "storage"));
    }

    @Test
    void claimsGetTheirDefaultsAndProtection() {
        var reply = claim("");
        assertEquals("Filesystem", reply.text("spec", "volumeMode"));
        assertEquals("Pending", reply.text("status", "phase"));
        assertEquals("[\"kubernetes.io/pvc-protection\"]", reply.text("metadata", "finalizers"));
    }

    @Test
    void aClaimsSpecStays() {
        claim(",'storageClassName':'a'");
        var reply =
                client.merge(
                        namespaced + "/persistentvolumeclaims/c",
                        "{'spec':{'storageClassName':'b'}}");
        assertEquals(422, reply.code());
        assertTrue(
                reply.text("message")
                        .contains(
                                "spec: Forbidden: spec is immutable after creation except"
                                        + " resources.requests and volumeAttributesClassName for"
                                        + " bound claims"));
    }

    @Test
    void aBoundClaimGrowsIfItsClassAllowsIt() {
        client.post(
                CLASSES,
                "{'metadata':{'name':'grows'},'provisioner':'p','allowVolumeExpansion':true}");
        claim(",'storageClassName':'grows'");
        var path = namespaced + "/persistentvolumeclaims/c";
        var request = "{'spec':{'resources':{'requests':{'storage':'%s'}}}}";
        assertEquals(422, client.merge(path, request.formatted("2Gi")).code());
        client.merge(path + "/status", "{'status':{'phase':'Bound','capacity':{'storage':'1Gi'}}}");
        assertEquals(200, client.merge(path, request.formatted("2Gi")).code());
        var shrunk = client.merge(path, request.formatted("1Gi"));
        assertEquals(422, shrunk.code());
        var refusal =
                Servers.before(32)
                        ? "field can not be less than previous value"
                        : "field can not be less than status.capacity";
        assertTrue(shrunk.text("message").contains(refusal), shrunk.text("message"));
    }

    @Test
    void aBoundClaimStaysIfItsClassDoesNotGrow() {
        client.post(CLASSES, "{'metadata':{'name':'stays'},'provisioner':'p'}");
        claim(",'storageClassName':'stays'");
        var path = namespaced + "/persistentvolumeclaims/c";
        client.merge(path + "/status", "{'status':{'phase':'Bound','capacity':{'storage':'1Gi'}}}");
        var reply = client.merge(path, "{'spec':{'resources':{'requests':{'storage':'2Gi'}}}}");
        assertEquals(403, reply.code());
        assertEquals(
                "persistentvolumeclaims \"c\" is forbidden: only dynamically provisioned pvc can be"
                    + " resized and the storageclass that provisions the pvc must support resize",
                reply.text("message"));
    }

    @Test
    void aVolumesSourceAndAffinityStay() {
        assertEquals(201, volume("pv-stay").code());
        var source =
                client.merge(VOLUMES + "/pv-stay", "{'spec':{'csi':{'volumeHandle':'other'}}}");
        assertTrue(
                source.text("message")
                        .contains("spec.persistentvolumesource is immutable after creation"),
                source.toString());
        var affinity = client.merge(VOLUMES + "/pv-stay", "{'spec':{'nodeAffinity':null}}");
        assertEquals(422, affinity.code());
        var policy =
                client.merge(
                        VOLUMES + "/pv-stay",
                        "{'spec':{'persistentVolumeReclaimPolicy':'Delete'}}");
        assertEquals(200, policy.code());
    }

    @Test
    void aStorageClassHardlyChanges() {
        client.post(CLASSES, "{'metadata':{'name':'fixed'},'provisioner':'p'}");
        var reply = client.merge(CLASSES + "/fixed", "{'parameters':{'a':'b'}}");
        assertTrue(
                reply.text("message")
                        .matches(
                                ".*parameters: (Invalid value: .*: field is immutable"
                                        + "|Forbidden: updates to parameters are forbidden[.])"),
                reply.text("message"));
        assertEquals(
                422,
                client.merge(CLASSES + "/fixed", "{'volumeBindingMode':'WaitForFirstConsumer'}")
                        .code());
    }

    @Test
    void unknownFieldsOfBuiltinTypesAreFound() {
        var reply =
                client.post(
                        namespaced + "/configmaps?fieldValidation=Strict",
                        "{'metadata':{'name':'a','lables':{}},'dat':{}}");
        assertEquals(400, reply.code());
        assertTrue(reply.text("message").contains("unknown field \"metadata.lables\""));
        assertTrue(reply.text("message").contains("unknown field \"dat\""));
    }

    @Test
    void wrongTypesAreBadRequests() {
        var reply =
                client.post(namespaced + "/configmaps", "{'metadata':{'name':'a'},'data':{'k':5}}");
        assertEquals(400, reply.code());
        assertTrue(
                reply.text("message")
                        .startsWith(
                                "ConfigMap in version \"v1\" cannot be handled as a ConfigMap:"
                                        + " json: cannot unmarshal number"),
                reply.text("message"));
    }

    @Test
    void podsNeedContainersAndTheirVolumes() {
        var pods = namespaced + "/pods";
        var empty = client.post(pods, "{'metadata':{'name':'p'},'spec':{}}");
        assertEquals("spec.containers", empty.text("details", "causes", "0", "field"));
        var lost =
                client.post(
                        pods,
                        "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'a','image':'b',"
                                + "'volumeMounts':[{'name':'x','mountPath':'/x'}]}]}}");
        assertTrue(lost.text("message").contains("volumeMounts[0].name: Not found: \"x\""));
    }

    @Test
    void aPodOnANodeGoesAfterItsGracePeriod() {
        var pods = namespaced + "/pods";
        client.post(
                pods, "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'a','image':'b'}]}}");
        var bound =
                client.post(
                        pods + "/p/binding",
                        "{'metadata':{'name':'p'},'target':{'kind':'Node','name':'n'}}");
        assertEquals(201, bound.code());
        var again =
                client.post(
                        namespaced + "/bindings",
                        "{'metadata':{'name':'p'},'target':{'kind':'Node','name':'n'}}");
        assertEquals(409, again.code());
        var marked = client.delete(pods + "/p", "");
        assertEquals("30", marked.text("metadata", "deletionGracePeriodSeconds"));
        client.delete(pods + "/p", "{'gracePeriodSeconds':0}");
        assertEquals(404, client.get(pods + "/p").code());
    }

    @Test
    void anEventIsOneObjectInTwoGroups() {
        var name = namespaced.substring(namespaced.lastIndexOf('/') + 1);
        var path = "/apis/events.k8s.io/v1/namespaces/" + name + "/events";
        var reply =
                client.post(
                        path,
                        "{'metadata':{'name':'e'},'regarding':{'kind':'Pod','name':'p','namespace':'"
                                + name
                                + "'},'note':'hello','type':'Normal','reason':'R','action':'A',"
                                + "'eventTime':'2026-01-02T03:04:05.100000Z',"
                                + "'reportingController':'c','reportingInstance':'i'}");
        assertEquals(201, reply.code(), reply.toString());
        assertEquals("2026-01-02T03:04:05.100000Z", reply.text("eventTime"));
        var core = client.get(namespaced + "/events?fieldSelector=involvedObject.name%3Dp");
        assertEquals("hello", core.text("items", "0", "message"));
        var other = client.get(path + "?fieldSelector=regarding.name%3Dq");
        assertEquals(0, other.body().getAsJsonArray("items").size());
    }

    @Test
    void timesOfEventsHaveSixDigits() {
        var reply =
                client.post(
                        "/apis/events.k8s.io/v1/namespaces/default/events",
                        "{'metadata':{'name':'e'},'eventTime':'2026-01-02T03:04:05.1Z'}");
        assertEquals(400, reply.code());
        assertTrue(reply.text("message").contains("as \"2006-01-02T15:04:05.000000Z07:00\""));
    }

    @Test
    void aNewNodeIsTaintedUntilSomebodySaysThatItIsReady() {
        var reply = client.post("/api/v1/nodes", "{'metadata':{'name':'tainted'}}");
        assertEquals("node.kubernetes.io/not-ready", reply.text("spec", "taints", "0", "key"));
        assertEquals("NoSchedule", reply.text("spec", "taints", "0", "effect"));
    }

    @Test
    void strategicPatchesMergeListsByKey() {
        var pods = namespaced + "/pods";
        client.post(
                pods,
                "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'a','image':'b'},"
                        + "{'name':'c','image':'d'}]}}");
        var reply =
                client.strategic(pods + "/p", "{'spec':{'containers':[{'name':'c','image':'e'}]}}");
        assertEquals("b", reply.text("spec", "containers", "0", "image"));
        assertEquals("e", reply.text("spec", "containers", "1", "image"));
    }

    @Test
    void secretsFoldTextIntoData() {
        var reply =
                client.post(
                        namespaced + "/secrets",
                        "{'metadata':{'name':'s'},'stringData':{'a':'b'}}");
        assertEquals("Yg==", reply.text("data", "a"));
        assertEquals("Opaque", reply.text("type"));
        assertFalse(reply.body().has("stringData"));
    }

    @Test
    void tokensOfServiceAccountsAreReviewed() {
        client.post(namespaced + "/serviceaccounts", "{'metadata':{'name':'sa'}}");
        var token =
                client.post(namespaced + "/serviceaccounts/sa/token", "{}").text("status", "token");
        var review =
                client.post(
                        "/apis/authentication.k8s.io/v1/tokenreviews",
                        "{'spec':{'token':'" + token + "'}}");
        assertEquals("true", review.text("status", "authenticated"));
        assertTrue(review.text("status", "user", "username").startsWith("system:serviceaccount:"));
    }
}
