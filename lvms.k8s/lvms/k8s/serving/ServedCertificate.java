package lvms.k8s.serving;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import lvms.k8s.metrics.Counter;
import lvms.k8s.secret.Reloading;
import lvms.k8s.secret.Source;
import lvms.k8s.tls.CertifiedKey;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The certificate and key in a folder. They are read again while they are served, and it is said
 * once when clients do not accept them, or soon will not. They are served all the same: a client
 * whose clock is right knows best.
 */
final class ServedCertificate {
    /** kubelet replaces the files of a Secret within a minute or two of its change. */
    private static final Duration PERIOD = Duration.ofSeconds(2);

    /** Whoever issues certificates renews them at two thirds of their time, mostly weeks. */
    private static final Duration SOON = Duration.ofDays(1);

    private static final System.Logger LOG = System.getLogger(ServedCertificate.class.getName());

    private enum Phase {
        EARLY,
        VALID,
        ENDING,
        ENDED
    }

    private final Reloading<CertifiedKey> files;
    private final String name;
    private final InstantSource clock;
    private volatile Optional<Counter> reads = Optional.empty();
    private volatile Optional<Counter> failedReads = Optional.empty();
    private Phase told = Phase.VALID;

    /**
     * @param clock what the certificate's dates are compared with
     * @param nanoClock says when the files are read again
     * @throws IOException if they cannot be read, or are not a certificate and its key
     */
    ServedCertificate(Path folder, InstantSource clock, LongSupplier nanoClock) throws IOException {
        var certificate = new Source.File(folder.resolve("tls.crt"));
        var key = new Source.File(folder.resolve("tls.key"));
        this.name = certificate.toString();
        this.clock = clock;
        this.files =
                new Reloading<>(
                        "certificate " + name, () -> read(certificate, key), PERIOD, nanoClock);
        current();
    }

    private CertifiedKey read(Source certificate, Source key) throws IOException {
        reads.ifPresent(Counter::increment);
        try {
            return checked(certificate, key);
        } catch (IOException e) {
            failedReads.ifPresent(Counter::increment);
            throw e;
        }
    }

    private static CertifiedKey checked(Source certificate, Source key) throws IOException {
        try {
            var identity = CertifiedKey.of(certificate.read(), key.read());
            identity.check();
            return identity;
        } catch (GeneralSecurityException e) {
            throw new IOException(certificate + ", " + key + ": " + e.getMessage(), e);
        }
    }

    /** Counts from now on, and the read that was before. */
    void count(Counter all, Counter failed) {
        reads = Optional.of(all);
        failedReads = Optional.of(failed);
        all.increment();
    }

    /** Returns what there is now, at most two seconds old. */
    CertifiedKey current() throws IOException {
        var current = files.get();
        tell(current);
        return current;
    }

    /** Returns when the present certificate ends. */
    Instant end() {
        try {
            return current().chain().getFirst().getNotAfter().toInstant();
        } catch (IOException e) {
            throw new UncheckedIOException("a certificate that was read once stays in force", e);
        }
    }

    private synchronized void tell(CertifiedKey current) {
        var from = current.chain().getFirst().getNotBefore().toInstant();
        var end = current.chain().getFirst().getNotAfter().toInstant();
        var phase = phase(from, end);
        if (phase == told) {
            return;
        }
        told = phase;
        switch (phase) {
            case EARLY -> say(WARNING, "certificate is not valid yet: is the clock right", from);
            case VALID -> say(INFO, "certificate is valid", end);
            case ENDING -> say(WARNING, "certificate ends soon and was not renewed", end);
            case ENDED -> say(ERROR, "certificate has ended: clients refuse it", end);
        }
    }

    private Phase phase(Instant from, Instant end) {
        var now = clock.instant();
        if (now.isBefore(from)) {
            return Phase.EARLY;
        }
        if (now.isAfter(end)) {
            return Phase.ENDED;
        }
        return now.isBefore(end.minus(SOON)) ? Phase.VALID : Phase.ENDING;
    }

    private void say(System.Logger.Level level, String what, Instant date) {
        LOG.log(level, () -> what + " file=" + name + " date=" + date + " now=" + clock.instant());
    }
}
