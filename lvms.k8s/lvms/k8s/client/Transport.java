package lvms.k8s.client;

import static java.lang.System.Logger.Level.DEBUG;

import lvms.k8s.client.body.ByteFeed;
import lvms.k8s.client.body.FeedStream;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.websocket.Handshake;
import lvms.k8s.websocket.Refusal;
import lvms.k8s.websocket.WebSocket;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import javax.net.ssl.SSLHandshakeException;

/**
 * Sends requests: credentials, deadlines, retries, metrics.
 *
 * <p>One deadline covers a whole attempt including its body, since {@link HttpRequest#timeout()}
 * ends at the response headers. Another covers all attempts of a call.
 */
final class Transport implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Transport.class.getName());
    private static final Duration WATCH_OPEN_DEADLINE = Duration.ofSeconds(75); // > bookmark period
    private static final int MAX_ERROR_BYTES = 1 << 16;
    private static final int SWITCHING_PROTOCOLS = 101;

    /** No object is larger; lists are read while they come. */
    private static final long MAX_BODY_BYTES = 16L << 20;

    private static final HttpResponse.BodyHandler<byte[]> WHOLE_BODY =
            HttpResponse.BodyHandlers.limiting(
                    HttpResponse.BodyHandlers.ofByteArray(), MAX_BODY_BYTES);

    private static final double FUSE_PER_SECOND = 300;
    private static final double FUSE_BURST = 1000;

    private final KubeConfig config;
    private final String userAgent;
    private final Duration attemptDeadline;
    private final Duration callDeadline;
    private final Connections calls;
    private final Connections watches;
    private final RestMetrics metrics;
    private final Warnings warnings = new Warnings();
    private final Reachability reachability;
    private final TokenBucket fuse =
            new TokenBucket(FUSE_PER_SECOND, FUSE_BURST, System.nanoTime());

    /** Reads the body of an answer with a success code, once for each attempt. */
    interface BodyReader<T> {
        T read(Call call, InputStream body, boolean gzip) throws IOException, ApiException;
    }

    private interface Attempt<T> {
        T make(long deadlineNanos) throws ApiException, InterruptedException;
    }

    Transport(
            KubeConfig config,
            String userAgent,
            Duration attemptDeadline,
            Duration callDeadline,
            MetricsRegistry registry) {
        this.config = config;
        this.userAgent = userAgent;
        this.attemptDeadline = attemptDeadline;
        this.callDeadline = callDeadline;
        this.calls = new Connections(config, "kube-call-");
        this.watches = new Connections(config, "kube-watch-");
        this.metrics = new RestMetrics(registry, config.server().getAuthority());
        this.reachability = new Reachability(config.server());
    }

    /** Sends a call, repeats it where that is safe, and returns the body of a successful answer. */
    byte[] send(Call call, WriteGuard guard) throws ApiException, InterruptedException {
        return repeated(call, deadline -> attempt(call, guard, deadline));
    }

    /** Sends a read whose answer may be large, and hands its body on while it comes. */
    <T> T read(Call call, BodyReader<T> reader) throws ApiException, InterruptedException {
        return repeated(call, deadline -> attempt(call, reader, deadline));
    }

    private <T> T repeated(Call call, Attempt<T> work) throws ApiException, InterruptedException {
        long deadline = System.nanoTime() + callDeadline.toNanos();
        throttle(call);
        boolean lost = false;
        for (int attempt = 1; ; attempt++) {
            try {
                return work.make(deadline);
            } catch (ApiException e) {
                lost |= call.writes() && e.outcomeUnknown();
                var wait = RetryPolicy.delay(call, e, attempt);
                if (wait.isEmpty() || wait.get().toNanos() >= deadline - System.nanoTime()) {
                    throw told(lost ? e.afterLostAttempt() : e);
                }
                metrics.retried(call, e.code() == 0 ? "<error>" : Integer.toString(e.code()));
                LOG.log(DEBUG, () -> "request will be repeated after=" + wait.get() + " " + e);
                Thread.sleep(wait.get());
            }
        }
    }

    private ApiException told(ApiException failure) {
        if (failure instanceof ApiException.Unreachable unreachable) {
            reachability.failed(unreachable);
        }
        return failure;
    }

    private void throttle(Call call) throws InterruptedException {
        long start = System.nanoTime();
        var wait = fuse.take(start);
        if (wait.isPositive()) {
            Thread.sleep(wait);
            metrics.throttled(call, start);
        }
    }

    /** Makes one attempt, and one more after a 401 if new credentials may help. */
    private byte[] attempt(Call call, WriteGuard guard, long deadlineNanos)
            throws ApiException, InterruptedException {
        var authorization = authorization(call);
        var response = exchange(call, guard, authorization, deadlineNanos);
        if (response.statusCode() == 401 && refresh(call, authorization)) {
            response = exchange(call, guard, authorization(call), deadlineNanos);
        }
        var body = response.body();
        if (response.statusCode() >= 300) {
            throw ErrorBody.read(call, response.statusCode(), response.headers(), body);
        }
        return body;
    }

    private <T> T attempt(Call call, BodyReader<T> reader, long deadlineNanos)
            throws ApiException, InterruptedException {
        long start = System.nanoTime();
        long end = Math.min(start + attemptDeadline.toNanos(), deadlineNanos);
        var response = opened(calls, call, end);
        try (var feed = response.body()) {
            if (response.statusCode() >= 300) {
                metrics.answered(call, response.statusCode(), start, 0);
                throw refused(call, response);
            }
            warnings.report(response.headers());
            var raw = new FeedStream(feed, end);
            var read = reader.read(call, raw, isGzip(response));
            raw.transferTo(OutputStream.nullOutputStream()); // so that the connection is kept
            metrics.answered(call, response.statusCode(), start, raw.count());
            return read;
        } catch (InterruptedIOException e) {
            Thread.interrupted();
            throw (InterruptedException) new InterruptedException().initCause(e);
        } catch (IOException e) {
            metrics.failed(call, start);
            throw silence(call, e);
        }
    }

    private static boolean isGzip(HttpResponse<?> response) {
        return response.headers().firstValue("content-encoding").orElse("").equals("gzip");
    }

    private HttpResponse<byte[]> exchange(
            Call call, WriteGuard guard, Optional<String> authorization, long deadlineNanos)
            throws ApiException, InterruptedException {
        long start = System.nanoTime();
        var request = request(call, authorization);
        long nanos = Math.min(attemptDeadline.toNanos(), deadlineNanos - start);
        var asked = call.writes() ? guard : WriteGuard.NONE;
        if (!asked.left().isPositive()) {
            throw ApiException.fenced(call.action(), false);
        }
        try {
            var answer = calls.send(request, WHOLE_BODY);
            var response = await(call, asked, answer, start + nanos);
            metrics.answered(call, response.statusCode(), start, response.body().length);
            reachability.answered();
            warnings.report(response.headers());
            return response;
        } catch (IOException e) {
            metrics.failed(call, start);
            throw silence(call, e);
        }
    }

    /** Waits for the answer; the guard is asked again, since it may have got more time. */
    private static <T> T await(Call call, WriteGuard guard, Future<T> answer, long endNanos)
            throws ApiException, IOException, InterruptedException {
        while (true) {
            var left = guard.left();
            if (!left.isPositive()) {
                answer.cancel(true);
                throw ApiException.fenced(call.action(), true);
            }
            long nanos = endNanos - System.nanoTime();
            try {
                return await(answer, Math.min(nanos, left.toNanos()));
            } catch (TimeoutException _) {
                if (nanos <= left.toNanos()) {
                    answer.cancel(true); // aborts the exchange; its connection is not reused
                    throw new HttpTimeoutException("no complete answer before the deadline");
                }
            }
        }
    }

    private static <T> T await(Future<T> answer, long nanos)
            throws IOException, TimeoutException, InterruptedException {
        try {
            return answer.get(Math.max(1, nanos), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            answer.cancel(true);
            throw e;
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        }
    }

    /**
     * The client throws a copy of the failure, sometimes of another type, with the failure as
     * cause.
     */
    private static IOException failure(Throwable thrown) {
        if (thrown instanceof IOException copy) {
            return copy.getCause() instanceof IOException original ? original : copy;
        }
        return new IOException(thrown);
    }

    private static ApiException silence(Call call, IOException cause) {
        boolean neverSent =
                cause instanceof ConnectException
                        || cause instanceof HttpConnectTimeoutException
                        || cause instanceof UnknownHostException
                        || cause.getCause() instanceof UnresolvedAddressException
                        || cause instanceof SSLHandshakeException;
        boolean mayHaveWritten = call.writes() && !neverSent;
        return ApiException.unreachable(call.action(), mayHaveWritten, cause);
    }

    private Optional<String> authorization(Call call) throws ApiException {
        try {
            return config.authorization();
        } catch (IOException e) {
            throw ApiException.unreachable(call.action(), false, e);
        }
    }

    private boolean refresh(Call call, Optional<String> refused) throws ApiException {
        try {
            return config.refresh(refused);
        } catch (IOException e) {
            throw ApiException.unreachable(call.action(), false, e);
        }
    }

    private HttpRequest request(Call call, Optional<String> authorization) {
        var body =
                call.body() == null
                        ? HttpRequest.BodyPublishers.noBody()
                        : HttpRequest.BodyPublishers.ofByteArray(call.body());
        var request =
                HttpRequest.newBuilder(URI.create(config.server() + call.path()))
                        .method(call.method(), body)
                        .setHeader("User-Agent", userAgent)
                        .setHeader("Accept", call.accept());
        if (call.body() != null) {
            request.setHeader("Content-Type", call.contentType());
        }
        if (call.gzip()) {
            request.setHeader("Accept-Encoding", "gzip");
        }
        authorization.ifPresent(value -> request.setHeader("Authorization", value));
        config.impersonate(request::header);
        return request.build();
    }

    /** Opens a watch; failures go straight to the caller, who knows what to do next. */
    WatchStream watch(Call call) throws ApiException, InterruptedException {
        long start = System.nanoTime();
        HttpResponse<ByteFeed> response;
        try {
            response = opened(watches, call, start + WATCH_OPEN_DEADLINE.toNanos());
        } catch (ApiException.Unreachable e) {
            throw told(e);
        }
        metrics.answered(call, response.statusCode(), start, 0);
        if (response.statusCode() == 200) {
            warnings.report(response.headers());
            return new WatchStream(call.action(), response.body());
        }
        try (var _ = response.body()) {
            throw refused(call, response);
        } catch (IOException e) {
            throw silence(call, e);
        }
    }

    /** Opens a WebSocket on a connection of its own, which the caller ends. */
    WebSocket socket(Call call, List<String> protocols) throws ApiException, InterruptedException {
        throttle(call);
        var authorization = authorization(call);
        try {
            return socket(call, authorization, protocols);
        } catch (ApiException.Unauthorized e) {
            if (!refresh(call, authorization)) {
                throw e;
            }
            return socket(call, authorization(call), protocols);
        }
    }

    private WebSocket socket(Call call, Optional<String> authorization, List<String> protocols)
            throws ApiException, InterruptedException {
        long start = System.nanoTime();
        var opening = handshake(call, authorization, protocols).begin(config);
        try {
            var socket = await(call, WriteGuard.NONE, opening, start + attemptDeadline.toNanos());
            metrics.answered(call, SWITCHING_PROTOCOLS, start, 0);
            return socket;
        } catch (IOException e) {
            if (e.getCause() instanceof Refusal refusal) {
                metrics.answered(call, refusal.code(), start, 0);
                var headers = HttpHeaders.of(refusal.headers(), (_, _) -> true);
                throw ErrorBody.read(call, refusal.code(), headers, refusal.body());
            }
            metrics.failed(call, start);
            throw silence(call, e);
        }
    }

    private Handshake handshake(Call call, Optional<String> authorization, List<String> protocols) {
        var headers = new ArrayList<Handshake.Header>();
        headers.add(new Handshake.Header("User-Agent", userAgent));
        authorization.ifPresent(a -> headers.add(new Handshake.Header("Authorization", a)));
        config.impersonate((name, value) -> headers.add(new Handshake.Header(name, value)));
        return new Handshake(URI.create(config.server() + call.path()), headers, protocols);
    }

    private ApiException refused(Call call, HttpResponse<ByteFeed> response)
            throws IOException, InterruptedException {
        var body = response.body().readAll(MAX_ERROR_BYTES, attemptDeadline);
        return ErrorBody.read(call, response.statusCode(), response.headers(), body);
    }

    /** Returns the answer as soon as its headers are there, after a 401 that of a second try. */
    private HttpResponse<ByteFeed> opened(Connections connections, Call call, long endNanos)
            throws ApiException, InterruptedException {
        var authorization = authorization(call);
        var response = open(connections, call, authorization, endNanos);
        if (response.statusCode() == 401 && refresh(call, authorization)) {
            response.body().close();
            return open(connections, call, authorization(call), endNanos);
        }
        return response;
    }

    private HttpResponse<ByteFeed> open(
            Connections connections, Call call, Optional<String> authorization, long endNanos)
            throws ApiException, InterruptedException {
        long start = System.nanoTime();
        try {
            var answer = connections.send(request(call, authorization), _ -> new ByteFeed());
            var response = await(call, WriteGuard.NONE, answer, endNanos);
            reachability.answered();
            return response;
        } catch (IOException e) {
            metrics.failed(call, start);
            throw silence(call, e);
        }
    }

    @Override
    public void close() {
        calls.close();
        watches.close();
    }
}
