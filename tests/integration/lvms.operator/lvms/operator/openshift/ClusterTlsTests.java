package lvms.operator.openshift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.serving.HttpAnswer;
import lvms.k8s.serving.HttpListener;
import lvms.k8s.serving.Limits;
import lvms.k8s.serving.ServerTls;
import lvms.k8s.serving.TlsBounds;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.testkit.tls.Trust;
import lvms.k8s.tls.Authority;
import lvms.k8s.tree.Json;
import lvms.tests.server.Definitions;
import lvms.tests.server.OursAlone;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import javax.net.ssl.SSLSocket;

/** A port goes by the cluster's TLS profile while it serves, and by defaults without one. */
@Timeout(120)
class ClusterTlsTests {
    private static final String REQUEST = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final String PAGE = "page";

    @TempDir private Path folder;
    private ApiServer api;
    private KubeClient kube;
    private ClusterTls tls;
    private HttpListener server;
    private Authority authority;

    @BeforeEach
    void open() throws Exception {
        api = Servers.start();
        kube = KubeClient.open(api.config(), "tests/1").withFieldManager("tests");
        tls = new ClusterTls(kube);
        authority = Authority.make("tests", Duration.ofDays(1));
        authority.server("port", List.of("localhost"), List.of()).save(folder, "tls");
    }

    @AfterEach
    void close() throws Exception {
        if (server != null) {
            server.close();
        }
        tls.apiServers().close();
        kube.close();
        api.close();
    }

    private void openShift() throws Exception {
        Definitions.install(kube, Path.of("tests/integration/openshift-crds.yaml"));
        while (!kube.serves(ClusterTls.TYPE)) {
            Thread.sleep(20); // until the timeout of the test
        }
    }

    private void profile(String spec) throws Exception {
        var tree = Json.parse(spec.replace('\'', '"'));
        kube.apply(
                ClusterTls.TYPE,
                KubeObject.create(ClusterTls.TYPE, ClusterTls.KEY).with(tree, "spec"));
    }

    private void type(String type) throws Exception {
        profile("{'tlsSecurityProfile':{'type':'" + type + "'}}");
    }

    private void serve() throws Exception {
        tls.profile();
        server =
                HttpListener.start(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        Limits.CALLERS,
                        Optional.of(ServerTls.ofFolder(folder, tls::bounds)),
                        _ -> HttpAnswer.text(200, PAGE));
    }

    private SSLSocket connected(String protocol) throws Exception {
        var trust = Trust.only(authority.pem().getBytes(StandardCharsets.US_ASCII));
        int port = server.address().getPort();
        var loopback = InetAddress.getLoopbackAddress();
        var socket = (SSLSocket) trust.getSocketFactory().createSocket(loopback, port);
        socket.setEnabledProtocols(new String[] {protocol});
        try {
            socket.startHandshake();
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private boolean takes(String protocol) throws Exception {
        try {
            connected(protocol).close();
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    /** Asks once on a connection; returns whether the server keeps it. */
    private static boolean asks(SSLSocket socket) throws IOException {
        socket.getOutputStream().write(REQUEST.getBytes(StandardCharsets.US_ASCII));
        var answer = new StringBuilder();
        while (!answer.toString().endsWith("\r\n\r\n" + PAGE)) {
            int read = socket.getInputStream().read();
            assertTrue(read >= 0, answer::toString);
            answer.append((char) read);
        }
        assertTrue(answer.toString().startsWith("HTTP/1.1 200"), answer::toString);
        return !answer.toString().toLowerCase(Locale.ROOT).contains("connection: close");
    }

    private long asked() {
        return api.faults().requests().stream()
                .filter(request -> request.target().contains("apiservers"))
                .count();
    }

    @OursAlone("at a real server the definitions of other tests are left")
    @Test
    void whereTheTypeIsUnknownNothingIsAskedFor() throws Exception {
        assertEquals(Optional.empty(), tls.profile());
        assertEquals(TlsBounds.DEFAULT, tls.bounds());
        assertEquals(0, asked());
        assertEquals(false, tls.apiServers().synced());
    }

    @Test
    void aPortFollowsEachChangeWithoutARestart() throws Exception {
        openShift();
        serve();
        assertEquals(TlsBounds.DEFAULT, tls.bounds());
        assertTrue(takes("TLSv1.2"));
        type("Modern");
        while (takes("TLSv1.2")) {
            Thread.sleep(20); // until the timeout of the test
        }
        assertTrue(takes("TLSv1.3"));
        type("Intermediate");
        while (!takes("TLSv1.2")) {
            Thread.sleep(20);
        }
        kube.delete(ClusterTls.TYPE, ClusterTls.KEY, DeleteOptions.any());
        while (!tls.bounds().equals(TlsBounds.DEFAULT)) {
            Thread.sleep(20);
        }
        assertEquals(Optional.empty(), tls.profile());
    }

    @Test
    void theProfileCountsFromTheFirstConnectionOn() throws Exception {
        openShift();
        type("Modern");
        serve();
        assertThrows(IOException.class, () -> connected("TLSv1.2"));
    }

    /** The API server keeps its connections to webhooks for as long as it can. */
    @Test
    void aConnectionThatIsNoLongerAllowedEndsWithItsNextAnswer() throws Exception {
        openShift();
        serve();
        try (var older = connected("TLSv1.2");
                var newer = connected("TLSv1.3")) {
            assertTrue(asks(older));
            assertTrue(asks(newer));
            type("Modern");
            while (tls.bounds().protocols().contains("TLSv1.2")) {
                Thread.sleep(20);
            }
            assertEquals(false, asks(older));
            assertEquals(true, asks(newer));
        }
    }

    @Test
    void suitesThatNobodyKnowsKeepNoPortShut() throws Exception {
        openShift();
        profile(
                "{'tlsSecurityProfile':{'type':'Custom','custom':{"
                        + "'minTLSVersion':'VersionTLS12','ciphers':['NONE-SUCH']}}}");
        serve();
        assertTrue(takes("TLSv1.3"));
        assertEquals(false, takes("TLSv1.2"));
    }

    @Test
    void aRoleWithoutTheRightLeavesTheDefaults() throws Exception {
        openShift();
        type("Modern");
        var no =
                "{'kind':'Status','apiVersion':'v1','status':'Failure','reason':'Forbidden',"
                        + "'message':'no','code':403}";
        api.faults().answer(r -> r.target().contains("apiservers/"), 1, 403, no.replace('\'', '"'));
        assertEquals(Optional.empty(), tls.profile());
        assertEquals(TlsBounds.DEFAULT, tls.bounds());
    }

    @Test
    void aServerThatIsAwayIsAskedAgain() throws Exception {
        openShift();
        type("Modern");
        var away = "{'kind':'Status','apiVersion':'v1','status':'Failure','code':500}";
        api.faults()
                .answer(r -> r.target().contains("apiservers/"), 100, 500, away.replace('\'', '"'));
        assertThrows(ApiException.class, tls::profile);
        api.faults().clear();
        assertEquals("VersionTLS13", tls.profile().orElseThrow().minimum());
    }
}
