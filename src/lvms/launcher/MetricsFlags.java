package lvms.launcher;

import lvms.launcher.flag.Flag;
import lvms.launcher.flag.Flags;

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
    Optional<MetricsPage> read(Flags flags) {
        return flags.address(addressFlag)
                .map(
                        address ->
                                address.getAddress().isLoopbackAddress()
                                        ? new MetricsPage.Plain(address)
                                        : new MetricsPage.Secured(
                                                address, Path.of(flags.text(FOLDER))));
    }
}
