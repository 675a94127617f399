package lvms.k8s.config;

import lvms.k8s.object.Times;
import lvms.k8s.tls.CertifiedKey;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.JsonException;
import lvms.k8s.tree.ObjectTree;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Credentials from a program, {@code client.authentication.k8s.io}. It has no terminal and its
 * standard input is empty; what it writes to standard error goes to ours.
 */
final class ExecPlugin implements RenewedCredentials.Source {
    private static final String GROUP = "client.authentication.k8s.io/";
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int MAX_OUTPUT_BYTES = 1 << 20;

    private final String apiVersion;
    private final List<String> command;
    private final Map<String, String> env;
    private final String installHint;
    private final Duration timeout;

    ExecPlugin(
            String apiVersion,
            List<String> command,
            Map<String, String> env,
            String installHint,
            Duration timeout) {
        this.apiVersion = apiVersion;
        this.command = List.copyOf(command);
        this.env = Map.copyOf(env);
        this.installHint = installHint;
        this.timeout = timeout;
    }

    static ExecPlugin of(
            KubeConfigFile.Entry exec, KubeConfigFile.Entry cluster, Map<String, String> env)
            throws KubeConfigException {
        var apiVersion = exec.text("apiVersion").orElse("");
        if (!apiVersion.equals(GROUP + "v1") && !apiVersion.equals(GROUP + "v1beta1")) {
            throw exec.bad("apiVersion: expected " + GROUP + "v1 or v1beta1");
        }
        checkMode(exec, apiVersion.equals(GROUP + "v1"));
        var name = exec.text("command").orElseThrow(() -> exec.bad("command: there is none"));
        var command = new ArrayList<String>();
        command.add(name.indexOf('/') >= 0 ? exec.folder().resolve(name).toString() : name);
        command.addAll(exec.texts("args"));
        var childEnv = new HashMap<>(env);
        for (var variable : exec.entries("env")) {
            var variableName = variable.text("name").orElse("");
            if (variableName.isEmpty() || variableName.indexOf('=') >= 0) {
                throw exec.bad("env: a variable without a name, or with '=' in it");
            }
            childEnv.put(variableName, variable.text("value").orElse(""));
        }
        boolean clusterInfo = exec.flag("provideClusterInfo");
        childEnv.put(
                "KUBERNETES_EXEC_INFO", Json.write(ExecInfo.of(apiVersion, clusterInfo, cluster)));
        var hint = exec.text("installHint").orElse("");
        return new ExecPlugin(apiVersion, command, childEnv, hint, TIMEOUT);
    }

    private static void checkMode(KubeConfigFile.Entry exec, boolean required)
            throws KubeConfigException {
        switch (exec.text("interactiveMode").orElse(required ? "" : "IfAvailable")) {
            case "Never", "IfAvailable" -> {}
            case "Always" -> throw exec.bad("interactiveMode is Always, but there is no terminal");
            default -> throw exec.bad("interactiveMode: expected Never, IfAvailable or Always");
        }
    }

    @Override
    public RenewedCredentials.Answer get() throws IOException, InterruptedException {
        try {
            return parse(output());
        } catch (IOException | JsonException | GeneralSecurityException e) {
            var hint = installHint.isEmpty() ? "" : "; " + installHint;
            throw new IOException(
                    "exec plugin " + command.getFirst() + ": " + e.getMessage() + hint, e);
        }
    }

    private String output() throws IOException, InterruptedException {
        var builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().clear();
        builder.environment().putAll(env);
        var process = builder.start();
        try {
            process.getOutputStream().close();
            var output = new FutureTask<>(() -> read(process));
            Thread.ofVirtual().name("exec-plugin-output").start(output);
            var text = output.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
            if (!process.waitFor(timeout)) {
                throw new TimeoutException();
            }
            if (process.exitValue() != 0) {
                throw new IOException("exit code " + process.exitValue());
            }
            return text;
        } catch (TimeoutException e) {
            throw new IOException("no answer in " + timeout.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            throw new IOException(e.getCause().getMessage(), e.getCause());
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly); // they hold the output
            process.destroyForcibly();
        }
    }

    private static String read(Process process) throws IOException {
        var bytes = process.getInputStream().readNBytes(MAX_OUTPUT_BYTES + 1);
        if (bytes.length > MAX_OUTPUT_BYTES) {
            throw new IOException("its output is larger than " + MAX_OUTPUT_BYTES + " bytes");
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private RenewedCredentials.Answer parse(String text)
            throws IOException, GeneralSecurityException {
        if (text.isBlank()) {
            throw new IOException("it printed nothing");
        }
        if (!(Json.parse(text) instanceof ObjectTree tree)
                || !(tree.at("status") instanceof ObjectTree status)) {
            throw new IOException("the output is not an ExecCredential with a status");
        }
        if (!tree.text("apiVersion").equals(Optional.of(apiVersion))) {
            throw new IOException("the output does not have the apiVersion " + apiVersion);
        }
        var token = status.text("token").filter(t -> !t.isBlank());
        var certificate = status.text("clientCertificateData");
        var key = status.text("clientKeyData");
        if (certificate.isPresent() != key.isPresent() || token.isEmpty() && key.isEmpty()) {
            throw new IOException("neither a token nor a certificate with its key");
        }
        var header = Optional.<String>empty();
        if (token.isPresent()) {
            header = Optional.of(Credentials.bearer(token.get()));
        }
        var identity = Optional.<CertifiedKey>empty();
        if (certificate.isPresent()) {
            identity = Optional.of(CertifiedKey.of(bytes(certificate.get()), bytes(key.get())));
            identity.get().check();
        }
        return new RenewedCredentials.Answer(header, identity, expires(status));
    }

    private static Instant expires(ObjectTree status) throws IOException {
        if (status.at("expirationTimestamp").isNull()) {
            return Instant.MAX;
        }
        return status.text("expirationTimestamp")
                .flatMap(Times::read)
                .orElseThrow(() -> new IOException("its expirationTimestamp is not a time"));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
