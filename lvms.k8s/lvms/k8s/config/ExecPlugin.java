package lvms.k8s.config;

import lvms.k8s.object.Times;
import lvms.k8s.tls.CertifiedKey;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.JsonException;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Credentials from a program, {@code client.authentication.k8s.io}. The program runs when they are
 * first needed, after they expire, and after the server refuses them; never twice at once.
 */
final class ExecPlugin implements Credentials {
    private static final String GROUP = "client.authentication.k8s.io/";
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private record Answer(
            Optional<String> header, Optional<CertifiedKey> identity, Instant expires) {}

    private final String apiVersion;
    private final List<String> command;
    private final Map<String, String> env;
    private final String installHint;
    private final ReentrantLock lock = new ReentrantLock();
    private Answer answer;
    private volatile int generation;

    private ExecPlugin(
            String apiVersion, List<String> command, Map<String, String> env, String installHint) {
        this.apiVersion = apiVersion;
        this.command = command;
        this.env = env;
        this.installHint = installHint;
    }

    static ExecPlugin of(
            ObjectTree exec, Path folder, KubeConfigFile.Entry cluster, Map<String, String> env)
            throws KubeConfigException {
        var apiVersion = exec.text("apiVersion").orElse("");
        if (!apiVersion.equals(GROUP + "v1") && !apiVersion.equals(GROUP + "v1beta1")) {
            throw new KubeConfigException(
                    "unsupported apiVersion of an exec plugin: " + apiVersion);
        }
        if (exec.text("interactiveMode").orElse("").equals("Always")) {
            throw new KubeConfigException(
                    "exec plugin has interactiveMode Always, but there is no terminal");
        }
        var name = exec.text("command").orElse("");
        var command = new ArrayList<String>();
        command.add(name.indexOf('/') >= 0 ? folder.resolve(name).toString() : name);
        if (exec.at("args") instanceof ListTree args) {
            args.forEach(arg -> command.add(arg.asText()));
        }
        var childEnv = new HashMap<>(env);
        if (exec.at("env") instanceof ListTree entries) {
            for (var element : entries) {
                if (element instanceof ObjectTree entry) {
                    childEnv.put(entry.text("name").orElse(""), entry.text("value").orElse(""));
                }
            }
        }
        boolean clusterInfo = exec.flag("provideClusterInfo").orElse(false);
        childEnv.put(
                "KUBERNETES_EXEC_INFO", Json.write(ExecInfo.of(apiVersion, clusterInfo, cluster)));
        var hint = exec.text("installHint").orElse("");
        return new ExecPlugin(apiVersion, command, childEnv, hint);
    }

    @Override
    public Optional<String> authorization() throws IOException {
        return current().header();
    }

    @Override
    public Optional<CertifiedKey> identity() throws IOException {
        return current().identity();
    }

    @Override
    public int generation() {
        return generation;
    }

    private Answer current() throws IOException {
        lock.lock();
        try {
            if (answer == null || !Instant.now().isBefore(answer.expires())) {
                answer = replace(run());
            }
            return answer;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean refresh(Optional<String> refused) throws IOException {
        lock.lock();
        try {
            if (answer != null && answer.header().equals(refused)) { // nobody else replaced it
                answer = replace(run());
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private Answer replace(Answer next) {
        if (answer != null && !answer.identity().equals(next.identity())) {
            generation++;
        }
        return next;
    }

    private Answer run() throws IOException {
        try {
            return parse(output());
        } catch (IOException | JsonException | GeneralSecurityException e) {
            var hint = installHint.isEmpty() ? "" : "; " + installHint;
            throw new IOException(
                    "exec plugin " + command.getFirst() + ": " + e.getMessage() + hint, e);
        }
    }

    private String output() throws IOException {
        var builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().clear();
        builder.environment().putAll(env);
        var process = builder.start();
        process.getOutputStream().close();
        var output = new CompletableFuture<String>();
        Thread.ofVirtual().name("exec-plugin-output").start(() -> read(process, output));
        try {
            var text = output.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            int code = process.waitFor();
            if (code != 0) {
                throw new IOException("exit code " + code);
            }
            return text;
        } catch (TimeoutException e) {
            throw new IOException("no answer in " + TIMEOUT.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            process.destroyForcibly();
        }
    }

    private static void read(Process process, CompletableFuture<String> output) {
        try {
            var bytes = process.getInputStream().readAllBytes();
            output.complete(new String(bytes, StandardCharsets.UTF_8));
        } catch (IOException e) {
            output.completeExceptionally(e);
        }
    }

    private Answer parse(String text) throws IOException, GeneralSecurityException {
        if (!(Json.parse(text) instanceof ObjectTree tree)
                || !(tree.at("status") instanceof ObjectTree status)) {
            throw new IOException("the output is not an ExecCredential with a status");
        }
        var version = tree.text("apiVersion").orElse("");
        if (!version.equals(apiVersion)) {
            throw new IOException("apiVersion is " + version + ", expected " + apiVersion);
        }
        var header = status.text("token").map(token -> "Bearer " + token.strip());
        var certificate = status.text("clientCertificateData");
        var key = status.text("clientKeyData");
        if (certificate.isPresent() != key.isPresent() || header.isEmpty() && key.isEmpty()) {
            throw new IOException("neither a token nor a certificate with its key");
        }
        var identity = Optional.<CertifiedKey>empty();
        if (certificate.isPresent()) {
            identity = Optional.of(CertifiedKey.of(bytes(certificate.get()), bytes(key.get())));
        }
        var expires = status.text("expirationTimestamp").flatMap(Times::read).orElse(Instant.MAX);
        return new Answer(header, identity, expires);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
