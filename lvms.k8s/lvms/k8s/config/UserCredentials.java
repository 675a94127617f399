package lvms.k8s.config;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Chooses the credentials of a kubeconfig user, and whom it acts as. */
final class UserCredentials {
    private UserCredentials() {}

    static Credentials of(
            KubeConfigFile.Entry user, KubeConfigFile.Entry cluster, Map<String, String> env)
            throws KubeConfigException {
        if (user.tree().has("auth-provider")) {
            throw user.bad("auth-provider is not supported; use an exec plugin instead");
        }
        var both = TokenAndCertificate.of(token(user), certificate(user));
        var exec = user.entry("exec");
        return both == Credentials.ANONYMOUS && exec.isPresent()
                ? RenewedCredentials.of(ExecPlugin.of(exec.get(), cluster, env))
                : both;
    }

    private static Credentials token(KubeConfigFile.Entry user) throws KubeConfigException {
        var tokenFile = user.text("tokenFile");
        if (tokenFile.isPresent()) {
            // client-go starts with "token", then the file takes over: the file is newer
            return new TokenFile(user.folder().resolve(tokenFile.get()), System::nanoTime);
        }
        var token = user.text("token");
        if (token.isPresent()) {
            return user.checked(() -> Credentials.header(Credentials.bearer(token.get())));
        }
        var name = user.text("username");
        return name.isPresent()
                ? basic(name.get(), user.text("password").orElse(""))
                : Credentials.ANONYMOUS;
    }

    private static Credentials basic(String name, String password) {
        var pair = (name + ":" + password).getBytes(StandardCharsets.UTF_8);
        return Credentials.header("Basic " + Base64.getEncoder().encodeToString(pair));
    }

    private static Credentials certificate(KubeConfigFile.Entry user) throws KubeConfigException {
        var certificate = user.source("client-certificate");
        var key = user.source("client-key");
        if (certificate.isPresent() != key.isPresent()) {
            throw user.bad("client-certificate and client-key must both be set");
        }
        return certificate.isPresent()
                ? new CertificateFiles(certificate.get(), key.get(), System::nanoTime)
                : Credentials.ANONYMOUS;
    }

    /** Reads {@code as}, {@code as-uid}, {@code as-groups} and {@code as-user-extra}. */
    static Optional<Impersonation> impersonation(KubeConfigFile.Entry user)
            throws KubeConfigException {
        var as = user.text("as");
        var uid = user.text("as-uid").orElse("");
        var groups = user.texts("as-groups");
        var extra = new HashMap<String, List<String>>();
        var extras = user.entry("as-user-extra");
        if (extras.isPresent()) {
            for (var key : extras.get().tree().members().keySet()) {
                extra.put(key, extras.get().texts(key));
            }
        }
        if (as.isEmpty()) {
            if (!uid.isEmpty() || !groups.isEmpty() || !extra.isEmpty()) {
                throw user.bad("as-uid, as-groups and as-user-extra need 'as'");
            }
            return Optional.empty();
        }
        return Optional.of(new Impersonation(as.get(), uid, groups, extra));
    }
}
