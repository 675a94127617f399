package lvms.tests.server;

import lvms.tests.apiserver.Upstream;
import lvms.tests.apiserver.http.Certificates;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** etcd and kube-apiserver. */
final class RealServer implements Upstream {
    private static RealServer shared;
    private static Exception failure;

    private final List<Process> processes = new ArrayList<>();
    private final Path folder;
    private final Certificates certificates;
    private final URI url;
    private final Etcd etcd;
    private Set<String> born;

    private RealServer(String version) throws Exception {
        folder =
                Path.of("out/real-" + version + "-" + ProcessHandle.current().pid())
                        .toAbsolutePath();
        Files.createDirectories(folder);
        certificates =
                Certificates.make(
                        List.of("kubernetes.default.svc"),
                        List.of(InetAddress.getByName("127.0.0.1")));
        certificates.save(folder);
        var generator = java.security.KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        Files.writeString(folder.resolve("sa.key"), "-----BEGIN PRIVATE KEY-----\n" + java.util.Base64.getMimeEncoder(64, new byte[] {10}).encodeToString(generator.generateKeyPair().getPrivate().getEncoded()) + "\n-----END PRIVATE KEY-----\n");
        Files.writeString(folder.resolve("tokens"), "admin,admin,admin,system:masters\n");
        var cache = Path.of(System.getProperty("lvms.cache"), "kubernetes");
        var etcdPort = port();
        int peer = port();
        var etcdUrl = "http://127.0.0.1:" + etcdPort;
        Path etcdProgram;
        try (var list = Files.list(cache)) {
            etcdProgram =
                    list.filter(p -> p.getFileName().toString().startsWith("etcd"))
                            .findFirst()
                            .orElseThrow()
                            .resolve("etcd");
        }
        start(
                "etcd",
                etcdProgram.toString(),
                "--data-dir=" + folder.resolve("etcd"),
                "--unsafe-no-fsync",
                "--listen-client-urls=" + etcdUrl,
                "--advertise-client-urls=" + etcdUrl,
                "--listen-peer-urls=http://127.0.0.1:" + peer,
                "--initial-advertise-peer-urls=http://127.0.0.1:" + peer,
                "--initial-cluster=default=http://127.0.0.1:" + peer);
        etcd = new Etcd(URI.create(etcdUrl));
        int port = port();
        url = URI.create("https://127.0.0.1:" + port);
        start(
                "kube-apiserver",
                cache.resolve("v" + version).resolve("kube-apiserver").toString(),
                "--etcd-servers=" + etcdUrl,
                "--secure-port=" + port,
                "--bind-address=127.0.0.1",
                "--tls-cert-file=" + folder.resolve("server.crt"),
                "--tls-private-key-file=" + folder.resolve("server.key"),
                "--token-auth-file=" + folder.resolve("tokens"),
                "--authorization-mode=Node,RBAC",
                "--service-account-issuer=https://kubernetes.default.svc",
                "--service-account-key-file=" + folder.resolve("sa.key"),
                "--service-account-signing-key-file=" + folder.resolve("sa.key"),
                "--disable-admission-plugins=ServiceAccount",
                "--allow-privileged=true",
                "--service-cluster-ip-range=10.96.0.0/16",
                "--endpoint-reconciler-type=none");
        Runtime.getRuntime().addShutdownHook(new Thread(this::close));
        awaitReady();
        Files.writeString(
                folder.resolve("kubeconfig"),
                """
                apiVersion: v1
                kind: Config
                clusters:
                - name: real
                  cluster:
                    server: %s
                    certificate-authority: %s
                users:
                - name: admin
                  user:
                    token: admin
                contexts:
                - name: real
                  context: {cluster: real, user: admin}
                current-context: real
                """
                        .formatted(url, folder.resolve("ca.crt")));
        start("kube-controller-manager", cache.resolve("v1.36.3/kube-controller-manager").toString(),
                "--kubeconfig=" + folder.resolve("kubeconfig"), "--leader-elect=false", "--secure-port=0",
                "--controllers=garbage-collector-controller,namespace-controller");
        Thread.sleep(3000);
        born = etcd.keys();
    }

    private void close() {
        processes.reversed().forEach(Process::destroyForcibly);
    }

    private void awaitReady() throws Exception {
        var http =
                java.net.http.HttpClient.newBuilder()
                        .sslContext(
                                lvms.tests.apiserver.http.Trust.only(
                                        certificates.caPem().getBytes()))
                        .build();
        long end = System.nanoTime() + 60_000_000_000L;
        while (true) {
            try {
                var r =
                        http.send(
                                java.net.http.HttpRequest.newBuilder(URI.create(url + "/readyz"))
                                        .header("Authorization", "Bearer admin")
                                        .build(),
                                java.net.http.HttpResponse.BodyHandlers.ofString());
                if (r.statusCode() == 200) {
                    return;
                }
            } catch (IOException e) {
                if (System.nanoTime() > end) {
                    throw e;
                }
            }
            if (System.nanoTime() > end) {
                throw new IOException("not ready");
            }
            Thread.sleep(100);
        }
    }

    private static int port() throws IOException {
        try (var s = new ServerSocket(0)) {
            return s.getLocalPort();
        }
    }

    private void start(String name, String... command) throws IOException {
        var builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.redirectOutput(folder.resolve(name + ".log").toFile());
        processes.add(builder.start());
    }

    static synchronized RealServer shared(String version) {
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        if (shared == null) {
            try {
                shared = new RealServer(version);
            } catch (Exception e) {
                failure = e;
                throw new IllegalStateException(e);
            }
        }
        return shared;
    }

    @Override
    public URI url() {
        return url;
    }

    @Override
    public String caPem() {
        return certificates.caPem();
    }

    @Override
    public String token() {
        return "admin";
    }

    @Override
    public void empty() {
        etcd.delete(etcd.keys().stream().filter(this::came).toList());
    }

    private boolean came(String key) {
        return !born.contains(key)
                && !key.startsWith("/registry/apiregistration.k8s.io/")
                && !key.startsWith("/registry/masterleases/");
    }

    @Override
    public long compact() {
        return etcd.compact();
    }
}
