package lvms.tests.lab.kubelet;

import io.grpc.StatusRuntimeException;

import lvms.k8s.client.ApiException;
import lvms.proto.csi.v1.NodeGetInfoRequest;
import lvms.proto.csi.v1.NodeGetInfoResponse;
import lvms.proto.csi.v1.NodeGrpc;
import lvms.proto.registration.v1.InfoRequest;
import lvms.proto.registration.v1.PluginInfo;
import lvms.proto.registration.v1.RegistrationGrpc;
import lvms.proto.registration.v1.RegistrationStatus;
import lvms.tests.lab.machine.Node;
import lvms.tests.lab.standin.Violations;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Registers the plugins whose sockets appear in the registration folder, as plugin_watcher does.
 */
final class PluginWatcher {
    static final String FOLDER = "/var/lib/kubelet/plugins_registry";
    private static final System.Logger LOG = System.getLogger(PluginWatcher.class.getName());
    private static final Duration WATCH = Duration.ofMinutes(10);
    private static final int MAX_VERSION = 2;

    /**
     * Prints the sockets below a folder with their inodes once they are others than those given, or
     * after some seconds. It stands for inotify, which a shell cannot read.
     */
    private static final String CHANGES =
            """
            my ($folder, $known, $rounds) = @ARGV;
            for (1 .. $rounds) {
                my @sockets = map { (stat $_)[1] . ' ' . $_ }
                    grep { -S $_ } glob("$folder/* $folder/*/*");
                my $now = join("\\n", sort @sockets);
                if ($now ne $known or $_ == $rounds) { print $now; exit }
                select(undef, undef, undef, 0.1);
            }
            """;

    private final Node node;
    private final NodeObject object;
    private final Drivers drivers;
    private final Violations violations;
    private final Map<String, String> registered = new HashMap<>(); // inode and path -> driver

    PluginWatcher(Node node, NodeObject object, Drivers drivers, Violations violations) {
        this.node = node;
        this.object = object;
        this.drivers = drivers;
        this.violations = violations;
    }

    /** Watches until the thread is interrupted. */
    void run() throws InterruptedException {
        var known = "";
        while (!Thread.currentThread().isInterrupted()) {
            try {
                // A plugin that could not be registered is tried again in a second.
                int rounds = registered.size() == sockets(known).size() ? 3000 : 10;
                var command = List.of("perl", "-e", CHANGES, FOLDER, known, "" + rounds);
                known = node.run(command, WATCH).require("watch of " + FOLDER);
                update(sockets(known));
            } catch (IOException e) {
                LOG.log(System.Logger.Level.WARNING, () -> "plugin watch failed: " + e);
                TimeUnit.MILLISECONDS.sleep(200);
            }
        }
    }

    private static Set<String> sockets(String listing) {
        return listing.isEmpty() ? Set.of() : Set.of(listing.split("\n"));
    }

    private void update(Set<String> present) throws InterruptedException {
        var gone = new HashSet<String>();
        registered.entrySet().stream()
                .filter(entry -> !present.contains(entry.getKey()))
                .forEach(entry -> gone.add(entry.getValue()));
        registered.keySet().retainAll(present);
        for (var entry : present) {
            if (!registered.containsKey(entry)) {
                register(entry);
            }
        }
        // A socket that was replaced under its name is registered again by now.
        gone.removeAll(registered.values());
        for (var driver : gone) {
            deregister(driver);
        }
    }

    private void deregister(String driver) throws InterruptedException {
        drivers.remove(driver);
        try {
            object.deregister(driver);
        } catch (ApiException e) {
            LOG.log(System.Logger.Level.WARNING, () -> "CSINode not updated: " + e.getMessage());
        }
    }

    private void register(String entry) throws InterruptedException {
        var socket = entry.substring(entry.indexOf(' ') + 1);
        try (var channel = new PluginChannel(node, socket)) {
            var plugin = RegistrationGrpc.newBlockingStub(channel.grpc());
            var info =
                    plugin.withDeadlineAfter(5, TimeUnit.SECONDS)
                            .getInfo(InfoRequest.getDefaultInstance());
            var failure = failure(info, socket);
            plugin.withDeadlineAfter(5, TimeUnit.SECONDS)
                    .notifyRegistrationStatus(
                            RegistrationStatus.newBuilder()
                                    .setPluginRegistered(failure.isEmpty())
                                    .setError(failure)
                                    .build());
            if (failure.isEmpty()) {
                registered.put(entry, info.getName());
            }
        } catch (IOException | StatusRuntimeException e) {
            LOG.log(
                    System.Logger.Level.INFO,
                    () -> "plugin not registered yet socket=" + socket + " reason=" + e);
        }
    }

    /** Registers the plugin; returns the text that it is refused with, or none. */
    private String failure(PluginInfo info, String socket) throws InterruptedException {
        var wrong = refusal(info);
        if (!wrong.isEmpty()) {
            violations.add("plugin " + socket + ": " + wrong);
            return wrong;
        }
        var endpoint = info.getEndpoint().isEmpty() ? socket : info.getEndpoint();
        try (var channel = new PluginChannel(node, endpoint)) {
            var answer =
                    NodeGrpc.newBlockingStub(channel.grpc())
                            .withDeadlineAfter(2, TimeUnit.MINUTES)
                            .nodeGetInfo(NodeGetInfoRequest.getDefaultInstance());
            enter(info.getName(), answer);
            drivers.put(info.getName(), endpoint);
            return "";
        } catch (IOException | StatusRuntimeException | ApiException e) {
            return e.toString();
        }
    }

    private String refusal(PluginInfo info) {
        if (!info.getType().equals("CSIPlugin")) {
            return "type " + info.getType() + " is not CSIPlugin";
        }
        if (info.getName().isEmpty() || info.getName().length() > 63) {
            return "name '" + info.getName() + "'";
        }
        if (info.getSupportedVersionsList().isEmpty()
                || info.getSupportedVersionsList().stream()
                        .anyMatch(v -> Integer.parseInt(v.split("\\.")[0]) >= MAX_VERSION)) {
            return "supported versions " + info.getSupportedVersionsList();
        }
        return "";
    }

    private void enter(String driver, NodeGetInfoResponse answer)
            throws ApiException, InterruptedException {
        violations.demand(!answer.getNodeId().isEmpty(), driver + ": NodeGetInfo without node id");
        var topology = answer.getAccessibleTopology().getSegmentsMap();
        object.register(driver, answer.getNodeId(), topology, answer.getMaxVolumesPerNode());
    }
}
