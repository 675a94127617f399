package lvms.tests.cluster.workload;

import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A command that an administrator runs on a machine outside of the cluster, one at a time.
 *
 * @param kubeconfig the administrator's
 * @param folder for what the command says
 * @param command what each call begins with
 */
public record CommandLine(Path kubeconfig, Path folder, List<String> command) {
    private static final Duration DEADLINE = Duration.ofMinutes(4);

    /** What a command that has ended said, and its exit code. */
    public record Said(int code, String out, String err) {}

    public CommandLine {
        command = List.copyOf(command);
    }

    /** {@code lvms}, from the classes of this process. */
    public static CommandLine lvms(Product product, Path folder) throws IOException {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var command =
                List.of(java, "-cp", System.getProperty("java.class.path"), "lvms.launcher.Main");
        return new CommandLine(product.cluster().kubeconfig(), folder, command);
    }

    /** {@code kubectl lvms}: kubectl finds the shipped plugin by its name. */
    public static CommandLine plugin(Product product, Path folder) throws IOException {
        var command = List.of("kubectl", "lvms");
        return new CommandLine(product.cluster().kubeconfig(), folder, command);
    }

    /** Runs it to its end. */
    public Said run(String... words) throws IOException, InterruptedException {
        return end(begin(words));
    }

    /** Returns what the doctor calls an error; it must have been able to look everywhere. */
    public List<ObjectTree> errors() throws IOException, InterruptedException {
        var doctor = run("doctor", "-o=json");
        if (!doctor.err().isEmpty()) {
            throw new AssertionError("doctor: " + doctor.err());
        }
        return Json.parse(doctor.out()).asObject().objects("findings").stream()
                .filter(finding -> finding.text("severity").orElse("").equals("error"))
                .toList();
    }

    /** Waits for the end of a command that was begun. */
    public Said end(Process process) throws IOException, InterruptedException {
        boolean ended = process.waitFor(DEADLINE.toSeconds(), TimeUnit.SECONDS);
        process.destroyForcibly();
        var out = Files.readString(out());
        var err = Files.readString(err());
        if (!ended) {
            throw new AssertionError("no end within " + DEADLINE + ": " + out + err);
        }
        return new Said(process.exitValue(), out, err);
    }

    /** Starts it. */
    public Process begin(String... words) throws IOException {
        var line = new ArrayList<>(command);
        line.addAll(List.of(words));
        var builder = new ProcessBuilder(line);
        builder.redirectOutput(out().toFile()).redirectError(err().toFile());
        var plugins = Path.of("deploy/plugin").toAbsolutePath() + ":";
        builder.environment().merge("PATH", plugins, (own, plugin) -> plugin + own);
        builder.environment().put("KUBECONFIG", kubeconfig.toString());
        // kubectl knows a cluster by its address, which the next one has, too
        builder.environment().put("KUBECACHEDIR", folder.resolve("kubectl-cache").toString());
        return builder.start();
    }

    private Path out() {
        return folder.resolve("out");
    }

    private Path err() {
        return folder.resolve("err");
    }
}
