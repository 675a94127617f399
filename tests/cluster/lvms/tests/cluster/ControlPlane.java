package lvms.tests.cluster;

import lvms.tests.cluster.PlaneOptions.Part;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A real control plane: etcd and kube-apiserver, and the controllers that were asked for, as
 * processes that end with this JVM. One thread at a time may change it.
 *
 * <p>On loopback it takes free ports, so that many stand side by side. In a network namespace the
 * API server listens on port 443 of all addresses: a second address 10.96.0.1 there makes it what
 * pods know as {@code kubernetes.default}.
 */
public final class ControlPlane implements AutoCloseable {
    private final PlaneOptions options;
    private final PlaneCredentials credentials;
    private final PlaneCommands commands;
    private final Kubeconfig kubeconfigs;
    private final Path kubeconfig;
    private final Etcd etcd;
    private final ApiServerProcess apiServer;
    private final Map<Part, Daemon> parts = new EnumMap<>(Part.class);

    private ControlPlane(PlaneOptions options) throws IOException {
        this.options = options;
        var folder = Files.createDirectories(options.folder());
        credentials = PlaneCredentials.make(folder.resolve("pki"), options.place().address());
        commands = PlaneCommands.of(options, credentials);
        kubeconfigs = new Kubeconfig(commands.server(), credentials.authorityPem());
        kubeconfig = kubeconfigs.withToken(folder.resolve("kubeconfig"), credentials.adminToken());
        etcd = Etcd.start(commands, log("etcd"));
        apiServer = ApiServerProcess.of(commands, log("kube-apiserver"));
    }

    /** Describes the newest API server on loopback, without the rest of a cluster. */
    public static PlaneOptions options(Programs programs, Path folder) {
        return PlaneOptions.loopback(programs, folder);
    }

    static ControlPlane start(PlaneOptions options) throws IOException {
        var plane = new ControlPlane(options);
        try {
            plane.apiServer.start();
            plane.startParts();
            return plane;
        } catch (IOException | RuntimeException e) {
            plane.close();
            throw e;
        }
    }

    private void startParts() throws IOException {
        for (var part : options.parts()) {
            if (part == Part.SNAPSHOT_CONTROLLER) {
                applySnapshotDefinitions();
            }
            var name = PlaneCommands.programOf(part);
            // The snapshot controller's own RBAC is its distributor's affair.
            var config =
                    part == Part.SNAPSHOT_CONTROLLER ? kubeconfig : kubeconfig("system:" + name);
            parts.put(part, Daemon.start(commands.part(part, config), log(name)));
        }
    }

    /**
     * Makes the API server know snapshots and their groups; a part that needs it does so itself.
     */
    public void applySnapshotDefinitions() throws IOException {
        var definitions = options.programs().snapshotDefinitions();
        try (var files = Files.newDirectoryStream(definitions, "*snapshot.storage.k8s.io_*.yaml")) {
            for (var file : files) {
                apiServer.define(Files.readString(file));
            }
        }
    }

    /** Returns the kubeconfig of the cluster's administrator. */
    public Path kubeconfig() {
        return kubeconfig;
    }

    /** Makes a kubeconfig of another user, with a client certificate that names the groups. */
    public Path kubeconfig(String user, String... groups) throws IOException {
        var file = options.folder().resolve(PlaneCredentials.fileName(user) + ".kubeconfig");
        return kubeconfigs.withCertificate(file, credentials.client(user, List.of(groups)));
    }

    /**
     * Writes what a kubelet needs into a folder: {@code kubeconfig}, {@code kubelet.crt}, {@code
     * kubelet.key} and {@code ca.crt}, which signed both sides' certificates.
     */
    public void saveKubelet(Path folder, String node, InetAddress address) throws IOException {
        credentials.saveKubelet(Files.createDirectories(folder), node, address);
        var user = credentials.client("system:node:" + node, List.of("system:nodes"));
        kubeconfigs.withCertificate(folder.resolve("kubeconfig"), user);
    }

    /** Returns where clients find the API server. */
    public URI server() {
        return commands.server();
    }

    /** Returns where API servers find etcd. */
    URI etcd() {
        return commands.etcd();
    }

    /** Returns the certificate that signed the API server's. */
    public String authorityPem() throws IOException {
        return credentials.authorityPem();
    }

    /** Returns the administrator's bearer token. */
    public String adminToken() {
        return credentials.adminToken();
    }

    /** Returns the version of Kubernetes, such as {@code 1.36.3}. */
    public String version() {
        return options.kubernetes();
    }

    /** Stops the API server in the middle of what it does: connections stay, nobody answers. */
    public void freeze() throws IOException {
        apiServer.freeze();
    }

    /** Lets a frozen API server go on. */
    public void thaw() throws IOException {
        apiServer.thaw();
    }

    /** Kills the API server; etcd stays, and with it the data. */
    public void kill() throws IOException {
        apiServer.kill();
    }

    /** Starts a killed API server at the same address and waits until it is ready. */
    public void restart() throws IOException {
        apiServer.start();
    }

    /**
     * Starts the API server again with a certificate that expired an hour ago, or with a good one.
     */
    public void restartWithCertificate(boolean expired) throws IOException {
        apiServer.kill();
        credentials.saveServer(expired);
        apiServer.start();
    }

    /** Stops a part until {@link #startPart}. */
    public void killPart(Part part) throws IOException {
        parts.get(part).kill();
    }

    /** Starts a killed part again. */
    public void startPart(Part part) throws IOException {
        parts.get(part).start();
    }

    /**
     * Drops all history up to now, so that a watch of an older revision ends with 410; returns the
     * revision of now.
     */
    public long compact() throws IOException {
        return etcd.compact();
    }

    /** Returns the keys of all objects in etcd, such as {@code /registry/namespaces/default}. */
    public Set<String> keys() throws IOException {
        return etcd.keys();
    }

    /** Deletes objects in etcd itself: no finalizer holds them, and watches see it. */
    public void delete(List<String> keys) throws IOException {
        etcd.delete(keys);
    }

    /** Returns the API server's own metrics in Prometheus' text format. */
    public String metrics() throws IOException {
        return apiServer.metrics();
    }

    /** Returns all requests that were answered, oldest first, if the options ask for the log. */
    public List<AuditedRequest> requests() throws IOException {
        return AuditedRequest.read(commands.auditLog());
    }

    /** Returns the names of the programs that should run and do not, with their logs. */
    public List<String> dead() {
        var dead = new ArrayList<String>();
        for (var daemon : daemons()) {
            if (!daemon.runs()) {
                dead.add(daemon.toString());
            }
        }
        return dead;
    }

    private List<Daemon> daemons() {
        var all = new ArrayList<>(parts.values());
        all.add(apiServer.daemon());
        all.add(etcd.daemon());
        return all;
    }

    /** Returns the folder with the programs' logs, {@code NAME.log} each. */
    public Path logs() {
        return options.folder();
    }

    private Path log(String program) {
        return options.folder().resolve(program + ".log");
    }

    /** Ends all programs at once; the folder stays. */
    @Override
    public void close() throws IOException {
        for (var part : parts.values()) {
            part.close();
        }
        apiServer.close();
        etcd.close();
    }
}
