package lvms.k8s.testkit;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How a server is started. Immutable; each method gives a changed copy.
 *
 * @param address what to listen on; the certificate names it
 * @param directory where the certificates and a kubeconfig are kept, so that a later start uses the
 *     same authority
 * @param storageProtection whether claims and volumes get their protection finalizers, as in every
 *     real cluster; a controller has to remove them
 * @param upstream the server that answers in place of the cluster in memory
 */
public record Options(
        String address,
        Optional<Path> directory,
        boolean storageProtection,
        Optional<Upstream> upstream) {

    /** Loopback, any port, nothing on disk. */
    public static Options defaults() {
        return new Options("127.0.0.1", Optional.empty(), true, Optional.empty());
    }

    /** Listens on another address. */
    public Options address(String other) {
        return new Options(other, directory, storageProtection, upstream);
    }

    /** Keeps certificates and the kubeconfig in a directory. */
    public Options directory(Path other) {
        return new Options(address, Optional.of(other), storageProtection, upstream);
    }

    /** Whether new claims and volumes get their protection finalizers. */
    public Options storageProtection(boolean other) {
        return new Options(address, directory, other, upstream);
    }

    /** Lets another server answer; options for the cluster in memory then have no effect. */
    public Options upstream(Upstream other) {
        return new Options(address, directory, storageProtection, Optional.of(other));
    }
}
