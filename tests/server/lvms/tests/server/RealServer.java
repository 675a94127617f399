package lvms.tests.server;

import lvms.k8s.testkit.Upstream;
import lvms.tests.cluster.ControlPlane;
import lvms.tests.cluster.PlaneOptions.Part;
import lvms.tests.cluster.Programs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * etcd, kube-apiserver, and the controllers that do what ours does itself: those that collect
 * garbage, empty namespaces, and let go of claims and volumes that nobody uses. One for each JVM.
 */
final class RealServer implements Upstream {
    /** What the API server itself writes whenever it likes; definitions stay, for speed. */
    private static final List<String> KEPT =
            List.of(
                    "/registry/apiextensions.k8s.io/",
                    "/registry/apiregistration.k8s.io/",
                    "/registry/configmaps/kube-system/",
                    "/registry/ipaddresses/",
                    "/registry/leases/kube-system/apiserver-",
                    "/registry/masterleases/",
                    "/registry/peerserverleases/",
                    "/registry/ranges/",
                    "/registry/servicecidrs/",
                    "/registry/services/specs/default/kubernetes");

    private static final List<String> CONTROLLERS =
            List.of(
                    "garbage-collector-controller",
                    "namespace-controller",
                    "persistentvolume-protection-controller",
                    "persistentvolumeclaim-protection-controller");

    private static final Set<String> NAMESPACES =
            Set.of(
                    "/registry/namespaces/default",
                    "/registry/namespaces/kube-node-lease",
                    "/registry/namespaces/kube-public",
                    "/registry/namespaces/kube-system");

    private static final Path SERVERS = Path.of("out/test-servers");
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(50);

    private static Optional<RealServer> shared = Optional.empty();
    private static Optional<IOException> failure = Optional.empty();

    private final ControlPlane plane;
    private final String caPem;
    private final Set<String> atFirst;

    private RealServer(ControlPlane plane) throws IOException {
        this.plane = plane;
        caPem = plane.authorityPem();
        atFirst = plane.keys();
    }

    /** The server of this JVM; one that could not be started is not tried again. */
    static synchronized RealServer shared(String version) throws IOException {
        if (failure.isPresent()) {
            throw new IOException("there is no API server: " + failure.get().getMessage());
        }
        if (shared.isEmpty()) {
            try {
                shared = Optional.of(start(version));
            } catch (IOException e) {
                failure = Optional.of(e);
                throw e;
            }
        }
        return shared.get();
    }

    private static Path folder(String name) throws IOException {
        Leftovers.remove(SERVERS);
        return SERVERS.resolve(name + "-" + ProcessHandle.current().pid()).toAbsolutePath();
    }

    /** An API server and its etcd for one test alone, without controllers. */
    static ControlPlane own(String version, String purpose) throws IOException {
        var plane =
                ControlPlane.options(Programs.find(), folder(version + "-" + purpose))
                        .kubernetes(version)
                        .flags("kube-apiserver", "--disable-admission-plugins=ServiceAccount")
                        .start();
        awaitNamespaces(plane);
        return plane;
    }

    private static RealServer start(String version) throws IOException {
        var folder = folder(version);
        var plane =
                ControlPlane.options(Programs.find(), folder)
                        .kubernetes(version)
                        .with(Part.CONTROLLER_MANAGER)
                        .flags(
                                "kube-apiserver",
                                "--disable-admission-plugins=ServiceAccount",
                                "--feature-gates=CrossNamespaceVolumeDataSource=true")
                        .flags(
                                "kube-controller-manager",
                                "--controllers=" + String.join(",", CONTROLLERS),
                                "--use-service-account-credentials=false",
                                "--kubeconfig=" + folder.resolve("kubeconfig"))
                        .start();
        awaitNamespaces(plane);
        return new RealServer(plane);
    }

    private static void awaitNamespaces(ControlPlane plane) throws IOException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!plane.keys().containsAll(NAMESPACES)) {
            if (System.nanoTime() > end) {
                throw new IOException("the API server makes no namespaces, see " + plane.logs());
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
    }

    @Override
    public URI url() {
        return plane.server();
    }

    @Override
    public String caPem() {
        return caPem;
    }

    @Override
    public String token() {
        return plane.adminToken();
    }

    @Override
    public void empty() {
        try {
            plane.delete(plane.keys().stream().filter(this::came).toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean came(String key) {
        return !atFirst.contains(key) && KEPT.stream().noneMatch(key::startsWith);
    }

    @Override
    public long compact() {
        try {
            return plane.compact();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
