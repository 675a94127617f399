package lvms.k8s.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import lvms.k8s.client.Bodies;
import lvms.k8s.client.FakeServer;
import lvms.k8s.client.KubeClient;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.Equivalence;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;
import lvms.tests.runner.Behaviour;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;

/** A status that says the same already costs no request, and another one only what differs. */
@Timeout(60)
class StatusWriterTests {
    private static final ObjectTree PRESENT =
            tree("{'ready':true,'size':'1536Mi','nodes':{'n1':'up','n2':'up'}}");
    private static final KubeObject OBJECT = Bodies.object("a", "uid-a", 1).with(PRESENT, "status");

    private FakeServer server;
    private KubeClient client;
    private StatusWriter writer;

    private static ObjectTree tree(String json) {
        return (ObjectTree) Json.parse(json.replace('\'', '"'));
    }

    @BeforeEach
    void open() throws Exception {
        server = FakeServer.start((_, reply) -> reply.send(200, Bodies.configMap("a", "uid-a", 2)));
        client = server.client();
        var informer = Informer.of(client, Types.CONFIG_MAP).build();
        writer = new StatusWriter(informer, Equivalence.EXACT.quantity("size"));
    }

    @AfterEach
    void close() throws Exception {
        client.close();
        server.close();
    }

    @Test
    @Behaviour(71)
    void whatIsThereIsNotSent() throws Exception {
        assertSame(OBJECT, writer.write(OBJECT, PRESENT));
        assertEquals(List.of(), server.requests());
    }

    @Test
    @Behaviour({71, 85})
    void neitherIsAnotherTextOfTheSameQuantity() throws Exception {
        writer.write(OBJECT, PRESENT.with(tree("{'x':'1.5Gi'}").at("x"), "size"));
        assertEquals(List.of(), server.requests());
    }

    @Test
    void onlyWhatDiffersIsSentToTheStatusOfThisVeryObject() throws Exception {
        writer.write(OBJECT, tree("{'ready':false,'size':'1.5Gi','nodes':{'n1':'up'}}"));
        var request = server.requests().getFirst();
        assertEquals("PATCH", request.method());
        assertEquals("/api/v1/namespaces/ns/configmaps/a/status", request.path());
        assertEquals(
                tree("{'metadata':{'uid':'uid-a'},'status':{'ready':false,'nodes':{'n2':null}}}"),
                Json.parse(request.body()));
        assertEquals(1, server.requests().size());
    }

    @Test
    void anObjectWithoutAStatusGetsAWholeOne() throws Exception {
        writer.write(OBJECT.without("status"), PRESENT);
        var sent = (ObjectTree) Json.parse(server.requests().getFirst().body());
        assertEquals(PRESENT, sent.at("status"));
    }
}
