package lvms.k8s.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.client.WatchOptions;
import lvms.k8s.client.WatchSignal;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.serving.HttpAnswer;
import lvms.k8s.serving.HttpListener;
import lvms.k8s.serving.Limits;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.testkit.Options;
import lvms.tests.server.OursAlone;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** In a cluster of IPv6 alone, clients find the API server and everybody finds our ports. */
@OursAlone("it listens on an address of IPv6")
@Timeout(60)
class Ipv6Tests {
    private static final ObjectKey KEY = ObjectKey.of("default", "mine");

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir Path folder;
    private ApiServer server;

    @BeforeEach
    void start() throws Exception {
        server = ApiServer.start(Options.defaults().address("[::1]"));
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    /** As kubelet sets the variables: without brackets. */
    private KubeConfig inPod() throws Exception {
        Files.writeString(folder.resolve("token"), server.token());
        Files.writeString(folder.resolve("namespace"), "default");
        Files.writeString(folder.resolve("ca.crt"), server.caPem());
        var port = Integer.toString(URI.create(server.url()).getPort());
        var env = Map.of("KUBERNETES_SERVICE_HOST", "::1", "KUBERNETES_SERVICE_PORT", port);
        return new ConfigLoader(env, folder, folder).load(Optional.empty());
    }

    @Test
    void aPodsOwnConfigurationLeadsToTheServer() throws Exception {
        try (var kube = KubeClient.open(inPod(), "tests").withFieldManager("tests")) {
            var from = kube.list(Types.CONFIG_MAP, ListOptions.all()).resourceVersion();
            kube.create(Types.CONFIG_MAP, KubeObject.create(Types.CONFIG_MAP, KEY));
            try (var watch =
                    kube.watch(
                            Types.CONFIG_MAP,
                            ListOptions.all(),
                            WatchOptions.from(from, PATIENCE))) {
                var seen = assertInstanceOf(WatchSignal.Event.class, watch.next(PATIENCE));
                assertEquals(KEY, seen.object().key());
            }
        }
    }

    @Test
    void soDoesAKubeconfigAndAStreamOfAPod() throws Exception {
        var config = KubeConfig.load(Optional.of(server.kubeconfig(folder)));
        try (var kube = KubeClient.open(config, "tests")) {
            assertEquals("[::1]", config.server().getHost());
            assertEquals(
                    List.of(),
                    kube.list(Types.POD, ListOptions.all().namespace("default")).items());
            // The server in memory has no streams, and says so over the same connection.
            assertThrows(
                    ApiException.Misdirected.class, () -> kube.socket(KEY, "exec", List.of("v5")));
        }
    }

    /** Kubelet's probes and Prometheus come by the address of the pod. */
    @Test
    void aPortWithoutAnAddressListensThereToo() throws Exception {
        try (var listener =
                        HttpListener.start(
                                new InetSocketAddress(0),
                                Limits.CALLERS,
                                _ -> HttpAnswer.text(200, "ok\n"));
                var reader = HttpClient.newHttpClient()) {
            var url = URI.create("http://[::1]:" + listener.address().getPort() + "/readyz");
            var answer = reader.send(HttpRequest.newBuilder(url).build(), BodyHandlers.ofString());
            assertEquals("ok\n", answer.body());
        }
    }
}
