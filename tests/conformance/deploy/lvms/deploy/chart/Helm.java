package lvms.deploy.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import lvms.deploy.Admin;
import lvms.k8s.object.KubeObject;
import lvms.k8s.yaml.Yaml;
import lvms.tests.cluster.Programs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A person with Helm and the chart that {@code ./build.sh chart} packed.
 *
 * @param kubeconfig file with the rights; need not exist to render
 * @param home where Helm may keep what it likes
 */
public record Helm(Path kubeconfig, Path home) {
    static final Path EXAMPLES = Path.of("deploy/chart/examples");
    private static final long DEADLINE_SECONDS = 120;

    /** Returns the chart, of the version that was built. */
    public static Path chart() throws IOException {
        try (var found = Files.newDirectoryStream(Path.of("out"), "lvms-*.tgz")) {
            return found.iterator().next().toAbsolutePath();
        }
    }

    Admin.Run run(String... arguments) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(Programs.find().helm().toString()));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("HOME", home.toString());
        builder.environment().put("KUBECONFIG", kubeconfig.toString());
        builder.environment().keySet().removeIf(name -> name.startsWith("XDG_"));
        var process = builder.start();
        process.getOutputStream().close();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("helm hangs: " + command);
        }
        return new Admin.Run(process.exitValue(), output);
    }

    /** Runs a command that has to succeed; returns what it printed. */
    public String succeed(String... arguments) throws IOException, InterruptedException {
        var run = run(arguments);
        assertEquals(0, run.code(), run.output());
        return run.output();
    }

    /** Runs a command that has to fail; returns what it printed. */
    String fail(String... arguments) throws IOException, InterruptedException {
        var run = run(arguments);
        assertNotEquals(0, run.code(), run.output());
        return run.output();
    }

    /** Renders the chart as a release {@code topolvm} of {@code topolvm-system}. */
    String template(String... more) throws IOException, InterruptedException {
        return succeed(command("template", more));
    }

    /** Does something with the release {@code topolvm} of {@code topolvm-system} by our chart. */
    public static String[] command(String verb, String... more) throws IOException {
        return command(verb, chart(), more);
    }

    /** Does something with the release {@code topolvm} of {@code topolvm-system} by a chart. */
    public static String[] command(String verb, Path chart, String... more) {
        var words = new ArrayList<>(List.of(verb, "topolvm", chart.toString()));
        words.add("--namespace=topolvm-system");
        words.addAll(List.of(more));
        return words.toArray(String[]::new);
    }

    /** Returns the objects of a manifest by kind and name, such as {@code Service/a}. */
    static Map<String, KubeObject> objects(String manifest) {
        return Yaml.readAll(manifest).stream()
                .map(tree -> KubeObject.of(tree.asObject()))
                .collect(
                        Collectors.toMap(
                                object -> object.kind() + "/" + object.name(),
                                Function.identity()));
    }
}
