package lvms.launcher.flag;

import lvms.k8s.serving.ServerTls;
import lvms.k8s.serving.TlsBounds;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The flags that say what every port with TLS accepts, named as in Kubernetes' own programs. */
public final class TlsFlags {
    private static final String MINIMUM = "tls-min-version";
    private static final String SUITES = "tls-cipher-suites";

    public static final List<Flag> ALL =
            List.of(
                    new Flag(
                            MINIMUM,
                            Flag.Kind.TEXT,
                            "",
                            "oldest TLS that is served: VersionTLS12 or VersionTLS13; without"
                                    + " this flag and the next, what OpenShift's TLS profile says,"
                                    + " elsewhere VersionTLS12"),
                    new Flag(
                            SUITES,
                            Flag.Kind.WORDS,
                            "",
                            "cipher suites of TLS 1.2 by their IANA names; empty for the JDK's"
                                    + " own"));

    private TlsFlags() {}

    /** Returns those that somebody has set, as they are written. */
    public static List<String> given(Flags flags) throws UsageException {
        bounds(flags); // whoever gets them would refuse what this process refuses
        return Stream.of(MINIMUM, SUITES)
                .filter(name -> !flags.text(name).isEmpty())
                .map(name -> "--" + name + "=" + flags.text(name))
                .toList();
    }

    public static TlsBounds bounds(Flags flags) throws UsageException {
        try {
            return TlsBounds.of(flags.text(MINIMUM), flags.words(SUITES));
        } catch (IllegalArgumentException e) {
            throw new UsageException("TLS cannot be served: " + e.getMessage());
        }
    }

    /**
     * Serves with the certificate and key in a folder; empty if there is none.
     *
     * @throws IOException if it cannot be used
     */
    public static Optional<ServerTls> ofFolder(Path folder, Supplier<TlsBounds> bounds)
            throws IOException {
        return Files.exists(folder.resolve("tls.crt"))
                ? Optional.of(ServerTls.ofFolder(folder, bounds))
                : Optional.empty();
    }
}
