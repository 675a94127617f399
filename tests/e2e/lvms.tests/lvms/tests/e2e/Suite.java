package lvms.tests.e2e;

import lvms.tests.cluster.Cluster;
import lvms.tests.cluster.Programs;
import lvms.tests.cluster.ginkgo.GinkgoReport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Kubernetes' program {@code e2e.test}, run by ginkgo's own runner.
 *
 * @param programs where it was built
 * @param folder for its files: {@code log} has all that it printed
 */
record Suite(Programs programs, Path folder) {
    private static final String REPORT = "report.json";
    private static final Duration LIMIT = Duration.ofMinutes(100);

    /** What two guests carry whose pods wait more than they work. */
    private static final int PROCESSES = 6;

    Suite {
        folder = folder.toAbsolutePath();
    }

    /** Returns the images that a spec may ask for. */
    List<String> images() throws IOException, InterruptedException {
        var listed = folder.resolve("images");
        run(List.of(program(), "--list-images", repositories()), listed);
        return Files.readAllLines(listed).stream().map(String::strip).toList();
    }

    /**
     * Runs the specs of a driver and returns how each ended.
     *
     * @param focus only those whose names match this expression too; empty: all
     */
    GinkgoReport run(Cluster cluster, DriverDefinition driver, String focus)
            throws IOException, InterruptedException {
        driver.writeTo(folder.resolve("driver.yaml"));
        Files.deleteIfExists(folder.resolve(REPORT));
        int status =
                start(command(cluster.kubeconfig(), driver.specs(), focus), folder.resolve("log"));
        if (!Files.exists(folder.resolve(REPORT))) {
            throw new IOException(
                    "ginkgo: status " + status + ", no report: see " + folder + "/log");
        }
        return GinkgoReport.of(Files.readString(folder.resolve(REPORT)));
    }

    private List<String> command(Path kubeconfig, String specs, String focus) {
        var command = new ArrayList<String>();
        command.add(programs.e2e("ginkgo").toString());
        command.addAll(
                List.of(
                        "run",
                        "--procs=" + PROCESSES,
                        "--timeout=" + LIMIT.toMinutes() + "m",
                        "--no-color",
                        "--output-dir=" + folder,
                        "--json-report=" + REPORT,
                        "--focus=External.Storage.*" + specs + ".*(" + focus + ")",
                        "--skip=" + SkippedSpecs.LEFT_OUT,
                        program(),
                        "--",
                        "--kubeconfig=" + kubeconfig,
                        "--provider=skeleton",
                        "--storage.testdriver=" + folder.resolve("driver.yaml"),
                        repositories()));
        return command;
    }

    private String program() {
        return programs.e2e("e2e.test").toString();
    }

    private String repositories() {
        return "--kube-test-repo-list=" + folder.resolve("registries.yaml");
    }

    private void run(List<String> command, Path output) throws IOException, InterruptedException {
        int status = start(command, output);
        if (status != 0) {
            throw new IOException(command + ": status " + status + ": see " + output);
        }
    }

    /** Returns the status of its end; it does not outlive this process. */
    private int start(List<String> command, Path output) throws IOException, InterruptedException {
        var process =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectInput(Path.of("/dev/null").toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(process)));
        try {
            if (!process.waitFor(LIMIT.plusMinutes(5).toMinutes(), TimeUnit.MINUTES)) {
                throw new IOException(command + " did not end");
            }
            return process.exitValue();
        } finally {
            end(process);
        }
    }

    /** Ginkgo's processes would go on without it. */
    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
