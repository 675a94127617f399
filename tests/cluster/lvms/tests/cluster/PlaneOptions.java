package lvms.tests.cluster;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a control plane consists of and where it runs. Made by {@link ControlPlane#options}.
 *
 * @param programs where its programs are
 * @param kubernetes the version
 * @param folder for its data, certificates, kubeconfigs and logs
 * @param place where it listens
 * @param parts what runs beside etcd and the API server
 * @param flags further flags of each program, by its name
 * @param audited whether each request is written to a log
 * @param objects the etcd that has the objects; empty for its own
 */
public record PlaneOptions(
        Programs programs,
        String kubernetes,
        Path folder,
        Place place,
        Set<Part> parts,
        Map<String, List<String>> flags,
        boolean audited,
        Optional<URI> objects) {
    /** What can run beside etcd and the API server. */
    public enum Part {
        CONTROLLER_MANAGER,
        SCHEDULER,
        SNAPSHOT_CONTROLLER
    }

    /**
     * Where the programs listen.
     *
     * @param address that clients use
     * @param namespace the file of a network namespace; empty for the machine's own
     */
    public record Place(InetAddress address, Optional<Path> namespace) {
        boolean isIpv6() {
            return address instanceof Inet6Address;
        }

        /** Returns the address as URLs have it. */
        String host() {
            return isIpv6() ? "[" + address.getHostAddress() + "]" : address.getHostAddress();
        }
    }

    /** Copies the collections and makes the folder absolute. */
    public PlaneOptions {
        folder = folder.toAbsolutePath();
        parts = Set.copyOf(parts);
        flags = Map.copyOf(flags);
    }

    static PlaneOptions loopback(Programs programs, Path folder) {
        var place = new Place(InetAddress.getLoopbackAddress(), Optional.empty());
        return new PlaneOptions(
                programs,
                Programs.NEWEST,
                folder,
                place,
                Set.of(),
                Map.of(),
                false,
                Optional.empty());
    }

    /** The same with another version of Kubernetes. */
    public PlaneOptions kubernetes(String version) {
        return new PlaneOptions(programs, version, folder, place, parts, flags, audited, objects);
    }

    /** The same at the loopback address of IPv6, and services have addresses of IPv6 alone. */
    public PlaneOptions ofIpv6() {
        var there = new Place(InetAddress.ofLiteral("::1"), Optional.empty());
        return new PlaneOptions(
                programs, kubernetes, folder, there, parts, flags, audited, objects);
    }

    /** The same on port 443 of an address in a network namespace that clients reach. */
    public PlaneOptions inNamespace(Path file, InetAddress address) {
        var there = new Place(address, Optional.of(file));
        return new PlaneOptions(
                programs, kubernetes, folder, there, parts, flags, audited, objects);
    }

    /** The same with further parts. */
    public PlaneOptions with(Part... more) {
        var all = EnumSet.noneOf(Part.class);
        all.addAll(parts);
        all.addAll(List.of(more));
        return new PlaneOptions(programs, kubernetes, folder, place, all, flags, audited, objects);
    }

    /** The same with further flags of a program, such as {@code kube-controller-manager}. */
    public PlaneOptions flags(String program, String... more) {
        var all = new HashMap<>(flags);
        var joined = new ArrayList<>(all.getOrDefault(program, List.of()));
        joined.addAll(List.of(more));
        all.put(program, List.copyOf(joined));
        return new PlaneOptions(programs, kubernetes, folder, place, parts, all, audited, objects);
    }

    /** The same with a line in a log for each request: who, what, which answer. */
    public PlaneOptions withAudit() {
        return new PlaneOptions(programs, kubernetes, folder, place, parts, flags, true, objects);
    }

    /** The same over the objects of another control plane, as a further API server of it. */
    public PlaneOptions besides(ControlPlane other) {
        var there = Optional.of(other.etcd());
        return new PlaneOptions(programs, kubernetes, folder, place, parts, flags, audited, there);
    }

    List<String> flagsOf(String program) {
        return flags.getOrDefault(program, List.of());
    }

    /** Starts it and waits until the API server is ready. */
    public ControlPlane start() throws IOException {
        return ControlPlane.start(this);
    }
}
