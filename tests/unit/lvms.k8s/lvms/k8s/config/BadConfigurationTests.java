package lvms.k8s.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.secret.Source;
import lvms.tests.runner.Behaviour;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A configuration with one thing wrong is refused with one line that names it, and no secret. */
@Behaviour(14)
class BadConfigurationTests {
    private static final String GOOD =
            """
            clusters:
            - name: c
              cluster:
                server: https://127.0.0.1:1
                certificate-authority: ca.crt
            users:
            - name: u
              user:
                token: hush
            contexts:
            - name: x
              context: {cluster: c, user: u}
            current-context: x
            """;

    @TempDir private Path folder;

    @BeforeEach
    void makeFiles() throws Exception {
        var one = TestCertificates.make("one", "dns:one", "EC");
        var other = TestCertificates.make("other", "dns:other.test", "RSA");
        Files.write(folder.resolve("ca.crt"), TestCertificates.pem(one));
        var key = TestCertificates.key(other).getEncoded();
        Files.write(folder.resolve("other.key"), TestCertificates.pem("PRIVATE KEY", key));
        var locked = TestCertificates.pem("ENCRYPTED PRIVATE KEY", key);
        Files.write(folder.resolve("locked.key"), locked);
        Files.writeString(folder.resolve("empty"), "\n");
        Files.writeString(folder.resolve("two-lines"), "hush\nhush\n");
    }

    private KubeConfig load(String text, Map<String, String> env) throws Exception {
        var file = Files.writeString(folder.resolve("config"), text);
        return new ConfigLoader(env, folder, folder).load(Optional.of(file));
    }

    private void assertRefused(String text, Map<String, String> env, String expected) {
        var failure = assertThrows(KubeConfigException.class, () -> load(text, env));
        var message = failure.getMessage();
        assertTrue(message.contains(expected), message);
        assertEquals(1, message.lines().count(), message);
        assertTrue(message.contains(folder.resolve("config").toString()), message);
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            assertFalse(("" + cause.getMessage()).contains("hush"), "" + cause);
        }
    }

    @Test
    void theGoodOneIsAccepted() throws Exception {
        assertEquals("https://127.0.0.1:1", load(GOOD, Map.of()).server().toString());
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "server: https://127.0.0.1:1   | server: \"\"                   | no server",
                "server: https://127.0.0.1:1   | server: 7                      | expected text",
                "server: https://127.0.0.1:1   | server: \"https://a b\"        | not a URL",
                "server: https://127.0.0.1:1   | server: mailto:hush@x          | not the URL",
                "server: https://127.0.0.1:1   | server: 127.0.0.1:1            | not a URL",
                "server: https://127.0.0.1:1   | server: https://u:hush@h:1     | no user",
                "server: https://127.0.0.1:1   | server: https://h:1/?hush=1#   | no user",
                "server: https://127.0.0.1:1   | server: http://10.0.0.1:1      | without TLS",
                "server: https://127.0.0.1:1   | server: https://h:99999        | from 1 to 65535",
                "server: https://127.0.0.1:1   | server: https://h:0            | from 1 to 65535",
                "server: https://127.0.0.1:1   | server: ftp://h                | https://HOST",
                "certificate-authority: ca.crt | certificate-authority: none    | none",
                "certificate-authority: ca.crt | certificate-authority: empty   | no certificate",
                "certificate-authority: ca.crt | certificate-authority-data: \"%\" | not base64",
                "certificate-authority: ca.crt | certificate-authority-data: aHVzaA== | no cert",
                "certificate-authority: ca.crt | insecure-skip-tls-verify: \"yes\" | true or false",
                "certificate-authority: ca.crt | certificate-authority: ca.crt ~"
                        + " insecure-skip-tls-verify: true | remove one of them",
                "certificate-authority: ca.crt | tls-server-name: \"a b\"       | not the name of"
                        + " a host",
                "certificate-authority: ca.crt | tls-server-name: 7             | expected text",
                "certificate-authority: ca.crt | proxy-url: http://p:99999      | from 1 to 65535",
                "certificate-authority: ca.crt | proxy-url: p:3128              | only http"
                        + " proxies",
                "certificate-authority: ca.crt | proxy-url: socks5://u:hush@p:1 | only http"
                        + " proxies",
                "certificate-authority: ca.crt | proxy-url: http://u:hush@p:1   | disabledSchemes",
                "certificate-authority: ca.crt | proxy-url: \"http://u:hush@p q\" | not a URL",
                "token: hush  | token: 12345                                    | quote it",
                "token: hush  | token: \"hush\\nhush\"                          | line break",
                "token: hush  | token: \"hüsh\"                                 | above ~",
                "token: hush  | tokenFile: none                                 | none",
                "token: hush  | tokenFile: empty                                | is empty",
                "token: hush  | tokenFile: two-lines                            | line break",
                "token: hush  | client-certificate: ca.crt                      | both be set",
                "token: hush  | client-certificate: ca.crt ~ client-key: none  | none",
                "token: hush  | client-certificate: ca.crt ~ client-key: other.key | private key",
                "token: hush  | client-certificate: ca.crt ~ client-key: locked.key | encrypted",
                "token: hush  | client-certificate: ca.crt ~ client-key: ca.crt | no private key",
                "token: hush  | client-certificate-data: \"%\" ~ client-key: other.key |"
                        + " client-certificate-data is not base64",
                "token: hush  | client-certificate: ca.crt ~ client-key-data: \"hush %\" |"
                        + " client-key-data is not base64",
                "token: hush  | client-certificate: empty ~ client-key: other.key | no certificate",
                "token: hush  | token: [hush]                                   | expected text",
                "token: hush  | token: hush ~ as: \"a\\nb\"                    | line break",
                "token: hush  | token: hush ~ as-groups: [a]                   | need 'as'",
                "token: hush  | token: hush ~ as: a ~ as-groups: [{hush: 1}]    | list of texts",
                "token: hush  | token: hush ~ as: a ~ as-groups: hush           | expected a list",
                "token: hush  | auth-provider: {name: gcp}                      | use an exec"
                        + " plugin",
                "token: hush  | exec: hush                                      | expected a"
                        + " mapping",
                "token: hush  | exec: {apiVersion: v1}                          | apiVersion",
                "token: hush  | exec: {apiVersion: V1, interactiveMode: Never}  | command",
                "token: hush  | exec: {apiVersion: V1, command: c}              | interactiveMode",
                "token: hush  | exec: {apiVersion: V1, command: c, interactiveMode: Always} |"
                        + " terminal",
                "token: hush  | exec: {apiVersion: V1, command: c, interactiveMode: Never, args:"
                        + " [[]]} | args",
                "token: hush  | exec: {apiVersion: V1, command: c, interactiveMode: Never, env:"
                        + " [{name: \"a=b\", value: hush}]} | env",
                "cluster: c,  | ``                                              | cluster: there is"
                        + " none",
                "cluster: c,  | cluster: [c],                                   | expected text",
                "- name: c    | - name: d                                       | no cluster \"c\";"
                        + " there is \"d\"",
                "- name: x    | - name: y                                       | no context \"x\";"
                        + " there is \"y\"",
                "contexts:    | contexts: [] ^ foo:                             | there is no"
                        + " context",
                "cluster: c,  | cluster: other,                                 | no cluster"
                        + " \"other\"",
                "user: u}     | user: other}                                    | no user"
                        + " \"other\"",
                "current-context: x | current-context: y                        | no context \"y\"",
                "current-context: x | ''                                        | no"
                        + " current-context",
                "current-context: x | current-context: [x]                      | current-context",
                "contexts:    | contexts: {} ^ foo:                             | expected a list",
                "users:       | clusters:                                       | duplicate key",
                "- name: u    | - hush                                          | line",
            })
    void oneThingWrongIsNamed(String good, String bad, String expected) {
        assertTrue(GOOD.contains(good), good);
        var written =
                bad.isEmpty() || bad.equals("''")
                        ? ""
                        : bad.replace("V1", "client.authentication.k8s.io/v1")
                                .replace(" ~ ", "\n    ")
                                .replace(" ^ ", "\n");
        assertRefused(GOOD.replace(good, written), Map.of(), expected);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "socks5://u:hush@p:1 | HTTPS_PROXY: only http proxies",
                "https://u:hush@p:1  | HTTPS_PROXY: only http proxies",
                "http://u:hush@p q:1 | HTTPS_PROXY is not a URL",
                "u:hush@p:3128       | disabledSchemes",
            })
    void aProxyOfTheEnvironmentThatCannotWorkIsNamed(String proxy, String expected) {
        var text = GOOD.replace("127.0.0.1", "10.0.0.1");
        assertRefused(text, Map.of("HTTPS_PROXY", proxy), expected);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "[]          | expected a mapping",
                "hush        | expected a mapping",
                "'a: b: c'   | line 1",
                "'a: &x 1'   | anchors",
                "clusters: 7 | expected a list",
            })
    void whatIsNoKubeconfigIsNamed(String text, String expected) {
        assertRefused(text, Map.of(), expected);
    }

    @Test
    void aFileThatIsNotThereOrNotTextIsNamed() throws Exception {
        var missing = folder.resolve("missing");
        var failure =
                assertThrows(
                        KubeConfigException.class, () -> KubeConfig.load(Optional.of(missing)));
        assertEquals("kubeconfig " + missing + ": there is no such file", failure.getMessage());
        var binary = Files.write(folder.resolve("binary"), new byte[] {'a', (byte) 0xff, 0});
        failure =
                assertThrows(KubeConfigException.class, () -> KubeConfig.load(Optional.of(binary)));
        assertEquals("kubeconfig " + binary + ": it is not UTF-8", failure.getMessage());
        failure =
                assertThrows(KubeConfigException.class, () -> KubeConfig.load(Optional.of(folder)));
        assertTrue(failure.getMessage().startsWith("kubeconfig " + folder), failure.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "# nothing\n", "{}", "null"})
    void anEmptyFileIsNamed(String text) {
        assertRefused(text, Map.of(), "is empty");
    }

    /** As somebody reads them who was woken up by them. */
    @ParameterizedTest(name = "{1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "token: hush                   | tokenFile: none | user \"u\" of FOLDER/config:"
                        + " token file: there is no file FOLDER/none",
                "token: hush                   | client-certificate: ca.crt ~ client-key:"
                        + " other.key | user \"u\" of FOLDER/config: client certificate"
                        + " FOLDER/ca.crt: the private key is not that of the certificate",
                "certificate-authority: ca.crt | certificate-authority: none | cluster \"c\" of"
                        + " FOLDER/config: certificate authority: there is no file FOLDER/none",
                "certificate-authority: ca.crt | proxy-url: socks5://u:hush@p:1 | cluster \"c\" of"
                        + " FOLDER/config: proxy-url: only http proxies are supported, not"
                        + " socks5://***@p:1",
                "server: https://127.0.0.1:1   | server: https://h:0 | cluster \"c\" of"
                        + " FOLDER/config: the URL of a server has a port from 1 to 65535, not 0",
                "user: u}                      | user: v} | context \"x\" of FOLDER/config:"
                        + " there is no user \"v\"; there is \"u\"",
            })
    void theWholeLineSaysWhereAndWhat(String good, String bad, String expected) {
        assertTrue(GOOD.contains(good), good);
        var text = GOOD.replace(good, bad.replace(" ~ ", "\n    "));
        var failure = assertThrows(KubeConfigException.class, () -> load(text, Map.of()));
        assertEquals(expected.replace("FOLDER", folder.toString()), failure.getMessage());
    }

    @Test
    void aContextThatIsAskedForHasToBeThere() throws Exception {
        var file = Files.writeString(folder.resolve("config"), GOOD);
        assertEquals("default", KubeConfig.load(Optional.of(file), "x").namespace());
        var failure =
                assertThrows(
                        KubeConfigException.class, () -> KubeConfig.load(Optional.of(file), "y"));
        assertTrue(failure.getMessage().contains("no context \"y\""), failure.getMessage());
        var loader = new ConfigLoader(new HashMap<>(), folder.resolve("nobody"), folder);
        failure =
                assertThrows(
                        KubeConfigException.class,
                        () -> loader.load(Optional.empty(), Optional.of("y")));
        assertTrue(failure.getMessage().contains("no context \"y\""), failure.getMessage());
    }

    @Test
    void aProgramThatPutsABadTokenInIsToldSoWithoutTheToken() throws Exception {
        var builder = KubeConfig.builder(URI.create("https://127.0.0.1:1"));
        for (var token : List.of("hush\r\nhush", "", " ", "hüsh")) {
            var failure = assertThrows(IllegalArgumentException.class, () -> builder.token(token));
            assertFalse(failure.getMessage().contains("hush"), failure.getMessage());
        }
    }

    /** A file that is replaced by one with a mistake leaves the old one in force. */
    @Test
    void aKeyThatIsReplacedBeforeItsCertificateIsNotUsedYet() throws Exception {
        var own = TestCertificates.make("own", "dns:own", "EC");
        var certificate = Files.write(folder.resolve("own.crt"), TestCertificates.pem(own));
        var key = folder.resolve("own.key");
        var der = TestCertificates.key(own).getEncoded();
        Files.write(key, TestCertificates.pem("PRIVATE KEY", der));
        var clock = new long[1];
        var files =
                new CertificateFiles(
                        new Source.File(certificate), new Source.File(key), () -> clock[0]);
        var before = files.identity();
        Files.copy(folder.resolve("other.key"), key, StandardCopyOption.REPLACE_EXISTING);
        clock[0] += 600_000_000_000L;
        assertEquals(before, files.identity());
        assertEquals(1, files.certificateFailures());
    }
}
