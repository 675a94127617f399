package lvms.k8s.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import lvms.k8s.testkit.http.HttpServer;
import lvms.k8s.testkit.tls.Certificates;
import lvms.tests.server.OursAlone;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.function.Function;

/** Webhooks and policies judge writes before they are stored. */
class AdmissionTests {
    private static final String GROUP = "/apis/admissionregistration.k8s.io/v1/";
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private ApiServer server;
    private Client client;
    private HttpServer webhook;
    private Certificates certificates;
    private volatile Function<JsonObject, String> judge = _ -> "'allowed':true";
    private volatile JsonObject last;

    @BeforeEach
    void start() throws Exception {
        server = Servers.start();
        client = Client.of(server);
        certificates =
                Certificates.make(
                        List.of("hook.default.svc"), List.of(InetAddress.getByName("127.0.0.1")));
        webhook =
                HttpServer.start(
                        new InetSocketAddress("127.0.0.1", 0),
                        certificates.serverContext(),
                        (request, exchange) -> {
                            var body = new String(request.body(), StandardCharsets.UTF_8);
                            last =
                                    JsonParser.parseString(body)
                                            .getAsJsonObject()
                                            .getAsJsonObject("request");
                            var answer =
                                    "{'kind':'AdmissionReview','apiVersion':'admission.k8s.io/v1',"
                                            + "'response':{'uid':'"
                                            + last.get("uid").getAsString()
                                            + "',"
                                            + judge.apply(last)
                                            + "}}";
                            exchange.send(
                                    200,
                                    "application/json",
                                    answer.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
                        });
    }

    @AfterEach
    void stop() throws Exception {
        webhook.close();
        server.close();
    }

    private void configure(String plural, String target, String extra) {
        var bundle =
                Base64.getEncoder()
                        .encodeToString(certificates.caPem().getBytes(StandardCharsets.UTF_8));
        var reply =
                client.post(
                        GROUP + plural,
                        "{'metadata':{'name':'hooks'},'webhooks':[{'name':'a.example.com',"
                                + "'clientConfig':{"
                                + target
                                + ",'caBundle':'"
                                + bundle
                                + "'},'rules':[{'apiGroups':[''],'apiVersions':['v1'],"
                                + "'operations':['*'],'resources':['configmaps']}],"
                                + "'sideEffects':'None','admissionReviewVersions':['v1']"
                                + extra
                                + "}]}");
        assertEquals(201, reply.code(), reply.toString());
    }

    private String url() {
        return "'url':'https://127.0.0.1:" + webhook.port() + "/judge'";
    }

    private Client.Reply create(String name) {
        return client.post(MAPS, "{'metadata':{'name':'" + name + "'},'data':{'a':'b'}}");
    }

    @Test
    void aDenialReachesTheClientWithItsCodeAndText() {
        configure("validatingwebhookconfigurations", url(), "");
        judge =
                _ ->
                        "'allowed':false,'status':{'code':403,'message':'no way',"
                                + "'reason':'Forbidden'}";
        var reply = create("x");
        assertEquals(403, reply.code());
        assertEquals(
                "admission webhook \"a.example.com\" denied the request: no way",
                reply.text("message"));
        assertEquals(404, client.get(MAPS + "/x").code());
    }

    @Test
    void theReviewTellsWhatHappens() {
        create("x");
        configure("validatingwebhookconfigurations", url(), "");
        client.delete(MAPS + "/x", "");
        assertEquals("DELETE", last.get("operation").getAsString());
        assertTrue(last.get("object").isJsonNull());
        assertEquals("default", last.get("namespace").getAsString());
        assertEquals(
                "kubernetes-admin", last.getAsJsonObject("userInfo").get("username").getAsString());
    }

    @Test
    void aMutationIsStored() {
        configure("mutatingwebhookconfigurations", url(), "");
        var patch = "[{\"op\":\"add\",\"path\":\"/data/c\",\"value\":\"d\"}]";
        var encoded = Base64.getEncoder().encodeToString(patch.getBytes(StandardCharsets.UTF_8));
        judge = _ -> "'allowed':true,'patchType':'JSONPatch','patch':'" + encoded + "'";
        assertEquals("d", create("x").text("data", "c"));
    }

    @Test
    void aWebhookThatCannotBeReachedFailsTheRequestUnlessIgnored() throws Exception {
        configure("validatingwebhookconfigurations", url(), "");
        webhook.close();
        var reply = create("x");
        assertEquals(500, reply.code());
        assertTrue(
                reply.text("message")
                        .startsWith(
                                "Internal error occurred: failed calling webhook"
                                        + " \"a.example.com\": failed to call webhook: "),
                reply.text("message"));
        client.json(
                GROUP + "validatingwebhookconfigurations/hooks",
                "[{'op':'replace','path':'/webhooks/0/failurePolicy','value':'Ignore'}]");
        Client.await(() -> create("x").code() == 201); // a real server hears of it later
    }

    @Test
    @OursAlone("a real server reaches services at addresses that must not be loopback")
    void servicesAreReachedByTheirRoute() {
        configure(
                "validatingwebhookconfigurations",
                "'service':{'namespace':'default','name':'hook','path':'/judge'}",
                "");
        assertEquals(500, create("x").code());
        server.routeService("default", "hook", new InetSocketAddress("127.0.0.1", webhook.port()));
        assertEquals(201, create("x").code());
    }

    @Test
    void anObjectSelectorNarrows() {
        configure(
                "validatingwebhookconfigurations",
                url(),
                ",'objectSelector':{'matchLabels':{'judge':'me'}}");
        judge = _ -> "'allowed':false";
        assertEquals(201, create("x").code());
        var labelled = client.post(MAPS, "{'metadata':{'name':'y','labels':{'judge':'me'}}}");
        assertEquals(400, labelled.code());
    }

    @Test
    void aBoundPolicyDeniesWithItsMessage() throws Exception {
        var policy =
                client.post(
                        GROUP + "validatingadmissionpolicies",
                        """
                        {'metadata':{'name':'own'},'spec':{'matchConstraints':{'resourceRules':[
                         {'apiGroups':[''],'apiVersions':['v1'],'operations':['CREATE'],
                          'resources':['configmaps']}]},
                         'variables':[{'name':'size','expression':'size(object.data)'}],
                         'validations':[{'expression':'variables.size < 2','message':'too much'},
                          {'expression':'request.userInfo.username != \\"nobody\\"'}]}}
                        """
                                .replace("\\\"", "\\u0022"));
        assertEquals(201, policy.code(), policy.toString());
        assertEquals(201, create("before").code());
        client.post(
                GROUP + "validatingadmissionpolicybindings",
                "{'metadata':{'name':'b'},'spec':{'policyName':'own','validationActions':['Deny']}}");
        assertEquals(201, create("small").code());
        var big = "{'metadata':{'name':'big'},'data':{'a':'b','c':'d'}}";
        Client.await(() -> client.post(MAPS + "?dryRun=All", big).code() != 201);
        var reply = client.post(MAPS, big);
        assertEquals(422, reply.code());
        assertEquals(
                "configmaps \"big\" is forbidden: ValidatingAdmissionPolicy 'own' with binding 'b'"
                        + " denied request: too much",
                reply.text("message"));
        client.delete(GROUP + "validatingadmissionpolicybindings/b", "");
        Client.await(() -> client.post(MAPS + "?dryRun=All", big).code() == 201);
    }

    @Test
    void aPolicyThatCannotBeEvaluatedIsRefused() {
        var reply =
                client.post(
                        GROUP + "validatingadmissionpolicies",
                        "{'metadata':{'name':'p'},'spec':{'validations':["
                                + "{'expression':'authorizer.group(object.x)'}]}}");
        assertEquals(422, reply.code());
    }
}
