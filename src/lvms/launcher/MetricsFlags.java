package lvms.launcher;

import lvms.launcher.flag.Flag;
import lvms.launcher.flag.Flags;
import lvms.launcher.flag.TopolvmFlags;

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

    List<Flag> flags() {
        return List.of(
                new Flag(
                        addressFlag,
                        Flag.Kind.ADDRESS,
                        ":8443",
                        "address of /metrics, with TLS and for those who may read it, once there"
                                + " is a certificate; in plain text and for all on loopback; 0"
                                + " turns it off"),
                new Flag(
                        FOLDER,
                        Flag.Kind.TEXT,
                        "/tmp/k8s-metrics-server/serving-certs",
                        "folder with tls.crt and tls.key of /metrics, read again when they"
                                + " change"));
    }

    /** Reads the flags; empty if nothing is served. */
    Optional<PagePort> read(Flags flags) {
        return port(flags, addressFlag);
    }

    /** Reads where profiling is served, to the same people; empty if it is not. */
    Optional<PagePort> profiling(Flags flags) {
        return port(flags, TopolvmFlags.PROFILING.name());
    }

    private static Optional<PagePort> port(Flags flags, String flag) {
        return flags.address(flag)
                .map(
                        address ->
                                address.getAddress().isLoopbackAddress()
                                        ? new PagePort.Plain(address)
                                        : new PagePort.Secured(
                                                address, Path.of(flags.text(FOLDER))));
    }
}
