package lvms.k8s.config;

import lvms.k8s.tls.CertifiedKey;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * Credentials that somebody else hands out: asked for when they are first needed, after they
 * expire, and after the server refuses them.
 *
 * <p>The source is asked on a thread of its own and never twice at once, so each caller can wait as
 * long as it wants to. It is not asked again within five seconds after it failed, after it gave
 * something that had already expired, or after what it gave upon a refusal was refused, too.
 */
final class RenewedCredentials implements Credentials {
    static final Duration PAUSE = Duration.ofSeconds(5);
    private static final Duration HANDSHAKE_WAIT = Duration.ofSeconds(60);
    private static final Duration SOURCE_WAIT = Duration.ofSeconds(60);

    /**
     * What the source handed out.
     *
     * @param expires when it has to be asked again
     */
    record Answer(Optional<String> header, Optional<CertifiedKey> identity, Instant expires) {
        @Override
        public String toString() {
            return "credentials that expire at " + expires;
        }

        private String late() {
            return "what hands out the credentials gave some that expired at " + expires;
        }
    }

    /** Hands out credentials; may block. */
    interface Source {
        Answer get() throws IOException, InterruptedException;
    }

    private final Source source;
    private final InstantSource clock;
    private final LongSupplier nanoClock;
    private Optional<FutureTask<Answer>> running = Optional.empty();
    private Optional<Answer> answer = Optional.empty();
    private Optional<String> failure = Optional.empty();
    private long askedAtNanos;
    private boolean afterRefusal;
    private volatile int generation;

    RenewedCredentials(Source source, InstantSource clock, LongSupplier nanoClock) {
        this.source = source;
        this.clock = clock;
        this.nanoClock = nanoClock;
    }

    static RenewedCredentials of(Source source) {
        return new RenewedCredentials(source, InstantSource.system(), System::nanoTime);
    }

    static Source of(TokenSource tokens) {
        return of(tokens, SOURCE_WAIT);
    }

    /**
     * @param limit after which the source is interrupted, and has failed
     */
    static Source of(TokenSource tokens, Duration limit) {
        var asked = new AskedTokens(tokens, limit);
        return () -> {
            var token = asked.token();
            var header = Credentials.bearer(token.text());
            var expires = token.expires().orElse(Instant.MAX);
            return new Answer(Optional.of(header), Optional.empty(), expires);
        };
    }

    @Override
    public Optional<String> authorization(Duration limit) throws IOException, InterruptedException {
        return current(limit).header();
    }

    @Override
    public Optional<CertifiedKey> identity() throws IOException {
        try {
            return current(HANDSHAKE_WAIT).identity();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CredentialsException("interrupted", e);
        }
    }

    @Override
    public synchronized Optional<String> identityProblem(Instant now) {
        return answer.flatMap(Answer::identity)
                .flatMap(own -> own.problem(now))
                .or(() -> answer.filter(given -> now.isAfter(given.expires())).map(Answer::late));
    }

    @Override
    public int generation() {
        return generation;
    }

    private Answer current(Duration limit) throws IOException, InterruptedException {
        FutureTask<Answer> asking;
        synchronized (this) {
            if (answer.isPresent() && usable(answer.get())) {
                return answer.get();
            }
            refuseWhileItFails();
            asking = ask(false);
        }
        return await(asking, limit);
    }

    private boolean usable(Answer given) {
        return clock.instant().isBefore(given.expires()) || failure.isEmpty() && askedJustNow();
    }

    private boolean askedJustNow() {
        return nanoClock.getAsLong() - askedAtNanos < PAUSE.toNanos();
    }

    private void refuseWhileItFails() throws CredentialsException {
        if (failure.isPresent() && askedJustNow()) {
            throw new CredentialsException(failure.get(), null);
        }
    }

    @Override
    public boolean refresh(Optional<String> refused, Duration limit)
            throws IOException, InterruptedException {
        FutureTask<Answer> asking;
        synchronized (this) {
            if (answer.isPresent() && !answer.get().header().equals(refused)) {
                return true; // somebody else replaced it
            }
            if (afterRefusal && failure.isEmpty() && askedJustNow()) {
                return false;
            }
            refuseWhileItFails();
            asking = ask(true);
        }
        await(asking, limit);
        return true;
    }

    /** Joins those who wait for the source, or asks it; with the lock. */
    private FutureTask<Answer> ask(boolean uponRefusal) {
        if (running.isEmpty()) {
            var task = new FutureTask<>(() -> asked(uponRefusal));
            running = Optional.of(task);
            Thread.ofVirtual().name("kube-credentials").start(task);
        }
        return running.get();
    }

    private Answer asked(boolean uponRefusal) throws IOException, InterruptedException {
        try {
            var given = source.get();
            ended(Optional.of(given), Optional.empty(), uponRefusal);
            return given;
        } catch (IOException | InterruptedException | RuntimeException e) {
            ended(Optional.empty(), Optional.of(text(e)), uponRefusal);
            throw e;
        } catch (Error e) {
            ended(Optional.empty(), Optional.of(e.toString()), uponRefusal);
            throw e;
        }
    }

    private synchronized void ended(
            Optional<Answer> given, Optional<String> problem, boolean uponRefusal) {
        if (given.isPresent()) {
            boolean changed =
                    answer.isPresent() && !answer.get().identity().equals(given.get().identity());
            generation += changed ? 1 : 0;
            answer = given;
        }
        failure = problem;
        afterRefusal = uponRefusal;
        askedAtNanos = nanoClock.getAsLong();
        running = Optional.empty();
    }

    private static Answer await(FutureTask<Answer> asking, Duration limit)
            throws CredentialsException, InterruptedException {
        try {
            return asking.get(Math.max(1, limit.toNanos()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new CredentialsException("no credentials before the deadline of the call", e);
        } catch (ExecutionException e) {
            throw new CredentialsException(text(e.getCause()), e.getCause());
        }
    }

    static String text(Throwable e) {
        return e instanceof IOException && e.getMessage() != null ? e.getMessage() : e.toString();
    }
}
