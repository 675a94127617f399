package lvms.k8s.config;

import lvms.k8s.tree.ObjectTree;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

/** Chooses the credentials of a kubeconfig user. */
final class UserCredentials {
    private UserCredentials() {}

    static Credentials of(
            KubeConfigFile.Entry user, KubeConfigFile.Entry cluster, Map<String, String> env)
            throws KubeConfigException {
        if (user.tree().has("auth-provider")) {
            throw new KubeConfigException(
                    "auth-provider is not supported; use an exec plugin instead");
        }
        var certificate = certificate(user);
        var token = token(user);
        if (token != Credentials.ANONYMOUS || certificate != Credentials.ANONYMOUS) {
            return both(token, certificate);
        }
        if (user.tree().at("exec") instanceof ObjectTree exec) {
            return ExecPlugin.of(exec, user.folder(), cluster, env);
        }
        return Credentials.ANONYMOUS;
    }

    private static Credentials token(KubeConfigFile.Entry user) {
        var tokenFile = user.text("tokenFile");
        if (tokenFile.isPresent()) {
            // client-go starts with "token", then the file takes over: the file is newer
            return new TokenFile(user.folder().resolve(tokenFile.get()), System::nanoTime);
        }
        var token = user.text("token");
        if (token.isPresent()) {
            return Credentials.header("Bearer " + token.get().strip());
        }
        var name = user.text("username");
        if (name.isPresent()) {
            var pair = name.get() + ":" + user.text("password").orElse("");
            var encoded = pair.getBytes(StandardCharsets.UTF_8);
            return Credentials.header("Basic " + Base64.getEncoder().encodeToString(encoded));
        }
        return Credentials.ANONYMOUS;
    }

    private static Credentials certificate(KubeConfigFile.Entry user) throws KubeConfigException {
        var certificate = user.source("client-certificate");
        var key = user.source("client-key");
        if (certificate.isPresent() != key.isPresent()) {
            throw new KubeConfigException("client-certificate and client-key must both be set");
        }
        return certificate.isPresent()
                ? new CertificateFiles(certificate.get(), key.get(), System::nanoTime)
                : Credentials.ANONYMOUS;
    }

    private static Credentials both(Credentials token, Credentials certificate) {
        if (token == Credentials.ANONYMOUS) {
            return certificate;
        }
        return certificate == Credentials.ANONYMOUS
                ? token
                : new TokenAndCertificate(token, certificate);
    }
}
