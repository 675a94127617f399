package lvms.k8s.config;

import lvms.k8s.limit.BoundedCall;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * A program's token source, which may hang. It is never asked beside itself: one that ignores its
 * interrupt has to end before it is asked again. One thread.
 */
final class AskedTokens implements TokenSource {
    private final TokenSource source;
    private final Duration limit;

    /** What was asked last, unless it has ended. */
    private Optional<BoundedCall<Token>> running = Optional.empty();

    /**
     * Wraps a source.
     *
     * @param limit after which it is interrupted, and has failed
     */
    AskedTokens(TokenSource source, Duration limit) {
        this.source = source;
        this.limit = limit;
    }

    @Override
    public Token token() throws IOException, InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        if (running.isPresent()) {
            ended(running.get(), end); // nobody knows how old what it gives is
        }
        var asking = BoundedCall.start("kube-token-source", source::token);
        running = Optional.of(asking);
        ended(asking, end);
        return result(asking);
    }

    private void ended(BoundedCall<Token> asking, long endNanos)
            throws IOException, InterruptedException {
        if (!asking.endsWithin(Duration.ofNanos(endNanos - System.nanoTime()))) {
            asking.interrupt(Duration.ZERO);
            throw new IOException("the token source gave none in " + limit.toSeconds() + " s");
        }
        running = Optional.empty();
    }

    private static Token result(BoundedCall<Token> asked) throws IOException {
        try {
            return asked.result();
        } catch (Exception | Error e) {
            throw new IOException(RenewedCredentials.text(e), e);
        }
    }
}
