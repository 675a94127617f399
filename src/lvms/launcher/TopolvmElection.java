package lvms.launcher;

import lvms.api.Driver;
import lvms.k8s.client.KubeClient;
import lvms.k8s.election.LeaderElector;
import lvms.k8s.election.LeaseTiming;
import lvms.k8s.object.ObjectKey;
import lvms.launcher.flag.Flag;
import lvms.launcher.flag.Flags;
import lvms.launcher.flag.GoDuration;
import lvms.launcher.flag.UsageException;

import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * How TopoLVM's controller stands for election, by TopoLVM's flags.
 *
 * @param wanted whether it does at all
 * @param namespace of the Lease; empty for that of the pod
 * @param lease name of the Lease
 */
record TopolvmElection(boolean wanted, String namespace, String lease, LeaseTiming timing) {
    private static final String WANTED = "leader-election";
    private static final String ID = "leader-election-id";
    private static final String NAMESPACE = "leader-election-namespace";
    private static final String LEASE = "leader-election-lease-duration";
    private static final String RENEW = "leader-election-renew-deadline";
    private static final String RETRY = "leader-election-retry-period";

    static final List<Flag> FLAGS =
            List.of(
                    new Flag(
                            WANTED,
                            Flag.Kind.SWITCH,
                            "true",
                            "clean up and wake kubelet only while this process holds the lease"),
                    Flag.ofText(ID, "topolvm", "name of the Lease"),
                    Flag.ofText(
                            NAMESPACE, "", "namespace of the Lease; empty takes that of the pod"),
                    Flag.ofText(LEASE, "15s", "how long others wait after the last renewal"),
                    Flag.ofText(
                            RENEW, "10s", "how long a leader tries to renew before it gives up"),
                    Flag.ofText(RETRY, "2s", "time between tries"));

    static TopolvmElection of(Flags flags) throws UsageException {
        var lease = GoDuration.of(flags, LEASE);
        var renew = GoDuration.of(flags, RENEW);
        var retry = GoDuration.of(flags, RETRY);
        try {
            return new TopolvmElection(
                    flags.on(WANTED),
                    flags.text(NAMESPACE),
                    flags.text(ID),
                    new LeaseTiming(lease, renew, retry));
        } catch (IllegalArgumentException e) {
            throw new UsageException("flags of the leader election: " + e.getMessage());
        }
    }

    /**
     * Returns what stands for election.
     *
     * @param more names of further Leases that the leader needs
     */
    Leases leases(KubeClient kube, List<String> more) {
        var within = namespace.isEmpty() ? kube.namespace() : namespace;
        var identity = hostName() + "_" + UUID.randomUUID();
        return new Leases(
                Stream.concat(Stream.of(lease), more.stream())
                        .filter(_ -> wanted)
                        .map(name -> ObjectKey.of(within, name))
                        .map(key -> LeaderElector.of(kube, key, identity, timing))
                        .toList());
    }

    /**
     * Returns the Leases by which the standard sidecars of a driver are elected. Who does their
     * work holds them, so that they and we never do it at once, neither while a Deployment is
     * changed nor when it is changed back.
     */
    static List<String> ofSidecars(Driver driver) {
        var name = driver.name().replace('.', '-');
        return List.of(name, "external-resizer-" + name, "external-snapshotter-leader-" + name);
    }

    /** In a pod, its name. */
    static String hostName() {
        return System.getenv().getOrDefault("HOSTNAME", "topolvm-controller");
    }
}
