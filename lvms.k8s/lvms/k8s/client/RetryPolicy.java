package lvms.k8s.client;

import lvms.k8s.client.body.OversizedBodyException;
import lvms.k8s.client.wire.Call;
import lvms.k8s.config.CredentialsException;
import lvms.k8s.tree.JsonException;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

import javax.net.ssl.SSLHandshakeException;

/** Decides whether a failed request is sent again, and when. */
final class RetryPolicy {
    static final int MAX_ATTEMPTS = 11; // client-go: up to 10 retries
    private static final int MAX_BACKOFFS = 8;
    private static final long FIRST_BACKOFF_MILLIS = 100;
    private static final long MAX_BACKOFF_MILLIS = 5000;

    private RetryPolicy() {}

    /**
     * Returns how long to wait before sending again; empty if the failure goes to the caller.
     *
     * @param attempt number of the attempt that failed, from 1
     */
    static Optional<Duration> delay(Call call, ApiException failure, int attempt) {
        if (attempt >= MAX_ATTEMPTS) {
            return Optional.empty();
        }
        return switch (failure) {
            case ApiException.TooManyRequests _ -> asked(failure);
            case ApiException.ServerError _ -> afterServerError(call, failure, attempt);
            case ApiException.Unreachable _ -> afterSilence(call, failure, attempt);
            default -> Optional.empty();
        };
    }

    private static Optional<Duration> afterServerError(
            Call call, ApiException failure, int attempt) {
        boolean surelyRefused = failure.code() == 503;
        if (call.repeat() == Call.Repeat.NEVER && !surelyRefused) {
            return Optional.empty();
        }
        if (failure.status().hasCause("ResourceVersionTooLarge")) {
            return Optional.empty(); // the caller then asks for another version
        }
        boolean ofTheWay = failure.code() >= 502 && failure.code() <= 504;
        return asked(failure)
                .or(
                        () ->
                                ofTheWay && call.repeat() == Call.Repeat.READ
                                        ? backoff(attempt)
                                        : Optional.empty());
    }

    private static Optional<Duration> afterSilence(Call call, ApiException failure, int attempt) {
        if (failure.getCause() instanceof SSLHandshakeException
                || failure.getCause() instanceof JsonException
                || failure.getCause() instanceof OversizedBodyException
                || failure.getCause() instanceof CredentialsException) {
            return Optional.empty(); // what is wrong now stays wrong for longer
        }
        boolean mayRepeat = call.repeat() != Call.Repeat.NEVER || !failure.outcomeUnknown();
        return mayRepeat ? backoff(attempt) : Optional.empty();
    }

    private static Optional<Duration> asked(ApiException failure) {
        return failure.retryAfter().map(wait -> wait.plus(jitter(wait, 0.2)));
    }

    private static Optional<Duration> backoff(int attempt) {
        if (attempt > MAX_BACKOFFS) {
            return Optional.empty();
        }
        long millis = Math.min(MAX_BACKOFF_MILLIS, FIRST_BACKOFF_MILLIS << (attempt - 1));
        var wait = Duration.ofMillis(millis);
        return Optional.of(wait.plus(jitter(wait, 0.5)));
    }

    private static Duration jitter(Duration wait, double share) {
        double factor = ThreadLocalRandom.current().nextDouble() * share;
        return Duration.ofNanos((long) (wait.toNanos() * factor));
    }
}
