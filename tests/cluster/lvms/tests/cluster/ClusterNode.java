package lvms.tests.cluster;

import lvms.tests.lab.machine.CommandResult;
import lvms.tests.lab.machine.Disk;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/** A node of a running cluster. Any thread may use it. */
public final class ClusterNode {
    private static final Duration CALL_DEADLINE = Duration.ofSeconds(60);

    private final String name;
    private final Requests requests;

    ClusterNode(String name, Requests requests) {
        this.name = name;
        this.requests = requests;
    }

    /** Returns the name, which is that of the Node object and the host name. */
    public String name() {
        return name;
    }

    /** Returns the internal address. */
    public String address() throws IOException {
        return requests.require("address", name);
    }

    /** Returns whether the machine has power. */
    public boolean running() throws IOException {
        return requests.require("running", name).equals("true");
    }

    /** Returns the folder of its disks and of the logs of its console, kubelet and containerd. */
    public Path folder() throws IOException {
        return Path.of(requests.require("folder", name));
    }

    /** Runs a command as root on the host, outside of any pod, to its end within a minute. */
    public CommandResult run(String... command) throws IOException {
        return run(List.of(command), CALL_DEADLINE);
    }

    /** Runs a command; it is killed with its children when the deadline passes. */
    public CommandResult run(List<String> command, Duration deadline) throws IOException {
        var words = new ArrayList<>(List.of("run", Long.toString(deadline.toMillis()), name));
        words.addAll(command);
        return requests.ask(words);
    }

    /**
     * Starts a command like {@link #run}, on a thread of its own; the answer is that of its end.
     */
    public Future<CommandResult> start(List<String> command, Duration deadline) {
        // Not on the common pool: with two cores it has one thread, which Java's HTTP client needs.
        var task = new FutureTask<>(() -> run(command, deadline));
        Thread.ofVirtual().start(task);
        return task;
    }

    /** Runs a shell script and returns its output; a status other than 0 is a failure. */
    public String shell(String script) throws IOException {
        return run("sh", "-c", script).require(name + ": " + script);
    }

    /** Cuts the power: nothing is flushed. */
    public void powerCut() throws IOException {
        requests.require("power-cut", name);
    }

    /** Shuts the machine down in order, without a word to its pods. */
    public void powerOff() throws IOException {
        requests.require("power-off", name);
    }

    /** Switches the power on and waits until kubelet runs; its pods come back later. */
    public void boot() throws IOException {
        requests.require("boot", name);
    }

    /** Returns the disks but the one that holds {@code /var/lib}, in the order of their units. */
    public List<Disk> disks() throws IOException {
        return requests.require("disks", name).lines().map(ClusterNode::disk).toList();
    }

    /** Plugs a new blank disk in; a running node has its device at once. */
    public Disk addDisk(long sizeBytes) throws IOException {
        return disk(requests.require("add-disk", name, Long.toString(sizeBytes)));
    }

    /** Pulls a disk out; fails if something keeps it open. */
    public void removeDisk(Disk disk) throws IOException {
        requests.require("remove-disk", name, Integer.toString(disk.unit()));
    }

    /** Pulls the network cable, or plugs it in. */
    public void connect(boolean connected) throws IOException {
        requests.require("connect", name, Boolean.toString(connected));
    }

    /** The text of a disk in an answer. */
    static String text(Disk disk) {
        return disk.unit() + " " + disk.file();
    }

    private static Disk disk(String line) {
        var unitAndFile = line.split(" ", 2);
        return new Disk(Path.of(unitAndFile[1]), Integer.parseInt(unitAndFile[0]));
    }

    @Override
    public String toString() {
        return name;
    }
}
