package lvms.tests.lab.machine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/**
 * A bridge in a network namespace of its own, joined to the machine by one veth pair. Its name
 * holds the process id of its owner, so that labs can stand side by side and a later one finds what
 * a dead one left.
 */
public final class LabNetwork implements AutoCloseable {
    private static final String PREFIX = "lvmslab-";
    private static final Path NAMESPACES = Path.of("/run/netns");
    private static final Path LOCK = Path.of("/run/lvmslab.lock");
    private static final int FIRST_NODE = 10;
    private static final AtomicInteger OPENED = new AtomicInteger();

    private final String namespace;
    private final String link;
    private final int number;
    private final String subnet;

    private LabNetwork(String namespace, String link, int number) {
        this.namespace = namespace;
        this.link = link;
        this.number = number;
        this.subnet = subnet(number);
    }

    private static String subnet(int number) {
        return "10.213." + number + ".";
    }

    /** Makes the network of this process; what dead owners left is removed first. */
    public static LabNetwork open() throws IOException, InterruptedException {
        try (var file =
                        FileChannel.open(
                                LOCK, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                var lock = file.lock()) {
            assert lock.isValid();
            sweep();
            // The kernel takes a network apart after the command that removes it has returned, so a
            // process that opens one lab after the other needs a new name for each.
            var owner = ProcessHandle.current().pid() + "-" + OPENED.incrementAndGet();
            var network = new LabNetwork(PREFIX + owner, "lab" + owner, freeNumber());
            try {
                network.create();
            } catch (IOException e) {
                network.close();
                throw e;
            }
            return network;
        }
    }

    /** Removes the networks, and with them the nodes, of owners that no longer run. */
    static void sweep() throws IOException, InterruptedException {
        if (!Files.isDirectory(NAMESPACES)) {
            return;
        }
        try (var names = Files.list(NAMESPACES)) {
            for (var path : names.toList()) {
                var name = path.getFileName().toString();
                if (name.startsWith(PREFIX)
                        && !alive(name.substring(PREFIX.length()).replaceFirst("-.*", ""))) {
                    remove(name);
                }
            }
        }
    }

    private static boolean alive(String pid) {
        return ProcessHandle.of(Long.parseLong(pid)).isPresent();
    }

    private static void remove(String namespace) throws IOException, InterruptedException {
        for (var pid : HostProgram.run("ip netns pids " + namespace).split("\\s+")) {
            if (!pid.isEmpty()) {
                ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly);
            }
        }
        HostProgram.run("ip netns delete " + namespace);
    }

    private static int freeNumber() throws IOException, InterruptedException {
        var used = HostProgram.run("ip -4 -oneline address show");
        for (int i = 1; i < 255; i++) {
            if (!Pattern.compile(Pattern.quote(" " + subnet(i))).matcher(used).find()) {
                return i;
            }
        }
        throw new IOException("no free subnet in 10.213.0.0/16");
    }

    private void create() throws IOException, InterruptedException {
        HostProgram.run("ip netns add " + namespace);
        var inside = "ip -netns " + namespace + " ";
        HostProgram.run(inside + "link set lo up");
        HostProgram.run(inside + "link add bridge type bridge");
        HostProgram.run(inside + "link set bridge up");
        HostProgram.run(inside + "address add " + controlAddress() + "/24 dev bridge");
        HostProgram.run("ip link add " + link + " type veth peer name uplink netns " + namespace);
        HostProgram.run(inside + "link set uplink master bridge up");
        HostProgram.run("ip address add " + subnet + "1/24 dev " + link);
        HostProgram.run("ip link set " + link + " up");
    }

    /** Gives this machine and the lab's namespace addresses of IPv6 beside the others. */
    public void addIpv6() throws IOException, InterruptedException {
        HostProgram.run("ip address add " + ipv6Address(1) + "/64 dev " + link + " nodad");
        HostProgram.run(
                "ip -netns "
                        + namespace
                        + " address add "
                        + ipv6Address(2)
                        + "/64 dev bridge nodad");
    }

    /** Returns an address of IPv6 in the lab's subnet; 1 and 2 are those of {@link #addIpv6}. */
    public String ipv6Address(int host) {
        return "fd00:213:%x::%x".formatted(number, host);
    }

    /** Adds the tap device of a node and returns its name. */
    String addTap(int index) throws IOException, InterruptedException {
        var tap = "tap" + index;
        var inside = "ip -netns " + namespace + " ";
        HostProgram.run(inside + "tuntap add " + tap + " mode tap");
        HostProgram.run(inside + "link set " + tap + " master bridge up");
        return tap;
    }

    /**
     * Cuts a node's network cable, or plugs it in again. The tap device leaves the bridge, since
     * the node's driver gives up for good when the device itself goes down.
     */
    void setTap(int index, boolean plugged) throws IOException, InterruptedException {
        var change = plugged ? " master bridge" : " nomaster";
        HostProgram.run("ip -netns " + namespace + " link set tap" + index + change);
    }

    /** Returns the smallest number that no other lab of this machine has now, from 1. */
    int number() {
        return number;
    }

    /** Returns the address of this machine in the lab. */
    public String hostAddress() {
        return subnet + 1;
    }

    /** Returns the address of programs that run on this machine inside the lab's namespace. */
    public String controlAddress() {
        return subnet + 2;
    }

    InetAddress nodeAddress(int index) {
        try {
            return InetAddress.getByName(subnet + (FIRST_NODE + index));
        } catch (UnknownHostException e) {
            throw new UncheckedIOException(e); // a literal is not looked up
        }
    }

    /** Returns the file that nsenter(1) takes. */
    public Path namespaceFile() {
        return NAMESPACES.resolve(namespace);
    }

    @Override
    public void close() throws IOException {
        try {
            remove(namespace);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
