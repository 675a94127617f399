package lvms.operator.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Drivers;
import lvms.k8s.client.KubeClient;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.serving.HttpListener;
import lvms.k8s.serving.Limits;
import lvms.k8s.serving.TokenGate;
import lvms.k8s.testkit.ApiServer;
import lvms.operator.informer.OperatorInformers;
import lvms.operator.overview.Scene;
import lvms.tests.server.Definitions;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;

/** The operator's page: what its caches know, for those who may read it, and no request more. */
@Timeout(60)
class CachedReportTests {
    private ApiServer api;
    private KubeClient kube;
    private OperatorInformers informers;
    private HttpListener listener;
    private final HttpClient reader = HttpClient.newHttpClient();

    @BeforeEach
    void start() throws Exception {
        api = ApiServer.start();
        kube = KubeClient.open(api.config(), "test").withFieldManager("test");
        Definitions.install(kube, Definitions.ALL);
        var namespace = ObjectKey.cluster("lvms-system");
        kube.create(Types.NAMESPACE, KubeObject.create(Types.NAMESPACE, namespace));
        Scene.working()
                .volume("pvc-1", "n1", "{volumeID: v1, currentSize: 2Gi}")
                .persistentVolume("pvc-1", "v1", "Bound", "data")
                .create(kube);
        informers = OperatorInformers.of(kube, Drivers.DEFAULT, "lvms-system");
        var report = new CachedReport(informers, "lvms-system", "a test", InstantSource.system());
        listener =
                HttpListener.start(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        Limits.CALLERS,
                        TokenGate.of(kube).before(report));
    }

    private void fill() throws Exception {
        informers.all().forEach(Informer::start);
        for (var informer : informers.all()) {
            informer.awaitSync(Duration.ofSeconds(30));
        }
    }

    @AfterEach
    void stop() throws Exception {
        reader.close();
        listener.close();
        informers.all().forEach(Informer::close);
        kube.close();
        api.close();
    }

    private HttpRequest.Builder request() {
        int port = listener.address().getPort();
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/report"));
    }

    private HttpResponse<String> get(String token) throws Exception {
        var request = request().header("Authorization", "Bearer " + token).build();
        return reader.send(request, BodyHandlers.ofString());
    }

    @Test
    void thePageHasWhatTheCachesKnowAndSaysWhatTheyDoNot() throws Exception {
        fill();
        var token = api.issueToken("reader");
        assertEquals(200, get(token).statusCode());
        api.faults().forgetRequests();
        var answer = get(token);
        assertTrue(answer.headers().firstValue("content-type").orElse("").startsWith("text/html"));
        var page = answer.body();
        assertTrue(page.contains("<th scope=\"row\">pvc-1</th>"), page);
        assertTrue(page.contains("<td>default/data</td>"), page);
        assertTrue(page.contains("made this page from what it has in memory"), page);
        assertFalse(page.contains("no agent"), page);
        var asked = api.faults().requests().stream().filter(r -> !r.query().containsKey("watch"));
        assertEquals(0, asked.count());
    }

    @Test
    void nobodyReadsItWithoutATokenOrWithoutTheRight() throws Exception {
        fill();
        assertEquals(401, reader.send(request().build(), BodyHandlers.ofString()).statusCode());
        assertEquals(401, get("nobody's").statusCode());
        var no =
                "{'apiVersion':'authorization.k8s.io/v1','kind':'SubjectAccessReview',"
                        + "'metadata':{},'status':{'allowed':false}}";
        api.faults()
                .answer(
                        r -> r.target().endsWith("/subjectaccessreviews"),
                        1,
                        201,
                        no.replace('\'', '"'));
        var refused = get(api.issueToken("tenant"));
        assertEquals(403, refused.statusCode());
        assertFalse(refused.body().contains("pvc-1"), refused.body());
    }

    /** An empty cache is no empty cluster. */
    @Test
    void anOperatorThatStandsBySaysSo() throws Exception {
        var answer = get(api.issueToken("reader"));
        assertEquals(503, answer.statusCode());
        assertTrue(answer.body().contains("does not lead"), answer.body());
    }
}
