package lvms.tests.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Each test meets the server that it is for. */
class ServersTests {
    private static final boolean CHOSEN =
            System.getProperty("lvms.apiserver", "ours").equals("ours");

    @Test
    @OursAlone("it is about the mark")
    void aMarkedTestMeetsTheServerInMemory() throws Exception {
        assertTrue(Servers.ours());
        try (var server = Servers.start()) {
            server.backup(); // the objects of a real one are etcd's own
        }
    }

    @Test
    void anyOtherMeetsTheOneThatWasChosen() throws Exception {
        assertEquals(CHOSEN, Servers.ours());
        Servers.start().close();
    }
}
