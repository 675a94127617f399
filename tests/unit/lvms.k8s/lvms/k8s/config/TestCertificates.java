package lvms.k8s.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Self-signed certificates, made by the JDK's keytool since it has no API for that. Their stores
 * are JKS, since one of PKCS12 derives a key from the password each time that a server asks for its
 * own.
 */
final class TestCertificates {
    private static final char[] PASSWORD = "password".toCharArray();
    private static final Map<String, KeyStore> MADE = new ConcurrentHashMap<>();

    private TestCertificates() {}

    static byte[] certificatePem() {
        return pem(make("localhost", "dns:localhost,ip:127.0.0.1", "EC"));
    }

    static KeyStore make(String name, String subjectNames, String algorithm) {
        return MADE.computeIfAbsent(
                name + " " + subjectNames + " " + algorithm,
                _ -> keytool(name, subjectNames, algorithm));
    }

    /** One that was valid for a day, ten years ago. */
    static KeyStore ended(String name, String subjectNames) {
        return keytool(name, subjectNames, "EC", "-startdate", "-10y", "-validity", "1");
    }

    private static KeyStore keytool(String name, String subjectNames, String algorithm) {
        return keytool(name, subjectNames, algorithm, "-validity", "3650");
    }

    private static KeyStore keytool(
            String name, String subjectNames, String algorithm, String... validity) {
        try {
            var folder = Files.createTempDirectory("keys");
            var file = folder.resolve("store");
            var tool = Path.of(System.getProperty("java.home"), "bin", "keytool");
            var command =
                    new ArrayList<>(
                            List.of(
                                    tool.toString(),
                                    "-genkeypair",
                                    "-alias",
                                    "a",
                                    "-dname",
                                    "CN=" + name,
                                    "-ext",
                                    "san=" + subjectNames,
                                    "-keyalg",
                                    algorithm,
                                    "-storetype",
                                    "JKS",
                                    "-keypass",
                                    "password",
                                    "-storepass",
                                    "password",
                                    "-keystore",
                                    file.toString()));
            command.addAll(List.of(validity));
            var process = new ProcessBuilder(command).redirectErrorStream(true).start();
            var output = new String(process.getInputStream().readAllBytes());
            if (process.waitFor() != 0) {
                throw new AssertionError(output);
            }
            var store = KeyStore.getInstance(file.toFile(), PASSWORD);
            Files.delete(file);
            Files.delete(folder);
            return store;
        } catch (IOException | GeneralSecurityException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    static char[] password() {
        return PASSWORD.clone();
    }

    static byte[] pem(KeyStore store) {
        try {
            return pem("CERTIFICATE", certificate(store).getEncoded());
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    static Certificate certificate(KeyStore store) throws GeneralSecurityException {
        return store.getCertificate("a");
    }

    static PrivateKey key(KeyStore store) throws GeneralSecurityException {
        return (PrivateKey) store.getKey("a", PASSWORD);
    }

    static byte[] pem(String label, byte[] der) {
        var base64 = Base64.getMimeEncoder(64, "\n".getBytes()).encodeToString(der);
        return ("-----BEGIN " + label + "-----\n" + base64 + "\n-----END " + label + "-----\n")
                .getBytes();
    }
}
