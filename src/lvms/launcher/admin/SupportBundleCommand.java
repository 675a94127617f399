package lvms.launcher.admin;

import lvms.k8s.client.ApiException;
import lvms.launcher.command.Command;
import lvms.launcher.command.ExitCode;
import lvms.launcher.flag.Flag;
import lvms.launcher.flag.Flags;
import lvms.launcher.flag.UsageException;
import lvms.launcher.flag.Variable;
import lvms.node.deviceclass.LvmdConfigFile;
import lvms.node.doctor.RawReports;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * {@code lvms support-bundle}: objects, Events, reports, the logs of operator and all agents, and
 * what LVM says on each node, or on this machine alone, as one tar archive. It only reads; Secrets
 * are not among what it reads.
 */
public final class SupportBundleCommand implements Command {
    private static final String OUTPUT = "output";
    private static final String SINCE = "since";
    private static final String STDOUT = "-";
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    @Override
    public String name() {
        return "support-bundle";
    }

    @Override
    public String summary() {
        return "collect objects, Events, logs and what LVM says on each node in a tar archive";
    }

    @Override
    public List<Flag> flags() {
        return ClusterCommand.flags(
                LocalCommand.local(),
                new Flag(
                        OUTPUT,
                        Flag.Kind.TEXT,
                        "lvms-support.tar",
                        "file to write, which must not exist; - for standard output"),
                new Flag(
                        SINCE,
                        Flag.Kind.TEXT,
                        "",
                        "age of the oldest lines of logs, such as 2h30m"));
    }

    @Override
    public List<Variable> variables() {
        return Stream.concat(LogAge.VARIABLES.stream(), Variable.andCluster().stream()).toList();
    }

    @Override
    public List<ExitCode> exitCodes() {
        return ClusterCommand.EXIT_CODES;
    }

    @Override
    public int run(Flags flags) throws UsageException, InterruptedException {
        var now = Instant.now();
        var since = LogAge.since(flags.text(SINCE), System.getenv(), now);
        var file = flags.text(OUTPUT);
        if (!file.equals(STDOUT) && Files.exists(Path.of(file))) {
            throw new UsageException("flag --" + OUTPUT + "=" + file + ": the file exists");
        }
        try {
            return flags.on(LocalCommand.LOCAL)
                    ? ofMachine(file, now)
                    : ofCluster(flags, file, now, since);
        } catch (ApiException | IOException e) {
            return LocalCommand.failed(1, e.getMessage());
        }
    }

    private static int ofCluster(Flags flags, String file, Instant now, Optional<Instant> since)
            throws UsageException, ApiException, IOException, InterruptedException {
        try (var kube = ClusterCommand.client("lvms-support-bundle", flags)) {
            kube.serverVersion(); // no empty archive of a server that gives no answer
            try (var tar = new Tar(stream(file), now)) {
                var bundle = new Bundle(kube, since, ClusterCommand.asksNodes(flags));
                return ClusterCommand.gaps(Stream.of(bundle.write(tar::add))) ? 1 : 0;
            }
        }
    }

    private static int ofMachine(String file, Instant now)
            throws IOException, InterruptedException {
        var obstacle = LocalCommand.obstacle();
        if (obstacle.isPresent()) {
            return LocalCommand.failed(1, obstacle.get());
        }
        var options = LocalCommand.choice().options();
        try (var tar = new Tar(stream(file), now)) {
            for (var report : new RawReports(options, LvmdConfigFile.PATH).read().entrySet()) {
                Bundle.add(tar::add, report.getKey(), report.getValue());
            }
            return 0;
        }
    }

    /** Only its owner may read it: objects and logs tell much about a cluster. */
    private static OutputStream stream(String file) throws IOException {
        if (file.equals(STDOUT)) {
            return System.out;
        }
        var path = Files.createFile(Path.of(file), OWNER_ONLY);
        return new FileOutputStream(path.toFile());
    }
}
