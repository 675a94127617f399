package lvms.tests.lab.kubelet;

import lvms.tests.lab.machine.CommandResult;
import lvms.tests.lab.machine.LabNetwork;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Containers on this machine, in the network namespace of the lab: for what needs nothing of a
 * node, so that the nodes' single processors stay free.
 *
 * @param folder for the files of pods
 */
public record LocalPlace(LabNetwork network, Path folder) implements Place {
    @Override
    public CommandResult run(List<String> command, Duration deadline)
            throws IOException, InterruptedException {
        var inNamespace = new ArrayList<>(List.of("nsenter", "--net=" + network.namespaceFile()));
        inNamespace.addAll(command);
        var process = new ProcessBuilder(inNamespace).redirectErrorStream(true).start();
        try {
            process.getOutputStream().close();
            var output = new String(process.getInputStream().readAllBytes());
            if (!process.waitFor(deadline.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException(command.getFirst() + " did not end");
            }
            int status = process.exitValue();
            return new CommandResult(status, output, "");
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    @Override
    public Path outside() {
        try {
            return Files.createDirectories(folder);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Override
    public String inside() {
        return outside().toAbsolutePath().toString();
    }

    @Override
    public String podFolder(String podUid) {
        return inside() + "/" + podUid + "/volumes";
    }

    /** Mount points are made in folders that only the container sees. */
    @Override
    public String prelude() {
        return "mount -t tmpfs lab /opt\nmount -t tmpfs lab /run\n";
    }

    @Override
    public String address() {
        return network.controlAddress();
    }
}
