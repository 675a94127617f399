package lvms.operator;

import io.grpc.BindableService;

import lvms.api.Driver;
import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.csi.CallMetrics;
import lvms.csi.Calls;
import lvms.csi.IdentityService;
import lvms.csi.UnixSocketServer;
import lvms.k8s.controller.SideBySide;
import lvms.k8s.informer.Informer;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.operator.csi.ControllerService;
import lvms.operator.csi.GroupControllerService;
import lvms.operator.informer.OperatorInformers;
import lvms.operator.volume.ApiFailure;
import lvms.operator.volume.VolumeService;
import lvms.operator.volume.VolumeServices;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * The CSI controller service on a socket for each driver, with what its calls are answered from.
 */
final class ControllerSockets implements AutoCloseable {
    private final OperatorInformers informers;
    private final VolumeServices volumes;
    private final String version;
    private final MetricsRegistry metrics;
    private final List<UnixSocketServer> sockets = new ArrayList<>();

    ControllerSockets(
            OperatorInformers informers,
            VolumeServices volumes,
            String version,
            MetricsRegistry metrics) {
        this.informers = informers;
        this.volumes = volumes;
        this.version = version;
        this.metrics = metrics;
    }

    /**
     * Serves in folders that belong to the sockets alone.
     *
     * @throws IOException if a socket cannot be served
     */
    void startInOwnFolders(Map<Driver, Path> paths) throws IOException {
        informers.ofCalls().forEach(Informer::start);
        for (var path : paths.entrySet()) {
            var service = volumes.of(path.getKey());
            start(path.getValue(), service, this::probe, UnixSocketServer::inOwnFolder);
        }
    }

    /**
     * Serves one driver in a folder that somebody else made, such as a volume that the sidecars
     * share.
     *
     * @param probe what the call Probe says
     * @throws IOException if the socket cannot be served
     */
    void startInSharedFolder(Driver driver, Path path, IdentityService.Readiness probe)
            throws IOException {
        informers.ofCalls().forEach(Informer::start);
        start(path, volumes.of(driver), probe, UnixSocketServer::inSharedFolder);
    }

    private void start(
            Path path,
            VolumeService service,
            IdentityService.Readiness probe,
            BiFunction<Path, List<BindableService>, UnixSocketServer> server)
            throws IOException {
        var name = service.driver().name();
        var calls =
                Calls.of("the operator")
                        .withFailures(ApiFailure::codeOf)
                        .withObstacle(this::obstacle);
        var services =
                CallMetrics.ofDriver(name, metrics)
                        .over(
                                List.of(
                                        new IdentityService(name, version, probe),
                                        new ControllerService(service, calls),
                                        new GroupControllerService(service, calls)));
        var socket = server.apply(path, services);
        sockets.add(socket);
        socket.start();
    }

    private Optional<String> obstacle() {
        return ready() ? Optional.empty() : Optional.of("the informers are not filled yet");
    }

    /** What is read from a cache stays readable while the API server is away, but grows old. */
    private boolean probe() throws VolumeException {
        var away = informers.ofCalls().stream().flatMap(i -> i.problem().stream()).findFirst();
        if (ready() && away.isPresent()) {
            throw new VolumeException(
                    StatusCode.FAILED_PRECONDITION,
                    "the API server cannot be followed: " + away.get());
        }
        return ready();
    }

    /** Returns whether calls can be answered. Never blocks. */
    boolean ready() {
        return informers.ofCalls().stream().allMatch(Informer::following);
    }

    /** Ends the sockets; the informers may have other readers, and are closed by their owner. */
    @Override
    public void close() {
        SideBySide.close(sockets);
    }
}
