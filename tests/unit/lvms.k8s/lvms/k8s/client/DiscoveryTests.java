package lvms.k8s.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import lvms.k8s.discovery.ServedType;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A kind is found by the words that people use for it, as kubectl finds it. */
class DiscoveryTests extends KubeClientCase {
    private static final String CORE =
            """
            {"kind":"APIGroupDiscoveryList","items":[{"versions":[{"version":"v1","resources":[
            {"resource":"pods","responseKind":{"kind":"Pod"},"scope":"Namespaced",
             "singularResource":"pod","shortNames":["po"],"categories":["all"],
             "verbs":["get","list"],"subresources":[
               {"subresource":"log","verbs":["get"]}]},
            {"resource":"nodes","responseKind":{"kind":"Node"},"scope":"Cluster",
             "singularResource":"node","shortNames":["no"],"verbs":["get"]}]}]}]}
            """;

    private static final String GROUPS =
            """
            {"kind":"APIGroupDiscoveryList","items":[
            {"metadata":{"name":"apps"},"versions":[{"version":"v1","resources":[
            {"resource":"deployments","responseKind":{"kind":"Deployment"},"scope":"Namespaced",
             "singularResource":"deployment","shortNames":["deploy"],"verbs":["get"]}]}]},
            {"metadata":{"name":"example.com"},"versions":[
            {"version":"v2","resources":[
            {"resource":"pods","responseKind":{"kind":"Pod"},"scope":"Cluster",
             "singularResource":"pod","verbs":["get"]}]},
            {"version":"v1","resources":[
            {"resource":"pods","responseKind":{"kind":"Pod"},"scope":"Cluster",
             "singularResource":"pod","verbs":["get"]}]}]}]}
            """;

    private KubeClient served() throws Exception {
        return client((r, reply) -> reply.send(200, r.path().equals("/api") ? CORE : GROUPS));
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource({
        "pods, /v1/pods",
        "pod, /v1/pods",
        "po, /v1/pods",
        "Pod, /v1/pods",
        "POD, /v1/pods",
        "no, /v1/nodes",
        "deploy, apps/v1/deployments",
        "deployments.apps, apps/v1/deployments",
        "deploy.v1.apps, apps/v1/deployments",
        "pods.example.com, example.com/v2/pods",
        "pods.v1.example.com, example.com/v1/pods",
        "pods.v3.example.com, none",
        "deployments.example.com, none",
        "po.example.com, none",
        "nothing, none",
        "'', none"
    })
    void aTypeIsFoundByItsNames(String word, String expected) throws Exception {
        var found =
                served().types()
                        .named(word)
                        .map(ServedType::type)
                        .map(t -> t.group() + "/" + t.version() + "/" + t.plural());
        assertEquals(expected, found.orElse("none"));
    }

    @Test
    void aTypeIsFoundByTheKindOfAnObject() throws Exception {
        var types = served().types();
        var expected = new ResourceType("example.com", "v1", "Pod", "pods", false);
        assertEquals(
                Optional.of(expected), types.ofKind("example.com/v1", "Pod").map(ServedType::type));
        assertEquals(Optional.empty(), types.ofKind("example.com/v1", "Node"));
        assertEquals(Types.POD, types.ofKind("v1", "Pod").orElseThrow().type());
        assertEquals(5, types.all().size());
    }

    @Test
    void tellsWhatTheServerDoesWithAType() throws Exception {
        var pods = served().types().serving(Types.POD).orElseThrow();
        assertEquals(Set.of("get", "list"), pods.verbs());
        assertEquals(Map.of("log", Set.of("get")), pods.subresources());
        assertEquals("all", String.join(",", pods.categories()));
    }

    @Test
    void remembersAnAnswerForALittleWhile() throws Exception {
        var client = served();
        client.types();
        client.types();
        assertFalse(client.serves(Types.VOLUME_SNAPSHOT));
        assertEquals(2, server().requests().size());
    }

    @Test
    void anotherAnswerIsAFailureNotAnEmptyServer() throws Exception {
        var client = client((_, reply) -> reply.send(200, "{\"kind\":\"APIVersions\"}"));
        assertThrows(ApiException.Unreachable.class, client::types);
        assertThrows(ApiException.Unreachable.class, () -> client.serves(Types.POD));
    }
}
