package lvms.launcher;

import lvms.k8s.serving.ServerTls;
import lvms.k8s.serving.TlsBounds;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The flags that say where and how a process of the cluster serves {@code /metrics}.
 *
 * @param addressFlag the flag of the address, named as in the process's predecessor
 */
record MetricsFlags(String addressFlag) {
    private static final String FOLDER = "metrics-cert-dir";
    private static final String MINIMUM = "tls-min-version";
    private static final String SUITES = "tls-cipher-suites";

    List<Flag> flags() {
        return List.of(
                new Flag(
                        addressFlag,
                        Flag.Kind.ADDRESS,
                        "0",
                        "address of /metrics, with TLS and for those who may read it; in plain"
                                + " text and for all on loopback; 0 turns it off"),
                new Flag(
                        FOLDER,
                        Flag.Kind.TEXT,
                        "/tmp/k8s-metrics-server/serving-certs",
                        "folder with tls.crt and tls.key of /metrics, read again when they change"),
                new Flag(
                        MINIMUM,
                        Flag.Kind.TEXT,
                        "VersionTLS12",
                        "oldest TLS that is served: VersionTLS12 or VersionTLS13"),
                new Flag(
                        SUITES,
                        Flag.Kind.WORDS,
                        "",
                        "cipher suites of TLS 1.2 by their IANA names; empty for the JDK's own"));
    }

    /** Reads the flags, and the certificate if one is needed; empty if nothing is served. */
    Optional<MetricsPage> read(Flags flags) throws UsageException {
        var address = flags.address(addressFlag);
        if (address.isEmpty()) {
            return Optional.empty();
        }
        boolean plain = address.get().getAddress().isLoopbackAddress();
        return Optional.of(
                new MetricsPage(address.get(), plain ? Optional.empty() : Optional.of(tls(flags))));
    }

    private ServerTls tls(Flags flags) throws UsageException {
        var folder = Path.of(flags.text(FOLDER));
        if (!Files.exists(folder.resolve("tls.crt"))) {
            throw new UsageException(
                    "flag --%s=%s: no certificate in %s: mount a Secret of the type kubernetes.io/tls"
                                    .formatted(addressFlag, flags.text(addressFlag), folder)
                            + " there, name another folder with --"
                            + FOLDER
                            + ", or choose a loopback address");
        }
        try {
            var bounds = TlsBounds.of(flags.text(MINIMUM), flags.words(SUITES));
            return ServerTls.ofFolder(folder, bounds);
        } catch (IllegalArgumentException | IOException e) {
            throw new UsageException("metrics cannot be served: " + e.getMessage());
        }
    }
}
