package lvms.launcher.admin;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.Times;
import lvms.launcher.command.Command;
import lvms.launcher.command.ExitCode;
import lvms.launcher.command.VersionCommand;
import lvms.launcher.flag.Flag;
import lvms.launcher.flag.Flags;
import lvms.launcher.flag.UsageException;
import lvms.launcher.flag.Variable;
import lvms.operator.overview.ClusterFindings;
import lvms.operator.overview.Finding;
import lvms.operator.overview.InstallationFindings;
import lvms.operator.overview.Overview;
import lvms.operator.overview.Section;
import lvms.operator.overview.StatusReport;
import lvms.operator.overview.SupportBundle;
import lvms.operator.overview.VolumeReport;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * {@code lvms support-bundle}: objects, Events, reports, and the logs of operator and all agents,
 * as one tar archive. It only reads; Secrets are not among what it reads.
 */
public final class SupportBundleCommand implements Command {
    private static final String OUTPUT = "output";
    private static final String SINCE = "since";
    private static final String STDOUT = "-";
    private static final Pattern AGE =
            Pattern.compile("(?:(\\d{1,5})h)?(?:(\\d{1,5})m)?(?:(\\d{1,7})s)?");
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final Variable AGE_OF_LOGS =
            new Variable("MUST_GATHER_SINCE", false, "the same as --since, if that is not given");
    private static final Variable TIME_OF_LOGS =
            new Variable("MUST_GATHER_SINCE_TIME", false, "logs from this time on, RFC 3339");

    @Override
    public String name() {
        return "support-bundle";
    }

    @Override
    public String summary() {
        return "collect objects, Events and logs of operator and agents in a tar archive";
    }

    @Override
    public List<Flag> flags() {
        return List.of(
                new Flag(
                        OUTPUT,
                        Flag.Kind.TEXT,
                        "lvms-support.tar",
                        "file to write, which must not exist; - for standard output"),
                new Flag(
                        SINCE,
                        Flag.Kind.TEXT,
                        "",
                        "age of the oldest lines of logs, such as 2h30m"),
                ClusterCommand.kubeconfig());
    }

    @Override
    public List<Variable> variables() {
        return Stream.concat(Stream.of(AGE_OF_LOGS, TIME_OF_LOGS), Variable.andCluster().stream())
                .toList();
    }

    @Override
    public List<ExitCode> exitCodes() {
        return ClusterCommand.EXIT_CODES;
    }

    @Override
    public int run(Flags flags) throws UsageException, InterruptedException {
        var now = Instant.now();
        var since = since(flags.text(SINCE), System.getenv(), now);
        var file = flags.text(OUTPUT);
        if (!file.equals(STDOUT) && Files.exists(Path.of(file))) {
            throw new UsageException("flag --" + OUTPUT + "=" + file + ": the file exists");
        }
        try (var kube = ClusterCommand.client("lvms-support-bundle", flags)) {
            var overview = Overview.read(kube, InstantSource.system());
            List<String> gaps;
            try (var tar = new Tar(stream(file), now)) {
                gaps = fill(tar, kube, overview, since);
            }
            return ClusterCommand.gaps(gaps) ? 1 : 0;
        } catch (ApiException | IOException e) {
            return LocalCommand.failed(1, e.getMessage());
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

    private static List<String> fill(
            Tar tar, KubeClient kube, Overview overview, Optional<Instant> since)
            throws ApiException, IOException, InterruptedException {
        text(
                tar,
                "version.txt",
                "lvms " + VersionCommand.version() + "\n" + kube.serverVersion() + "\n");
        report(tar, "status.txt", StatusReport.of(overview));
        report(tar, "volumes.txt", VolumeReport.of(overview));
        var installed = InstallationFindings.of(kube);
        var findings = new ArrayList<>(ClusterFindings.of(overview));
        findings.addAll(installed.findings());
        report(tar, "doctor.txt", List.of(Finding.section(findings)));
        var gaps = new ArrayList<>(overview.gaps());
        gaps.addAll(installed.gaps());
        gaps.addAll(SupportBundle.collect(kube, overview, since, tar::add));
        var distinct = gaps.stream().distinct().toList();
        text(tar, "gaps.txt", String.join("\n", distinct) + "\n");
        return distinct;
    }

    private static void report(Tar tar, String name, List<Section> sections) throws IOException {
        text(tar, name, ClusterCommand.text(sections));
    }

    private static void text(Tar tar, String name, String text) throws IOException {
        tar.add(name, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns from when on logs are wanted; the flag counts before the variables. */
    static Optional<Instant> since(String flag, Map<String, String> variables, Instant now)
            throws UsageException {
        var age = flag.isEmpty() ? variables.getOrDefault(AGE_OF_LOGS.name(), "") : flag;
        if (!age.isEmpty()) {
            return Optional.of(now.minus(age(age)));
        }
        var time = variables.getOrDefault(TIME_OF_LOGS.name(), "");
        if (time.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                Times.read(time)
                        .orElseThrow(
                                () ->
                                        new UsageException(
                                                TIME_OF_LOGS.name()
                                                        + "="
                                                        + time
                                                        + ": not a time")));
    }

    private static Duration age(String text) throws UsageException {
        var parts = AGE.matcher(text);
        if (!parts.matches()) {
            throw new UsageException("age of logs " + text + ": must be such as 2h30m, 10m or 90s");
        }
        return Duration.ofHours(number(parts.group(1)))
                .plusMinutes(number(parts.group(2)))
                .plusSeconds(number(parts.group(3)));
    }

    private static long number(String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }
}
