package lvms.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.k8s.client.KubeClient;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.Json;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A person with all rights and kubectl.
 *
 * @param kubeconfig file with the rights
 * @param directory where kubectl may keep what it likes
 */
public record Admin(Path kubeconfig, Path directory) {
    private static final long DEADLINE_SECONDS = 60;
    static final String NAMESPACE = "lvms-system";

    /** What a command printed, and how it ended. */
    public record Run(int code, String output) {}

    public Run run(String... arguments) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of("kubectl"));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("HOME", directory.toString());
        builder.environment().put("KUBECONFIG", kubeconfig.toString());
        var process = builder.start();
        process.getOutputStream().close();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("kubectl hangs: " + command);
        }
        return new Run(process.exitValue(), output);
    }

    /** Runs a command that has to succeed; returns what it printed. */
    public String succeed(String... arguments) throws IOException, InterruptedException {
        var run = run(arguments);
        assertEquals(0, run.code(), run.output());
        return run.output();
    }

    /** Applies a manifest, written with single quotes where YAML has none. */
    void apply(String manifest) throws IOException, InterruptedException {
        var file = Files.writeString(Files.createTempFile(directory, "m", ".yaml"), manifest);
        succeed("apply", "--server-side", "--filename=" + file);
    }

    /** Returns a client with these rights, whose writes carry its name. */
    KubeClient client(String name) throws Exception {
        return KubeClient.open(KubeConfig.load(Optional.of(kubeconfig)), name)
                .withFieldManager(name);
    }

    /** Returns the account of the operator or the agent, as its pod has it. */
    Admin account(String account, String... binding) throws Exception {
        return accountOf(NAMESPACE, account, binding);
    }

    /** Returns an account of another namespace. */
    Admin accountOf(String namespace, String account, String... binding) throws Exception {
        var words =
                new ArrayList<>(List.of("create", "token", account, "--namespace=" + namespace));
        words.addAll(List.of(binding));
        return withToken(account, succeed(words.toArray(String[]::new)).strip());
    }

    private Admin withToken(String user, String token) throws Exception {
        var view = succeed("config", "view", "--raw", "--flatten", "--minify", "--output=json");
        var config = KubeObject.of(Json.parse(view).asObject());
        var name = config.objects("users").getFirst().text("name").orElseThrow();
        var users = "[{\"name\":\"" + name + "\",\"user\":{\"token\":\"" + token + "\"}}]";
        var file = Files.createTempFile(directory, user, ".json");
        Files.writeString(file, config.with(Json.parse(users), "users").toJson());
        return new Admin(file, directory);
    }
}
