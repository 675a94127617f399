package lvms.k8s.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Server-side apply merges, prunes and refuses by the ownership of fields. */
class ApplyTests {
    private static ApiServer server;
    private static Client client;
    private String widget;

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
        widget = Widgets.path(client.namespace()) + "/w";
    }

    private Client.Reply apply(String manager, String spec) {
        return client.apply(widget, manager, false, Widgets.named("w", spec));
    }

    @Test
    void applyingAMissingObjectCreatesIt() {
        var reply = apply("a", "{'size':1}");
        assertEquals(201, reply.code());
        assertEquals("Apply", reply.text("metadata", "managedFields", "0", "operation"));
        assertEquals(
                "{\"f:spec\":{\"f:size\":{}}}",
                reply.text("metadata", "managedFields", "0", "fieldsV1"));
    }

    @Test
    void applyingTheSameAgainWritesNothing() {
        var first = apply("a", "{'size':1}");
        var second = apply("a", "{'size':1}");
        assertEquals(200, second.code());
        assertEquals(
                first.text("metadata", "resourceVersion"),
                second.text("metadata", "resourceVersion"));
    }

    @Test
    void aFieldThatIsNoLongerAppliedIsRemoved() {
        apply("a", "{'size':1,'node':'n'}");
        assertEquals("", apply("a", "{'size':1}").text("spec", "node"));
    }

    @Test
    void aFieldOfSomeoneElseSurvives() {
        apply("a", "{'size':1,'node':'n'}");
        apply("b", "{'size':1,'node':'n'}");
        assertEquals("n", apply("a", "{'size':1}").text("spec", "node"));
    }

    @Test
    void anotherValueOfAForeignFieldIsAConflict() {
        apply("a", "{'size':1}");
        var reply = apply("b", "{'size':2}");
        assertEquals(409, reply.code());
        assertEquals(
                "Apply failed with 1 conflict: conflict with \"a\": .spec.size",
                reply.text("message"));
        assertEquals("FieldManagerConflict", reply.text("details", "causes", "0", "reason"));
        assertEquals(".spec.size", reply.text("details", "causes", "0", "field"));
    }

    @Test
    void conflictsWithUpdatesNameTheirVersion() {
        client.post(widget.substring(0, widget.length() - 2), Widgets.named("w", "{'size':1}"));
        var reply = apply("b", "{'size':2}");
        assertEquals(
                "Apply failed with 1 conflict: conflict with \"suite\" using example.com/v1:"
                        + " .spec.size",
                reply.text("message"));
    }

    @Test
    void forceTakesTheFieldOver() {
        apply("a", "{'size':1}");
        var reply = client.apply(widget, "b", true, Widgets.named("w", "{'size':2}"));
        assertEquals("2", reply.text("spec", "size"));
        assertEquals(
                1, reply.body().getAsJsonObject("metadata").getAsJsonArray("managedFields").size());
        assertEquals("b", reply.text("metadata", "managedFields", "0", "manager"));
    }

    @Test
    void membersOfMapListsAreOwnedByTheirKeys() {
        apply("a", "{'size':1,'parts':[{'name':'x','value':'1'}]}");
        var both = apply("b", "{'size':1,'parts':[{'name':'y','value':'2'}]}");
        assertEquals(2, both.body().getAsJsonObject("spec").getAsJsonArray("parts").size());
        var left = apply("a", "{'size':1}");
        assertEquals("y", left.text("spec", "parts", "0", "name"));
        assertEquals(1, left.body().getAsJsonObject("spec").getAsJsonArray("parts").size());
    }

    @Test
    void membersOfSetsAreUnited() {
        apply("a", "{'size':1,'tags':['x']}");
        var reply = apply("b", "{'size':1,'tags':['y']}");
        assertEquals("[\"x\",\"y\"]", reply.text("spec", "tags"));
    }

    @Test
    void defaultsAreFilledInButNotOwned() {
        var reply = apply("a", "{'size':1}");
        assertEquals("red", reply.text("spec", "color"));
        assertFalse(reply.text("metadata", "managedFields").contains("color"));
    }

    @Test
    void statusIsAppliedApartFromSpec() {
        apply("a", "{'size':1}");
        var body =
                "{'apiVersion':'example.com/v1','kind':'Widget','metadata':{'name':'w'},"
                        + "'spec':{'size':9},'status':{'phase':'ok'}}";
        var reply = client.apply(widget + "/status", "a", true, body);
        assertEquals(200, reply.code());
        assertEquals("1", reply.text("spec", "size"));
        assertEquals("ok", reply.text("status", "phase"));
        assertTrue(reply.text("metadata", "managedFields").contains("\"subresource\":\"status\""));
    }

    @Test
    void yamlIsABodyToo() {
        var yaml =
                """
                apiVersion: example.com/v1
                kind: Widget
                metadata:
                  name: w
                spec:
                  size: 3
                """;
        assertEquals("3", client.apply(widget, "a", false, yaml).text("spec", "size"));
    }

    @Test
    void aManagerIsRequired() {
        var reply =
                client.send(
                        "PATCH",
                        widget,
                        "application/apply-patch+yaml",
                        Widgets.named("w", "{'size':1}").replace('\'', '"'));
        assertEquals(422, reply.code());
        assertTrue(reply.text("message").contains("is required for apply patch"));
    }

    @Test
    void managedFieldsMayNotBeApplied() {
        var body =
                "{'apiVersion':'example.com/v1','kind':'Widget','metadata':{'name':'w',"
                        + "'managedFields':[{'manager':'x'}]},'spec':{'size':1}}";
        var reply = client.apply(widget, "a", false, body);
        assertEquals(400, reply.code());
        assertEquals("metadata.managedFields must be nil", reply.text("message"));
    }

    @Test
    void aUidWithoutAnObjectIsAConflict() {
        var body =
                "{'apiVersion':'example.com/v1','kind':'Widget','metadata':{'name':'w',"
                        + "'uid':'u'},'spec':{'size':1}}";
        var reply = client.apply(widget, "a", false, body);
        assertEquals(409, reply.code());
        assertTrue(reply.text("message").contains("uid mismatch"), reply.text("message"));
    }

    @Test
    void anEmptyEntryClearsTheOwnership() {
        apply("a", "{'size':1}");
        var reply = client.merge(widget, "{'metadata':{'managedFields':[{}]}}");
        assertFalse(reply.body().getAsJsonObject("metadata").has("managedFields"));
    }
}
