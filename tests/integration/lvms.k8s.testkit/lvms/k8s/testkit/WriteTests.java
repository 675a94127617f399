package lvms.k8s.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Creates, updates, patches and deletes have the codes, reasons and effects of Kubernetes. */
class WriteTests {
    private static ApiServer server;
    private static Client client;
    private String widgets;
    private String configMaps;

    @BeforeAll
    static void start() throws Exception {
        server = Servers.start();
        client = Client.of(server);
        Widgets.define(client);
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @BeforeEach
    void freshNamespace() {
        var namespace = client.namespace();
        widgets = Widgets.path(namespace);
        configMaps = "/api/v1/namespaces/" + namespace + "/configmaps";
    }

    @Test
    void createSetsIdentityAndGeneration() {
        var reply = client.post(widgets, Widgets.named("w", "{'size':1}"));
        assertEquals(201, reply.code());
        assertEquals("1", reply.text("metadata", "generation"));
        assertEquals(36, reply.text("metadata", "uid").length());
        assertTrue(reply.text("metadata", "creationTimestamp").endsWith("Z"));
    }

    @Test
    void createOfAnExistingNameIsRefused() {
        client.post(widgets, Widgets.named("w", "{'size':1}"));
        var reply = client.post(widgets, Widgets.named("w", "{'size':1}"));
        assertEquals(409, reply.code());
        assertEquals("AlreadyExists", reply.text("reason"));
        assertEquals("widgets.example.com \"w\" already exists", reply.text("message"));
    }

    @Test
    void createInAMissingNamespaceIsRefused() {
        var reply = client.post("/api/v1/namespaces/nope/configmaps", "{'metadata':{'name':'a'}}");
        assertEquals(404, reply.code());
        assertEquals("namespaces \"nope\" not found", reply.text("message"));
    }

    @Test
    void anotherNamespaceInTheBodyIsRefused() {
        var reply = client.post(configMaps, "{'metadata':{'name':'a','namespace':'kube-system'}}");
        assertEquals(400, reply.code());
    }

    @Test
    void generateNameMakesDistinctNames() {
        var body = "{'metadata':{'generateName':'a-'}}";
        var first = client.post(configMaps, body).text("metadata", "name");
        assertTrue(first.matches("a-[bcdfghjklmnpqrstvwxz2456789]{5}"), first);
        assertNotEquals(first, client.post(configMaps, body).text("metadata", "name"));
    }

    @Test
    void createIgnoresStatusWhereItIsASubresource() {
        var reply =
                client.post(
                        widgets,
                        "{'apiVersion':'example.com/v1','kind':'Widget','metadata':{'name':'w'},"
                                + "'spec':{'size':1},'status':{'phase':'x'}}");
        assertFalse(reply.body().has("status"));
    }

    @Test
    void anUpdateThatChangesNothingKeepsTheResourceVersion() {
        var before = client.post(widgets, Widgets.named("w", "{'size':1}"));
        var after = client.merge(widgets + "/w", "{'spec':{'size':1}}");
        assertEquals(
                before.text("metadata", "resourceVersion"),
                after.text("metadata", "resourceVersion"));
    }

    @Test
    void aStaleResourceVersionIsAConflict() {
        var old = client.post(widgets, Widgets.named("w", "{'size':1}"));
        client.merge(widgets + "/w", "{'spec':{'size':2}}");
        var reply = client.put(widgets + "/w", old.body().toString());
        assertEquals(409, reply.code());
        assertEquals("Conflict", reply.text("reason"));
        assertEquals(
                "Operation cannot be fulfilled on widgets.example.com \"w\": the object has been"
                    + " modified; please apply your changes to the latest version and try again",
                reply.text("message"));
    }

    @Test
    void customResourcesAreNotReplacedWithoutAResourceVersion() {
        client.post(widgets, Widgets.named("w", "{'size':1}"));
        var reply = client.put(widgets + "/w", Widgets.named("w", "{'size':2}"));
        assertEquals(422, reply.code());
        assertTrue(
                reply.text("message")
                        .matches(
                                "widgets.example.com \"w\" is invalid: metadata.resourceVersion:"
                                    + " Invalid value: (0|0x0): must be specified for an update"),
                reply.text("message"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "storage.k8s.io/v1/csinodes|'spec':{'drivers':[]}|422",
                "storage.k8s.io/v1/csidrivers|'spec':{'attachRequired':true}|422",
                "storage.k8s.io/v1/namespaces/default/csistoragecapacities"
                        + "|'storageClassName':'a'|422",
                "coordination.k8s.io/v1/namespaces/default/leases|'spec':{}|422",
                "storage.k8s.io/v1/storageclasses|'provisioner':'a.example.com'|200",
            })
    void soSomeBuiltInResources(String path, String rest, int code) {
        var folder = "/apis/" + path;
        var object = "{'metadata':{'name':'versioned'}," + rest + "}";
        assertEquals(201, client.post(folder, object).code());
        assertEquals(code, client.put(folder + "/versioned", object).code());
        assertEquals(200, client.delete(folder + "/versioned", "").code());
    }

    @Test
    void aResourceVersionInAMergePatchIsAPrecondition() {
        client.post(widgets, Widgets.named("w", "{'size':1}"));
        var patch = "{'metadata':{'resourceVersion':'1'},'spec':{'size':2}}";
        assertEquals(409, client.merge(widgets + "/w", patch).code());
    }

    @Test
    void onlySpecChangesRaiseTheGeneration() {
        client.post(widgets, Widgets.named("w", "{'size':1}"));
        client.merge(widgets + "/w", "{'metadata':{'labels':{'a':'b'}}}");
        client.merge(widgets + "/w/status", "{'status':{'phase':'x'}}");
        assertEquals("1", client.get(widgets + "/w").text("metadata", "generation"));
        var reply = client.merge(widgets + "/w", "{'spec':{'size':2}}");
        assertEquals("2", reply.text("metadata", "generation"));
    }

    @Test
    void statusAndSpecAreWrittenApart() {
        client.post(widgets, Widgets.named("w", "{'size':1}"));
        client.merge(widgets + "/w", "{'status':{'phase':'no'}}");
        var reply =
                client.merge(widgets + "/w/status", "{'spec':{'size':5},'status':{'phase':'yes'}}");
        assertEquals("1", reply.text("spec", "size"));
        assertEquals("yes", reply.text("status", "phase"));
    }

    @Test
    void scaleIsAnObjectOfItsOwn() {
        client.post(widgets, Widgets.named("w", "{'size':1}"));
        var reply = client.merge(widgets + "/w/scale", "{'spec':{'replicas':4}}");
        assertEquals("Scale", reply.text("kind"));
        assertEquals("4", client.get(widgets + "/w").text("spec", "replicas"));
    }

    @Test
    void dryRunStoresNothing() {
        var reply = client.post(widgets + "?dryRun=All", Widgets.named("w", "{'size':1}"));
        assertEquals(201, reply.code());
        assertEquals(404, client.get(widgets + "/w").code());
    }

    @Test
    void aFailedTestOfAJsonPatchIsInvalid() {
        client.post(widgets, Widgets.named("w", "{'size':1}"));
        var reply = client.json(widgets + "/w", "[{'op':'test','path':'/spec/size','value':2}]");
        assertEquals(422, reply.code());
        assertEquals("Invalid", reply.text("reason"));
    }

    @Test
    void aJsonPatchAppliesItsOperationsInOrder() {
        client.post(widgets, Widgets.named("w", "{'size':1,'tags':['a','b']}"));
        var reply =
                client.json(
                        widgets + "/w",
                        "[{'op':'test','path':'/spec/tags/0','value':'a'},"
                                + "{'op':'remove','path':'/spec/tags/0'},"
                                + "{'op':'add','path':'/spec/tags/-','value':'c'}]");
        assertEquals("[\"b\",\"c\"]", reply.text("spec", "tags"));
    }

    @Test
    void strategicPatchesAreNotForCustomResources() {
        client.post(widgets, Widgets.named("w", "{'size':1}"));
        var reply = client.strategic(widgets + "/w", "{'spec':{'size':2}}");
        assertEquals(415, reply.code());
        assertEquals("UnsupportedMediaType", reply.text("reason"));
    }

    @Test
    void deleteWithAnotherUidIsAConflict() {
        client.post(widgets, Widgets.named("w", "{'size':1}"));
        var reply = client.delete(widgets + "/w", "{'preconditions':{'uid':'other'}}");
        assertEquals(409, reply.code());
        assertTrue(
                reply.text("message")
                        .contains("the UID in the precondition (other) does not match"),
                reply.text("message"));
    }

    @Test
    void deleteAnswersWithTheUidOfWhatIsGone() {
        var uid = client.post(widgets, Widgets.named("w", "{'size':1}")).text("metadata", "uid");
        var reply = client.delete(widgets + "/w", "");
        assertEquals("Success", reply.text("status"));
        assertEquals(uid, reply.text("details", "uid"));
        assertEquals("widgets", reply.text("details", "kind"));
    }

    @Test
    void finalizersHoldAnObjectUntilTheLastIsGone() {
        client.post(
                widgets,
                "{'apiVersion':'example.com/v1','kind':'Widget','metadata':{'name':'w',"
                        + "'finalizers':['example.com/a']},'spec':{'size':1}}");
        var marked = client.delete(widgets + "/w", "");
        assertFalse(marked.text("metadata", "deletionTimestamp").isEmpty());
        assertEquals("2", marked.text("metadata", "generation"));
        var refused =
                client.merge(
                        widgets + "/w",
                        "{'metadata':{'finalizers':['example.com/a','example.com/b']}}");
        assertEquals(422, refused.code());
        assertTrue(refused.text("message").contains("no new finalizers can be added"));
        client.merge(widgets + "/w", "{'metadata':{'finalizers':null}}");
        assertEquals(404, client.get(widgets + "/w").code());
    }

    @Test
    void unknownFieldsWarnOrRefuseAsAsked() {
        var body = Widgets.named("w", "{'size':1,'colour':'red'}");
        var strict = client.post(widgets + "?fieldValidation=Strict", body);
        assertEquals(400, strict.code());
        assertTrue(
                strict.text("message")
                        .endsWith("strict decoding error: unknown field \"spec.colour\""),
                strict.text("message"));
        var warned = client.post(widgets, body);
        assertEquals("299 - \"unknown field \\\"spec.colour\\\"\"", warned.warnings().getFirst());
        assertFalse(warned.body().getAsJsonObject("spec").has("colour"));
    }

    @Test
    void doubledFieldsAreRefusedWhenStrict() {
        var body = Widgets.named("w", "{'size':1,'size':2}");
        var reply = client.post(widgets + "?fieldValidation=Strict", body);
        assertTrue(reply.text("message").contains("duplicate field \"spec.size\""));
    }

    @Test
    void someoneWithoutATokenIsUnauthorized() {
        var reply = client.withToken("wrong", server.caPem()).get("/api/v1/namespaces");
        assertEquals(401, reply.code());
        assertEquals("Unauthorized", reply.text("reason"));
    }

    @Test
    void twoControllersAreRefused() {
        var owner = "{'apiVersion':'v1','kind':'Node','name':'a','uid':'%s','controller':true}";
        var reply =
                client.post(
                        configMaps,
                        "{'metadata':{'name':'a','ownerReferences':["
                                + owner.formatted("1")
                                + ","
                                + owner.formatted("2")
                                + "]}}");
        assertEquals(422, reply.code());
    }

    @Test
    void namesAreDnsSubdomains() {
        var reply = client.post(configMaps, "{'metadata':{'name':'Not_Good'}}");
        assertEquals(422, reply.code());
        assertEquals("metadata.name", reply.text("details", "causes", "0", "field"));
    }

    @Test
    void unknownResourcesAreNotFound() {
        var reply = client.get("/api/v1/gadgets");
        assertEquals(404, reply.code());
        assertEquals("the server could not find the requested resource", reply.text("message"));
        var nowhere = client.get("/apis/example.com/v1/gadgets");
        assertEquals(404, nowhere.code());
        assertTrue(nowhere.body().isEmpty(), "a page of text, no Status");
    }
}
