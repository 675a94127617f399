package lvms.k8s.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.tls.Authority;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * A mounted certificate that clients do not accept, or soon will not, is said once, and the next
 * one is taken without a restart.
 */
class ServedCertificateTests {
    private static final Instant ISSUED = Instant.parse("2026-03-01T00:00:00Z");
    private static final Duration VALIDITY = Duration.ofDays(90);
    private static final Instant END = ISSUED.plus(VALIDITY);

    @TempDir private Path folder;
    private final Logger logger = Logger.getLogger(ServedCertificate.class.getName());
    private final List<String> said = new ArrayList<>();
    private Instant now = ISSUED;
    private long nanos;

    private final Handler records =
            new Handler() {
                @Override
                public void publish(LogRecord logged) {
                    said.add(
                            logged.getLevel()
                                    + " "
                                    + logged.getMessage().replaceFirst(" file=.*", ""));
                }

                @Override
                public void flush() {}

                @Override
                public void close() {}
            };

    @BeforeEach
    void listen() throws Exception {
        logger.addHandler(records);
        issue(ISSUED);
    }

    @AfterEach
    void end() {
        logger.removeHandler(records);
    }

    private void issue(Instant from) throws Exception {
        Authority.make("tests", from, VALIDITY)
                .server("metrics", List.of("localhost"), List.of())
                .save(folder, "tls");
    }

    private ServedCertificate served() throws IOException {
        return new ServedCertificate(folder, () -> now, () -> nanos);
    }

    /** The next handshake after the files may be read again. */
    private void handshake(ServedCertificate certificate) throws IOException {
        nanos += Duration.ofSeconds(3).toNanos();
        certificate.current();
    }

    @Test
    void aCertificateThatEndsInAMinuteIsSaidOnceAndItsSuccessorIsTaken() throws Exception {
        now = END.minusSeconds(60);
        var certificate = served();
        handshake(certificate);
        assertEquals(List.of("WARNING certificate ends soon and was not renewed"), said);
        var first = certificate.current();
        now = END.plusSeconds(1);
        handshake(certificate);
        handshake(certificate);
        assertEquals("SEVERE certificate has ended: clients refuse it", said.getLast());
        issue(now.minusSeconds(30));
        handshake(certificate);
        assertNotEquals(first, certificate.current());
        assertTrue(certificate.end().isAfter(now.plus(Duration.ofDays(80))));
        assertEquals("INFO certificate is valid", said.getLast());
        assertEquals(3, said.size(), said::toString);
    }

    @Test
    void aClockThatJumpsIsSaidAndStopsNothing() throws Exception {
        now = ISSUED.plusSeconds(3600);
        var certificate = served();
        var key = certificate.current();
        now = Instant.EPOCH;
        handshake(certificate);
        assertEquals("WARNING certificate is not valid yet: is the clock right", said.getLast());
        now = END.plus(VALIDITY);
        handshake(certificate);
        assertEquals("SEVERE certificate has ended: clients refuse it", said.getLast());
        now = ISSUED.plusSeconds(7200);
        handshake(certificate);
        assertEquals("INFO certificate is valid", said.getLast());
        assertEquals(key.chain(), certificate.current().chain());
    }

    @Test
    void itsEndIsMeasured() throws Exception {
        var metrics = new MetricsRegistry();
        ServerTls.ofFolder(folder, () -> TlsBounds.DEFAULT).measure(metrics, "metrics");
        var series = "serving_certificate_expiration_timestamp_seconds{port=\"metrics\"} ";
        assertTrue(metrics.text().contains(series), metrics.text());
        var end = served().end();
        var line = metrics.text().lines().filter(text -> text.startsWith(series)).findFirst();
        var value = Double.parseDouble(line.orElseThrow().substring(series.length()));
        assertEquals(end.getEpochSecond(), (long) value);
    }
}
