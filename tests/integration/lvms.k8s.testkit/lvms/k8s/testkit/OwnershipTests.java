package lvms.k8s.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Dependents follow their owners, and contents their namespace. */
class OwnershipTests {
    private static ApiServer server;
    private static Client client;
    private String namespace;
    private String maps;

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
        namespace = client.namespace();
        maps = "/api/v1/namespaces/" + namespace + "/configmaps";
    }

    private String owner(String name) {
        return client.post(maps, "{'metadata':{'name':'" + name + "'}}").text("metadata", "uid");
    }

    private void dependent(String name, String extra, String... owners) {
        var references = new java.util.ArrayList<String>();
        for (int i = 0; i < owners.length; i += 2) {
            references.add(
                    "{'apiVersion':'v1','kind':'ConfigMap','name':'"
                            + owners[i]
                            + "','uid':'"
                            + owners[i + 1]
                            + "','blockOwnerDeletion':true}");
        }
        var reply =
                client.post(
                        maps,
                        "{'metadata':{'name':'"
                                + name
                                + "','ownerReferences':["
                                + String.join(",", references)
                                + "]"
                                + extra
                                + "}}");
        assertEquals(201, reply.code(), reply.toString());
    }

    private boolean gone(String name) {
        return client.get(maps + "/" + name).code() == 404;
    }

    @Test
    void backgroundDeletesDependentsAfterTheOwner() throws Exception {
        dependent("d", "", "o", owner("o"));
        client.delete(maps + "/o", "{'propagationPolicy':'Background'}");
        assertTrue(gone("o"));
        Client.await(() -> gone("d"));
    }

    @Test
    void foregroundKeepsTheOwnerUntilItsDependentsAreGone() throws Exception {
        dependent("d", ",'finalizers':['example.com/x']", "o", owner("o"));
        client.delete(maps + "/o", "{'propagationPolicy':'Foreground'}");
        Client.await(
                () -> !client.get(maps + "/d").text("metadata", "deletionTimestamp").isEmpty());
        assertFalse(gone("o"));
        client.merge(maps + "/d", "{'metadata':{'finalizers':null}}");
        Client.await(() -> gone("o"));
        assertTrue(gone("d"));
    }

    @Test
    void orphanLeavesDependentsWithoutTheReference() throws Exception {
        dependent("d", "", "o", owner("o"));
        client.delete(maps + "/o", "{'propagationPolicy':'Orphan'}");
        Client.await(() -> gone("o"));
        assertEquals("", client.get(maps + "/d").text("metadata", "ownerReferences"));
    }

    @Test
    void aSecondOwnerKeepsADependent() throws Exception {
        dependent("d", "", "o1", owner("o1"), "o2", owner("o2"));
        client.delete(maps + "/o1", "");
        Client.await(
                () ->
                        client.get(maps + "/d")
                                        .body()
                                        .getAsJsonObject("metadata")
                                        .getAsJsonArray("ownerReferences")
                                        .size()
                                == 1);
        assertFalse(gone("d"));
    }

    @Test
    void anOwnerOfTheSameNameButAnotherUidIsNoOwner() throws Exception {
        owner("o");
        dependent("d", "", "o", "another");
        Client.await(() -> gone("d"));
    }

    @Test
    void aNamespaceGoesAfterItsContents() throws Exception {
        client.post(maps, "{'metadata':{'name':'held','finalizers':['example.com/x']}}");
        var marked = client.delete("/api/v1/namespaces/" + namespace, "");
        assertEquals("Terminating", marked.text("status", "phase"));
        var refused = client.post(maps, "{'metadata':{'name':'late'}}");
        assertEquals(403, refused.code());
        assertEquals("NamespaceTerminating", refused.text("details", "causes", "0", "reason"));
        Client.await(
                () -> !client.get(maps + "/held").text("metadata", "deletionTimestamp").isEmpty());
        client.merge(maps + "/held", "{'metadata':{'finalizers':null}}");
        Client.await(() -> client.get("/api/v1/namespaces/" + namespace).code() == 404);
    }
}
