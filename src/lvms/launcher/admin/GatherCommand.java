package lvms.launcher.admin;

import lvms.k8s.client.ApiException;
import lvms.launcher.command.Command;
import lvms.launcher.command.ExitCode;
import lvms.launcher.flag.Flag;
import lvms.launcher.flag.Flags;
import lvms.launcher.flag.UsageException;
import lvms.launcher.flag.Variable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * {@code lvms gather}, in the image also {@code /usr/bin/gather}: the support bundle as {@code oc
 * adm must-gather} wants it, in files of a folder. It runs in a pod, with the rights of its
 * ServiceAccount.
 */
public final class GatherCommand implements Command {
    private static final String FOLDER = "folder";
    private static final String LOG = "gather-debug.log";

    @Override
    public String name() {
        return "gather";
    }

    @Override
    public String summary() {
        return "write the support bundle as files, for oc adm must-gather";
    }

    @Override
    public List<Flag> flags() {
        return ClusterCommand.flags(
                new Flag(FOLDER, Flag.Kind.TEXT, "/must-gather", "folder to write into"));
    }

    @Override
    public List<Variable> variables() {
        return Stream.concat(LogAge.VARIABLES.stream(), Variable.andCluster().stream()).toList();
    }

    @Override
    public List<ExitCode> exitCodes() {
        return List.of(
                new ExitCode(0, "it was gathered; gaps.txt says what is missing"),
                new ExitCode(1, "the cluster could not be read, or the folder not be written"),
                new ExitCode(2, "wrong flags or environment"));
    }

    @Override
    public int run(Flags flags) throws UsageException, InterruptedException {
        var since = LogAge.since("", System.getenv(), Instant.now());
        var folder = Path.of(flags.text(FOLDER));
        try (var kube = ClusterCommand.client("lvms-gather", flags);
                var log = Files.newBufferedWriter(folder.resolve(LOG))) {
            var bundle = new Bundle(kube, since, ClusterCommand.asksNodes(flags));
            try {
                var gaps =
                        bundle.write(
                                (name, content) -> {
                                    log.write(Instant.now() + " " + name + "\n");
                                    write(folder.resolve(name), content);
                                });
                for (var gap : gaps) {
                    log.write(Instant.now() + " missing: " + gap + "\n");
                }
                ClusterCommand.gaps(Stream.of(gaps));
                return 0;
            } catch (ApiException e) {
                log.write(Instant.now() + " failed: " + e.getMessage() + "\n");
                return LocalCommand.failed(1, e.getMessage());
            }
        } catch (IOException e) {
            return LocalCommand.failed(1, "cannot write: " + e.getMessage());
        }
    }

    private static void write(Path file, byte[] content) throws IOException {
        Files.createDirectories(file.getParent());
        Files.write(file, content);
    }
}
