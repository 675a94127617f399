package lvms.tests.cluster;

import lvms.tests.cluster.PlaneOptions.Part;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The command lines of a control plane's programs.
 *
 * @param options what was asked for
 * @param credentials its files
 * @param server where clients find the API server
 * @param etcd where the API server finds etcd
 * @param etcdPeer an address of etcd that nobody uses, but etcd insists on
 */
record PlaneCommands(
        PlaneOptions options, PlaneCredentials credentials, URI server, URI etcd, URI etcdPeer) {
    private static final String SERVICES = "10.96.0.0/16";
    private static final String SERVICES_OF_IPV6 = "fd00:10:96::/112";
    private static final List<Integer> WELL_KNOWN = List.of(443, 2379, 2380);

    static PlaneCommands of(PlaneOptions options, PlaneCredentials credentials) throws IOException {
        var place = options.place();
        // In a namespace of one's own all ports are free.
        var ports = place.namespace().isPresent() ? WELL_KNOWN : FreePorts.of(WELL_KNOWN.size());
        var host = place.host() + ":";
        return new PlaneCommands(
                options,
                credentials,
                URI.create("https://" + host + ports.get(0)),
                URI.create("http://" + host + ports.get(1)),
                URI.create("http://" + host + ports.get(2)));
    }

    List<String> etcdCommand() {
        return command(
                options.programs().etcd(),
                "etcd",
                "--name=etcd",
                "--data-dir=" + options.folder().resolve("etcd"),
                "--listen-client-urls=" + etcd,
                "--advertise-client-urls=" + etcd,
                "--listen-peer-urls=" + etcdPeer,
                "--initial-advertise-peer-urls=" + etcdPeer,
                "--initial-cluster=etcd=" + etcdPeer,
                "--unsafe-no-fsync",
                "--log-level=warn");
    }

    List<String> apiServer() {
        var flags =
                new ArrayList<>(
                        List.of(
                                "--etcd-servers=" + options.objects().orElse(etcd),
                                "--bind-address=" + bindAddress(),
                                "--secure-port=" + server.getPort(),
                                "--tls-cert-file=" + file("apiserver.crt"),
                                "--tls-private-key-file=" + file("apiserver.key"),
                                "--client-ca-file=" + file("ca.crt"),
                                "--token-auth-file=" + credentials.tokens(),
                                "--authorization-mode=Node,RBAC",
                                "--enable-admission-plugins=NodeRestriction",
                                "--service-account-issuer=https://kubernetes.default.svc",
                                "--service-account-key-file=" + file("service-account.crt"),
                                "--service-account-signing-key-file=" + file("service-account.key"),
                                "--service-cluster-ip-range=" + services(),
                                "--enable-aggregator-routing=true",
                                "--allow-privileged=true",
                                "--kubelet-preferred-address-types=InternalIP",
                                "--kubelet-certificate-authority=" + file("ca.crt"),
                                "--kubelet-client-certificate="
                                        + file("kube-apiserver-kubelet-client.crt"),
                                "--kubelet-client-key=" + file("kube-apiserver-kubelet-client.key"),
                                "--profiling=false",
                                "--v=1"));
        if (options.place().namespace().isPresent()) {
            flags.add("--advertise-address=" + address());
        } else {
            flags.add("--endpoint-reconciler-type=none"); // a loopback address is no endpoint
            if (options.place().isIpv6()) {
                flags.add("--advertise-address=" + address()); // says the family of services
            }
        }
        if (options.audited()) {
            flags.add("--audit-policy-file=" + credentials.auditPolicy());
            flags.add("--audit-log-path=" + auditLog());
        }
        return kubernetes("kube-apiserver", flags);
    }

    Path auditLog() {
        return options.folder().resolve("audit.log");
    }

    private String bindAddress() {
        // In a namespace of its own it also answers at the service address.
        if (options.place().namespace().isEmpty()) {
            return address();
        }
        return options.place().isIpv6() ? "::" : "0.0.0.0";
    }

    private String address() {
        return options.place().address().getHostAddress();
    }

    private String services() {
        return options.place().isIpv6() ? SERVICES_OF_IPV6 : SERVICES;
    }

    static String programOf(Part part) {
        return switch (part) {
            case CONTROLLER_MANAGER -> "kube-controller-manager";
            case SCHEDULER -> "kube-scheduler";
            case SNAPSHOT_CONTROLLER -> "snapshot-controller";
        };
    }

    List<String> part(Part part, Path kubeconfig) {
        var config = "--kubeconfig=" + kubeconfig;
        return switch (part) {
            case CONTROLLER_MANAGER ->
                    kubernetes(
                            programOf(part),
                            List.of(
                                    config,
                                    "--leader-elect=false",
                                    "--secure-port=0",
                                    "--use-service-account-credentials=true",
                                    "--service-account-private-key-file="
                                            + file("service-account.key"),
                                    "--root-ca-file=" + file("ca.crt")));
            case SCHEDULER ->
                    kubernetes(
                            programOf(part),
                            List.of(config, "--leader-elect=false", "--secure-port=0"));
            case SNAPSHOT_CONTROLLER ->
                    command(
                            options.programs().snapshotController(),
                            programOf(part),
                            config,
                            "--feature-gates=CSIVolumeGroupSnapshot=true");
        };
    }

    private List<String> kubernetes(String program, List<String> flags) {
        var file = options.programs().nearest(options.kubernetes(), program);
        return command(file, program, flags.toArray(String[]::new));
    }

    private List<String> command(Path program, String name, String... flags) {
        var words = new ArrayList<String>();
        options.place()
                .namespace()
                .ifPresent(namespace -> words.addAll(List.of("nsenter", "--net=" + namespace)));
        words.add(program.toString());
        words.addAll(List.of(flags));
        words.addAll(options.flagsOf(name)); // the last of two wins
        return words;
    }

    private Path file(String name) {
        return credentials.file(name);
    }
}
