package lvms.tests.lab.machine;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * One machine of a lab: a User-Mode Linux with disks of its own. Its root is the file system of the
 * machine it runs on, as far as it can see; what it writes there is forgotten when it loses power.
 */
public final class Node implements AutoCloseable {
    private static final Duration BOOT_DEADLINE = Duration.ofSeconds(60);
    private static final Duration REMOVE_DEADLINE = Duration.ofSeconds(10);
    private static final Duration POWER_OFF_DEADLINE = Duration.ofSeconds(15);
    private static final Duration CALL_DEADLINE = Duration.ofSeconds(60);

    /** Where a node sees its folder on the machine. */
    public static final String SHARE = "/run/lab/share";

    private final NodeOptions options;
    private final int index;
    private final LabNetwork network;
    private final Kernel kernel;
    private final Path scripts;
    private final Path folder;
    private final List<Disk> disks = new ArrayList<>();
    private final NodeAgent agent;
    private Process process;
    private long upLines;

    Node(
            NodeOptions options,
            int index,
            LabNetwork network,
            Kernel kernel,
            Path scripts,
            Path folder)
            throws IOException, InterruptedException {
        this.options = options;
        this.index = index;
        this.network = network;
        this.kernel = kernel;
        this.scripts = scripts;
        this.folder = Files.createDirectories(folder);
        this.agent = new NodeAgent(network.nodeAddress(index));
        Files.createDirectories(share());
        network.addTap(index);
        for (long size : options.diskBytes()) {
            newDisk(size);
        }
    }

    /** Returns the name, which is also the host name. */
    public String name() {
        return options.name();
    }

    /** Returns the address in the lab's network. */
    public String address() {
        return network.nodeAddress(index).getHostAddress();
    }

    /**
     * Returns the folder of the machine that the node has at {@link #SHARE}, for files both ways.
     */
    public Path share() {
        return folder.resolve("share");
    }

    /** Returns the log of the console. */
    public Path console() {
        return folder.resolve("console.log");
    }

    /** Returns the disks, in the order of their units. */
    public List<Disk> disks() {
        return List.copyOf(disks);
    }

    /** Switches the power on and waits until commands can run. */
    public void boot() throws IOException, InterruptedException {
        if (running()) {
            throw new IllegalStateException(name() + " is running");
        }
        Files.copy(
                scripts.resolve("agent.pl"),
                share().resolve("agent.pl"),
                StandardCopyOption.REPLACE_EXISTING);
        var builder = new ProcessBuilder(bootCommand());
        builder.environment().put("TMPDIR", "/dev/shm"); // guest memory: a tmpfs that may be large
        builder.redirectErrorStream(true);
        builder.redirectOutput(ProcessBuilder.Redirect.appendTo(console().toFile()));
        builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        upLines = upLines();
        process = builder.start();
        await("boot of " + name(), BOOT_DEADLINE, this::answers);
    }

    private List<String> bootCommand() throws IOException {
        var command = new ArrayList<>(Processor.of(network.number() + index).only());
        command.addAll(List.of("nsenter", "--net=" + network.namespaceFile()));
        command.addAll(List.of(kernel.program().toString(), "seccomp=auto"));
        command.addAll(List.of("mem=" + options.memoryMib() + "M", "umid=" + name()));
        command.addAll(List.of("uml_dir=" + folder, "rootfstype=hostfs", "rootflags=/", "ro"));
        command.addAll(options.kernelArguments());
        for (var disk : disks) {
            command.add("ubd" + disk.unit() + "=" + disk.file());
        }
        command.addAll(List.of("con0=fd:0,fd:1", "con=null", "pty.legacy_count=0"));
        // A fixed address: after a reboot with another one, neighbours would ask the old one for a
        // while.
        var mac = String.format("02:00:00:00:00:%02x", index);
        command.add("vec0:transport=tap,ifname=tap" + index + ",depth=64,mac=" + mac);
        command.add("init=" + scripts.resolve("init.sh"));
        command.addAll(List.of("lab.name=" + name(), "lab.address=" + address() + "/24"));
        command.addAll(List.of("lab.gateway=" + network.hostAddress(), "lab.share=" + SHARE));
        command.addAll(List.of("lab.modules=" + kernel.modules(), "lab.mounts=" + mounts()));
        command.add("lab.udev=" + (options.udev() ? 1 : 0));
        options.above().ifPresent(folder -> command.add("lab.above=" + folder.toAbsolutePath()));
        return command;
    }

    private String mounts() {
        var mounts =
                options.mounts().entrySet().stream()
                        .map(mount -> mount.getKey() + "=" + mount.getValue())
                        .collect(Collectors.joining(":"));
        return SHARE + "=" + share() + (mounts.isEmpty() ? "" : ":" + mounts);
    }

    private boolean answers() {
        if (!process.isAlive()) {
            throw new IllegalStateException(name() + " went down at boot: see " + console());
        }
        try {
            // Asking earlier would leave the neighbour unreachable for a second.
            if (upLines() == upLines) {
                return false;
            }
            return agent.run(List.of("true"), new byte[0], Duration.ofSeconds(5)).succeeded();
        } catch (ConnectException | SocketTimeoutException | NoRouteToHostException e) {
            return false; // not up yet
        } catch (IOException e) {
            throw new IllegalStateException(name() + ": " + e.getMessage(), e);
        }
    }

    private long upLines() throws IOException {
        if (!Files.exists(console())) {
            return 0;
        }
        try (var lines = Files.lines(console(), StandardCharsets.ISO_8859_1)) {
            return lines.filter(line -> line.contains("lab: node is up")).count();
        }
    }

    private void await(String what, Duration deadline, BooleanSupplier condition)
            throws InterruptedException {
        long end = System.nanoTime() + deadline.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException(
                        what + " took over " + deadline.toSeconds() + " s: see " + console());
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    /** Returns whether the machine has power. */
    public boolean running() {
        return process != null && process.isAlive();
    }

    /** Runs a command to its end, within a minute. */
    public CommandResult run(String... command) throws IOException {
        return run(List.of(command), CALL_DEADLINE);
    }

    /** Runs a command to its end; it is killed with its children when the deadline passes. */
    public CommandResult run(List<String> command, Duration deadline) throws IOException {
        return agent.run(command, new byte[0], deadline);
    }

    /** Runs a shell script and returns its output; a status other than 0 is a failure. */
    public String shell(String script) throws IOException {
        return run("sh", "-c", script).require(name() + ": " + script);
    }

    /** Starts a program in the background; its output goes to a file of that name in the share. */
    public int start(String log, List<String> command) throws IOException {
        return agent.start(command, SHARE + "/" + log);
    }

    /** Opens a connection to a Unix socket of the node; it is closed if no process listens. */
    public Socket open(String unixSocket) throws IOException {
        return agent.open(unixSocket);
    }

    /** Cuts the power: nothing is flushed. */
    public void powerCut() throws InterruptedException {
        if (process == null) {
            return;
        }
        // The kernel's helper processes are children of its own and end with it or by this.
        var helpers = process.descendants().toList();
        process.destroyForcibly().waitFor();
        helpers.forEach(ProcessHandle::destroyForcibly);
    }

    /** Shuts down in order: file systems are flushed. A node that does not is cut off. */
    public void powerOff() throws IOException, InterruptedException {
        if (!running()) {
            return;
        }
        agent.start(List.of("sh", "-c", "sync; halt -f -p"), "/dev/null");
        if (!process.waitFor(POWER_OFF_DEADLINE.toMillis(), TimeUnit.MILLISECONDS)) {
            powerCut();
        }
    }

    /** Plugs a new blank disk in; a running node has its device at once. */
    public Disk addDisk(long sizeBytes) throws IOException, InterruptedException {
        var disk = newDisk(sizeBytes);
        if (running()) {
            console("config ubd" + disk.unit() + "=" + disk.file());
        }
        return disk;
    }

    /** Pulls a disk out; fails if something keeps it open. */
    public void removeDisk(Disk disk) throws IOException, InterruptedException {
        if (running()) {
            await("end of " + disk.device(), REMOVE_DEADLINE, () -> removed(disk));
        }
        disks.remove(disk);
    }

    private boolean removed(Disk disk) {
        try {
            console("remove ubd" + disk.unit());
            return true;
        } catch (IOException e) {
            return false; // udev reads a new disk for a moment
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Disk newDisk(long sizeBytes) throws IOException {
        int unit = disks.stream().mapToInt(Disk::unit).max().orElse(0) + 1;
        var disk = Disk.create(folder.resolve("disk" + unit), unit, sizeBytes);
        disks.add(disk);
        return disk;
    }

    private void console(String command) throws IOException, InterruptedException {
        var socket = folder.resolve(name()).resolve("mconsole").toString();
        HostProgram.run(
                List.of("perl", scripts.resolve("mconsole.pl").toString(), socket, command));
    }

    /** Pulls the network cable, or plugs it in. */
    public void connect(boolean connected) throws IOException, InterruptedException {
        network.setTap(index, connected);
    }

    @Override
    public void close() throws IOException {
        try {
            powerCut();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
