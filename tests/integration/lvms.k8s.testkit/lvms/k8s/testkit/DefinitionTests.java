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

/** Custom resources are served, completed, pruned and checked as their definition says. */
@DependsOnVersion("schemas and rules of custom resources: the texts of refusals changed in 1.34")
class DefinitionTests {
    private static final String DEFINITIONS =
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static ApiServer server;
    private static Client client;
    private String widgets;

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
        widgets = Widgets.path(client.namespace());
    }

    private Client.Reply create(String spec) {
        return client.post(widgets, Widgets.named("w", spec));
    }

    /** Servers before 1.34 show some values in another form. */
    private static void assertMatches(String pattern, String text) {
        assertTrue(text.matches(pattern), text);
    }

    private String failure(Client.Reply reply) {
        assertEquals(422, reply.code(), reply.toString());
        return reply.text("message");
    }

    @Test
    void defaultsFillWhatIsAbsentOrNull() {
        var reply = create("{'size':1,'color':null,'parts':[{'name':'a'}]}");
        assertEquals("red", reply.text("spec", "color"));
        assertEquals("none", reply.text("spec", "parts", "0", "value"));
    }

    @Test
    void nullStaysOnlyWhereItIsAValue() {
        var reply = create("{'size':1,'nothing':null,'node':null}");
        assertTrue(reply.body().getAsJsonObject("spec").get("nothing").isJsonNull());
        assertFalse(reply.body().getAsJsonObject("spec").has("node"));
    }

    @Test
    void requiredFieldsAreRequired() {
        assertMatches(
                "Widget.example.com \"w\" is invalid: \\[spec.size: Required value, <nil>: Invalid"
                    + " value: \"?null\"?: some validation rules were not checked because the"
                    + " object was invalid; correct the existing errors to complete validation]",
                failure(create("{}")));
    }

    @Test
    void valuesAreChecked() {
        var reply = create("{'size':0,'color':'blue'}");
        assertTrue(
                failure(reply)
                        .contains(
                                "spec.size: Invalid value: 0: spec.size in body should be greater"
                                        + " than or equal to 1"));
        assertTrue(
                reply.text("message")
                        .contains(
                                "spec.color: Unsupported value: \"blue\": supported values:"
                                        + " \"red\", \"green\""));
    }

    @Test
    void typesAreChecked() {
        assertTrue(
                failure(create("{'size':'x'}"))
                        .contains("spec.size in body must be of type integer: \"string\""));
    }

    @Test
    void quantitiesStayAsTheyWereSent() {
        assertEquals("1024Mi", create("{'size':1,'quantity':'1024Mi'}").text("spec", "quantity"));
        client.delete(widgets + "/w", "");
        assertEquals("5", create("{'size':1,'quantity':5}").text("spec", "quantity"));
        client.delete(widgets + "/w", "");
        assertTrue(
                failure(create("{'size':1,'quantity':'5x'}"))
                        .contains("spec.quantity in body should match"));
    }

    @Test
    void membersOfSetsAndMapListsAreUnique() {
        assertTrue(
                failure(create("{'size':1,'tags':['a','a']}"))
                        .contains("spec.tags[1]: Duplicate value: \"a\""));
        assertTrue(
                failure(create("{'size':1,'parts':[{'name':'a'},{'name':'a'}]}"))
                        .matches(".*spec.parts\\[1]: Duplicate value: .*\\{\"name\":\"a\"}.*"));
    }

    @Test
    void rulesAreEvaluated() {
        assertMatches(
                ".*: spec: Invalid value: (\"object\": )?raid or thin",
                failure(create("{'size':1,'raid':{'level':'1'},'thin':{'name':'x'}}")));
    }

    @Test
    void rulesAreEvaluatedBesideHarmlessFailures() {
        var message = failure(create("{'size':0,'raid':{'level':'1'},'thin':{'name':'x'}}"));
        assertTrue(message.contains("should be greater than or equal to 1"), message);
        assertTrue(message.contains("raid or thin"), message);
    }

    @Test
    void transitionRulesCompareWithTheOldValue() {
        assertEquals(201, create("{'size':1,'node':'a'}").code());
        assertMatches(
                "Widget.example.com \"w\" is invalid: spec.node: Invalid value: \"(b|string)\":"
                        + " node is immutable",
                failure(client.merge(widgets + "/w", "{'spec':{'node':'b'}}")));
        assertEquals(200, client.merge(widgets + "/w", "{'spec':{'size':2}}").code());
    }

    @Test
    void transitionRulesSaySilenceWhereThereWasNoValue() {
        create("{'size':1}");
        assertEquals(200, client.merge(widgets + "/w", "{'spec':{'node':'b'}}").code());
    }

    @Test
    void selectableFieldsSelect() {
        create("{'size':1,'node':'a'}");
        var list = client.get(widgets + "?fieldSelector=spec.node%3Da");
        assertEquals(1, list.body().getAsJsonArray("items").size());
        var none = client.get(widgets + "?fieldSelector=spec.node%3Db");
        assertEquals(0, none.body().getAsJsonArray("items").size());
    }

    @Test
    void aDefinitionSaysThatItIsEstablished() {
        var text = client.get(DEFINITIONS + "/widgets.example.com").text("status", "conditions");
        assertTrue(text.contains("InitialNamesAccepted"), text);
        assertTrue(text.contains("NoConflicts"), text);
    }

    private static String gadget(String schema) {
        return "{'metadata':{'name':'gadgets.example.com'},'spec':{'group':'example.com',"
                + "'scope':'Cluster','names':{'kind':'Gadget','plural':'gadgets'},'versions':["
                + "{'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':"
                + schema
                + "}}]}}";
    }

    @Test
    void rulesThatCannotBeEvaluatedAreRefused() {
        var reply =
                client.post(
                        DEFINITIONS,
                        gadget(
                                "{'type':'object','properties':{'spec':{'type':'object','x-kubernetes-validations':[{'rule':'self.nope"
                                    + " > 1'}]}}}"));
        assertTrue(failure(reply).contains("undefined field 'nope'"), reply.text("message"));
        var unknown =
                client.post(
                        DEFINITIONS,
                        gadget(
                                "{'type':'object','x-kubernetes-validations':"
                                        + "[{'rule':'frobnicate(self)'}]}"));
        assertTrue(failure(unknown).contains("undeclared reference to 'frobnicate'"));
    }

    @Test
    void schemasMustBeStructural() {
        var untyped = gadget("{'type':'object','properties':{'spec':{}}}");
        assertTrue(failure(client.post(DEFINITIONS, untyped)).contains("properties[spec].type"));
        var branch = gadget("{'type':'object','anyOf':[{'properties':{'x':{'minimum':1}}}]}");
        assertTrue(
                failure(client.post(DEFINITIONS, branch))
                        .contains(
                                "openAPIV3Schema.properties[x]: Required value: because it is"
                                    + " defined in"
                                    + " spec.validation.openAPIV3Schema.anyOf[0].properties[x]"));
    }

    @Test
    void aDeletedDefinitionTakesItsObjectsAlong() throws Exception {
        var made = client.post(DEFINITIONS, gadget("{'type':'object'}"));
        assertEquals(201, made.code(), made.toString());
        var path = "/apis/example.com/v1/gadgets";
        Client.await(() -> client.get(path).code() == 200);
        client.post(
                path, "{'apiVersion':'example.com/v1','kind':'Gadget','metadata':{'name':'g'}}");
        client.delete(DEFINITIONS + "/gadgets.example.com", "");
        Client.await(() -> client.get(path).code() == 404);
        Client.await(() -> client.get(DEFINITIONS + "/gadgets.example.com").code() == 404);
        assertFalse(client.get("/apis/example.com/v1").text("resources").contains("gadgets"));
    }
}
