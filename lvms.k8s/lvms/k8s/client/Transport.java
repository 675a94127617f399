package lvms.k8s.client;

import static java.lang.System.Logger.Level.DEBUG;

import lvms.k8s.client.body.ByteFeed;
import lvms.k8s.client.body.FeedStream;
import lvms.k8s.client.body.WholeBody;
import lvms.k8s.client.wire.Call;
import lvms.k8s.client.wire.Connections;
import lvms.k8s.client.wire.Deadline;
import lvms.k8s.client.wire.Reachability;
import lvms.k8s.client.wire.RestMetrics;
import lvms.k8s.client.wire.Route;
import lvms.k8s.client.wire.TokenBucket;
import lvms.k8s.client.wire.Warnings;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.websocket.Handshake;
import lvms.k8s.websocket.Refusal;
import lvms.k8s.websocket.WebSocket;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;

/**
 * Sends requests: credentials, deadlines, retries, metrics.
 *
 * <p>One deadline covers a whole attempt including its body, since {@link HttpRequest#timeout()}
 * ends at the response headers. Another covers all attempts of a call. The body of a list, which is
 * as long as the collection is large, may come for longer, but must not stop for that long.
 */
final class Transport implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Transport.class.getName());
    private static final Duration WATCH_OPEN_DEADLINE = Duration.ofSeconds(75); // > bookmark period
    private static final int MAX_ERROR_BYTES = 1 << 16;
    private static final int SWITCHING_PROTOCOLS = 101;

    /** No object is larger; lists are read while they come. */
    private static final int MAX_BODY_BYTES = 16 << 20;

    private static final HttpResponse.BodyHandler<byte[]> WHOLE_BODY =
            WholeBody.handler(MAX_BODY_BYTES, MAX_ERROR_BYTES);

    private final KubeConfig config;
    private final ClientOptions options;
    private final Connections calls;
    private final Connections watches;
    private final RestMetrics metrics;
    private final ErrorBody errors;
    private final Warnings warnings = new Warnings();
    private final Reachability reachability;
    private final Route route;
    private final TokenBucket limiter;

    /** Reads the body of an answer with a success code, once for each attempt. */
    interface BodyReader<T> {
        T read(Call call, InputStream body, boolean gzip, ErrorBody errors)
                throws IOException, ApiException;
    }

    private interface Attempt<T> {
        T make(Deadline end) throws ApiException, InterruptedException;
    }

    Transport(KubeConfig config, ClientOptions options) {
        this.config = config;
        this.options = options;
        this.calls = new Connections(config, "kube-call-");
        this.watches = new Connections(config, "kube-watch-");
        this.metrics = new RestMetrics(options.metrics(), config);
        this.errors = new ErrorBody(config);
        this.reachability = new Reachability(config.server());
        this.route = new Route(config.server(), config.proxy());
        this.limiter =
                new TokenBucket(options.requestsPerSecond(), options.burst(), System.nanoTime());
    }

    /** Sends a call, repeats it where that is safe, and returns the body of a successful answer. */
    byte[] send(Call call, WriteGuard guard, Deadline end)
            throws ApiException, InterruptedException {
        return repeated(call, end, attemptEnd -> attempt(call, guard, attemptEnd));
    }

    /**
     * Sends a read whose answer may be large, and hands its body on while it comes.
     *
     * @param end after which no further attempt begins to be answered
     * @param bodyEnd of a body that flows
     */
    <T> T read(Call call, BodyReader<T> reader, Deadline end, Deadline bodyEnd)
            throws ApiException, InterruptedException {
        return repeated(call, end, attemptEnd -> attempt(call, reader, attemptEnd, bodyEnd));
    }

    /** Each attempt has a deadline of its own, so that a dead connection leaves time for others. */
    private <T> T repeated(Call call, Deadline end, Attempt<T> work)
            throws ApiException, InterruptedException {
        throttle(call, end);
        boolean lost = false;
        for (int attempt = 1; ; attempt++) {
            try {
                return work.make(end.atMost(options.attemptDeadline()));
            } catch (ApiException e) {
                lost |= call.writes() && e.outcomeUnknown();
                var wait = RetryPolicy.delay(call, e, attempt);
                if (wait.isEmpty() || wait.get().compareTo(end.left()) >= 0) {
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
            reachability.failed(unreachable.status().message());
        }
        return failure;
    }

    private void throttle(Call call, Deadline end) throws ApiException, InterruptedException {
        long start = System.nanoTime();
        var wait = limiter.take(start);
        if (wait.compareTo(end.left()) > 0) {
            limiter.giveBack();
            var cause = new IOException("the client's own limit of requests leaves no time for it");
            throw ApiException.unreachable(call.action(), false, cause);
        }
        if (wait.isPositive()) {
            Thread.sleep(wait);
            metrics.throttled(call, start);
        }
    }

    /** Makes one attempt, and one more after a 401 if new credentials may help. */
    private byte[] attempt(Call call, WriteGuard guard, Deadline end)
            throws ApiException, InterruptedException {
        var authorization = authorization(call, end);
        var response = exchange(call, guard, authorization, end);
        if (response.statusCode() == 401 && refresh(call, authorization, end)) {
            response = exchange(call, guard, authorization(call, end), end);
        }
        var body = response.body();
        if (response.statusCode() >= 300) {
            throw errors.read(call, response.statusCode(), response.headers(), body);
        }
        return body;
    }

    private <T> T attempt(Call call, BodyReader<T> reader, Deadline end, Deadline bodyEnd)
            throws ApiException, InterruptedException {
        long start = System.nanoTime();
        int epoch = calls.epoch();
        var response = opened(calls, call, end);
        try (var feed = response.body()) {
            if (response.statusCode() >= 300) {
                metrics.answered(call, response.statusCode(), start, 0);
                throw refused(call, response, end);
            }
            warn(response);
            var raw = new FeedStream(feed, options.attemptDeadline(), bodyEnd.nanos());
            var read = reader.read(call, raw, isGzip(response), errors);
            raw.transferTo(OutputStream.nullOutputStream()); // so that the connection is kept
            metrics.answered(call, response.statusCode(), start, raw.count());
            return read;
        } catch (InterruptedIOException e) {
            Thread.interrupted();
            throw (InterruptedException) new InterruptedException().initCause(e);
        } catch (IOException e) {
            metrics.failed(call, start);
            leaveDead(calls, epoch, e);
            throw silence(call, e);
        }
    }

    /** The other connections may be as dead as the one that gave no answer. */
    private static void leaveDead(Connections connections, int epoch, IOException failure) {
        if (failure instanceof HttpTimeoutException
                && !(failure instanceof HttpConnectTimeoutException)) {
            connections.silent(epoch);
        }
    }

    private void warn(HttpResponse<?> response) {
        warnings.report(response.headers().allValues("warning"));
    }

    private static boolean isGzip(HttpResponse<?> response) {
        return response.headers().firstValue("content-encoding").orElse("").equals("gzip");
    }

    private HttpResponse<byte[]> exchange(
            Call call, WriteGuard guard, Optional<String> authorization, Deadline end)
            throws ApiException, InterruptedException {
        long start = System.nanoTime();
        var request = request(call, authorization);
        var asked = call.writes() ? guard : WriteGuard.NONE;
        ask(call, asked);
        int epoch = calls.epoch();
        try {
            var answer = calls.send(request, WHOLE_BODY);
            var response = await(call, asked, answer, end);
            requireTunnel(call, response, start);
            metrics.answered(call, response.statusCode(), start, response.body().length);
            reachability.answered();
            warn(response);
            return response;
        } catch (IOException e) {
            metrics.failed(call, start);
            leaveDead(calls, epoch, e);
            throw silence(call, e);
        }
    }

    private static void ask(Call call, WriteGuard guard) throws ApiException {
        if (!guard.left().isPositive()) {
            throw ApiException.fenced(call.action(), false);
        }
    }

    /** Returns the failure that the body of a 200 answer may carry. */
    Optional<ApiException> failureIn(Call call, ObjectTree body) {
        return errors.failureIn(call, body);
    }

    /** The JDK hands out the 407 of a proxy without a body, not even an empty one. */
    private void requireTunnel(Call call, HttpResponse<?> response, long startNanos)
            throws ApiException {
        if (response.body() == null) {
            metrics.answered(call, response.statusCode(), startNanos, 0);
            throw errors.read(call, response.statusCode(), response.headers(), new byte[0]);
        }
    }

    /** Waits for the answer; the guard is asked again, since it may have got more time. */
    private static <T> T await(Call call, WriteGuard guard, Future<T> answer, Deadline end)
            throws ApiException, IOException, InterruptedException {
        while (true) {
            var left = guard.left();
            if (!left.isPositive()) {
                answer.cancel(true);
                throw ApiException.fenced(call.action(), true);
            }
            long nanos = end.nanos() - System.nanoTime();
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

    private ApiException silence(Call call, IOException cause) {
        boolean missing = Route.isMissing(cause);
        boolean neverSent = missing || cause instanceof SSLHandshakeException;
        boolean mayHaveWritten = call.writes() && !neverSent;
        var told = missing ? route.explained(cause) : withIdentity(cause);
        return ApiException.unreachable(call.action(), mayHaveWritten, told);
    }

    /** A server that refuses our certificate says little, and we know more. */
    private IOException withIdentity(IOException cause) {
        var problem = config.identityProblem(Instant.now());
        if (!(cause instanceof SSLException) || problem.isEmpty()) {
            return cause;
        }
        var told = new SSLHandshakeException(cause.getMessage() + "; " + problem.get());
        told.initCause(cause);
        return told;
    }

    private Optional<String> authorization(Call call, Deadline end)
            throws ApiException, InterruptedException {
        try {
            return config.authorization(end.left());
        } catch (IOException e) {
            throw ApiException.unreachable(call.action(), false, e);
        }
    }

    private boolean refresh(Call call, Optional<String> refused, Deadline end)
            throws ApiException, InterruptedException {
        try {
            return config.refresh(refused, end.left());
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
                        .setHeader("User-Agent", options.userAgent())
                        .setHeader("Accept", call.accept());
        if (call.body() != null) {
            request.setHeader("Content-Type", call.contentType());
        }
        if (call.gzip() && config.compression()) {
            request.setHeader("Accept-Encoding", "gzip");
        }
        authorization.ifPresent(value -> request.setHeader("Authorization", value));
        config.proxyAuthorization()
                .ifPresent(value -> request.setHeader("Proxy-Authorization", value));
        config.impersonate(request::header);
        return request.build();
    }

    /** Opens a watch; failures go straight to the caller, who knows what to do next. */
    WatchStream watch(Call call) throws ApiException, InterruptedException {
        var body = stream(call, Deadline.in(WATCH_OPEN_DEADLINE));
        return new WatchStream(call.action(), body, errors::said);
    }

    /**
     * Opens a body that may go on for ever; the caller closes it.
     *
     * @param end of the opening
     */
    ByteFeed stream(Call call, Deadline end) throws ApiException, InterruptedException {
        long start = System.nanoTime();
        HttpResponse<ByteFeed> response;
        try {
            response = opened(watches, call, end);
        } catch (ApiException.Unreachable e) {
            throw told(e);
        }
        metrics.answered(call, response.statusCode(), start, 0);
        if (response.statusCode() == 200) {
            warn(response);
            return response.body();
        }
        try (var _ = response.body()) {
            throw refused(call, response, end);
        }
    }

    /** Opens a WebSocket on a connection of its own, which the caller ends. */
    WebSocket socket(Call call, WriteGuard guard, List<String> protocols, Deadline callEnd)
            throws ApiException, InterruptedException {
        throttle(call, callEnd);
        var end = callEnd.atMost(options.attemptDeadline());
        var authorization = authorization(call, end);
        try {
            return socket(call, guard, authorization, protocols, end);
        } catch (ApiException.Unauthorized e) {
            if (!refresh(call, authorization, end)) {
                throw e;
            }
            return socket(call, guard, authorization(call, end), protocols, end);
        }
    }

    private WebSocket socket(
            Call call,
            WriteGuard guard,
            Optional<String> authorization,
            List<String> protocols,
            Deadline end)
            throws ApiException, InterruptedException {
        long start = System.nanoTime();
        ask(call, guard);
        var opening = handshake(call, authorization, protocols).begin(config);
        try {
            var socket = await(call, guard, opening, end);
            metrics.answered(call, SWITCHING_PROTOCOLS, start, 0);
            return socket;
        } catch (IOException e) {
            if (e.getCause() instanceof Refusal refusal) {
                metrics.answered(call, refusal.code(), start, 0);
                var headers = HttpHeaders.of(refusal.headers(), (_, _) -> true);
                throw errors.read(call, refusal.code(), headers, refusal.body());
            }
            metrics.failed(call, start);
            throw silence(call, e);
        }
    }

    private Handshake handshake(Call call, Optional<String> authorization, List<String> protocols) {
        var headers = new ArrayList<Handshake.Header>();
        headers.add(new Handshake.Header("User-Agent", options.userAgent()));
        authorization.ifPresent(a -> headers.add(new Handshake.Header("Authorization", a)));
        config.impersonate((name, value) -> headers.add(new Handshake.Header(name, value)));
        return new Handshake(URI.create(config.server() + call.path()), headers, protocols);
    }

    private ApiException refused(Call call, HttpResponse<ByteFeed> response, Deadline end)
            throws InterruptedException {
        var body = response.body().readBeginning(MAX_ERROR_BYTES, end.left());
        return errors.read(call, response.statusCode(), response.headers(), body);
    }

    /** Returns the answer as soon as its headers are there, after a 401 that of a second try. */
    private HttpResponse<ByteFeed> opened(Connections connections, Call call, Deadline end)
            throws ApiException, InterruptedException {
        var authorization = authorization(call, end);
        var response = open(connections, call, authorization, end);
        if (response.statusCode() != 401) {
            return response;
        }
        boolean kept = false;
        try {
            kept = !refresh(call, authorization, end);
        } finally {
            if (!kept) {
                response.body().close();
            }
        }
        return kept ? response : open(connections, call, authorization(call, end), end);
    }

    private HttpResponse<ByteFeed> open(
            Connections connections, Call call, Optional<String> authorization, Deadline end)
            throws ApiException, InterruptedException {
        long start = System.nanoTime();
        int epoch = connections.epoch();
        var feed = new ByteFeed();
        boolean opened = false;
        try {
            var answer = connections.send(request(call, authorization), _ -> feed);
            var response = await(call, WriteGuard.NONE, answer, end);
            requireTunnel(call, response, start);
            reachability.answered();
            opened = true;
            return response;
        } catch (IOException e) {
            metrics.failed(call, start);
            leaveDead(connections, epoch, e);
            throw silence(call, e);
        } finally {
            if (!opened) {
                feed.close(); // headers that come just now would leave a body that nobody reads
            }
        }
    }

    String userAgent() {
        return options.userAgent();
    }

    boolean closed() {
        return calls.closed();
    }

    @Override
    public void close() {
        calls.close();
        watches.close();
    }
}
