package lvms.k8s.testkit;

import lvms.k8s.testkit.fault.RequestFaults;
import lvms.k8s.testkit.fault.RequestFaults.Instead;
import lvms.k8s.testkit.fault.RequestFaults.Sending;
import lvms.k8s.testkit.fault.WatchControl;
import lvms.k8s.testkit.http.Exchange;
import lvms.k8s.testkit.http.HttpRequest;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/** What a test does to a server, and what it sees of the traffic. Safe for any thread. */
public final class Faults {
    /**
     * One request as the server received it.
     *
     * @param target the path as sent, without the query
     * @param query its decoded parameters, with the first value of each
     * @param headers by lower-case name
     */
    public record Seen(
            String method,
            String target,
            Map<String, String> query,
            Map<String, String> headers,
            String body) {}

    private final ApiServer server;
    private final RequestFaults requests;
    private final WatchControl watches;

    Faults(ApiServer server, RequestFaults requests, WatchControl watches) {
        this.server = server;
        this.requests = requests;
        this.watches = watches;
    }

    /** Answers the next matching requests with a code and this JSON or plain text. */
    public void answer(Predicate<Seen> fits, int times, int code, String body) {
        answer(fits, times, code, body, "");
    }

    /** The same with a Retry-After header, unless it is empty. */
    public void answer(Predicate<Seen> fits, int times, int code, String body, String retryAfter) {
        var type = body.startsWith("{") ? "application/json" : "text/plain; charset=utf-8";
        Instead answer =
                exchange -> {
                    if (!retryAfter.isEmpty()) {
                        exchange.header("Retry-After", retryAfter);
                    }
                    exchange.send(code, type, body.getBytes(StandardCharsets.UTF_8));
                };
        instead("answer " + code, fits, times, answer);
    }

    /** Cuts the connections of the next matching requests before anything is done. */
    public void cutBefore(Predicate<Seen> fits, int times) {
        instead("cutBefore", fits, times, Exchange::cut);
    }

    /** Leaves the next matching requests undone and unanswered until their client leaves. */
    public void stall(Predicate<Seen> fits, int times) {
        instead("stall", fits, times, Exchange::hold);
    }

    /** Performs the next matching requests, but cuts their connections instead of answering. */
    public void cutAfter(Predicate<Seen> fits, int times) {
        sending("cutAfter", fits, times, (exchange, _, _, _) -> exchange.cut());
    }

    /** Cuts the answers to the next matching requests after {@code bytes} bytes of the body. */
    public void cutBody(Predicate<Seen> fits, int times, int bytes) {
        sending("cutBody", fits, times, part(bytes, Exchange::cut));
    }

    /** The same, but it sends no more instead of cutting, until the client leaves. */
    public void stallBody(Predicate<Seen> fits, int times, int bytes) {
        sending("stallBody", fits, times, part(bytes, Exchange::hold));
    }

    private static Sending part(int bytes, Instead end) {
        return (exchange, code, type, body) -> {
            exchange.sendPart(code, type, body, bytes);
            end.happen(exchange);
        };
    }

    /** Sends the bodies of the next matching answers in pieces, over a time. */
    public void slowBody(Predicate<Seen> fits, int times, Duration time) {
        sending(
                "slowBody",
                fits,
                times,
                (e, code, type, body) -> e.sendSlowly(code, type, body, time));
    }

    private void instead(String name, Predicate<Seen> fits, int times, Instead effect) {
        requests.before(name, r -> fits.test(seen(r)), effect, times);
    }

    private void sending(String name, Predicate<Seen> fits, int times, Sending effect) {
        requests.after(name, r -> fits.test(seen(r)), effect, times);
    }

    /** Removes the request faults. */
    public void clear() {
        requests.clear();
    }

    /**
     * How often each kind of fault met something: a fault that nobody came across proves nothing.
     *
     * <p>The kinds are named as the methods here, answers with their code ({@code answer 429}).
     * Beside them: {@code refusal 401} and the like for what the server refused of its own, {@code
     * page 410} for a continue token, {@code timeoutSeconds} for a watch whose time was over,
     * {@code stop} for connections that were cut by it, and {@code restart} for a watch from a
     * version that was forgotten since.
     */
    public Map<String, Long> hits() {
        return requests.hits().all();
    }

    /** Counts the matching requests from now on. */
    public LongSupplier count(Predicate<Seen> fits) {
        return requests.count(r -> fits.test(seen(r)));
    }

    /** How many connections are open. */
    public int connections() {
        return server.connections();
    }

    /** The requests so far, in the order they came. */
    public List<Seen> requests() {
        return requests.log().stream().map(Faults::seen).toList();
    }

    /** Forgets the requests so far. */
    public void forgetRequests() {
        requests.forget();
    }

    /** Sends a bookmark on every watch that allows bookmarks. */
    public void bookmark() {
        watches.bookmark();
        server.backend().wakeWatches();
    }

    /** Ends all watches cleanly. */
    public void endWatches() {
        watches.end();
        server.backend().wakeWatches();
    }

    /** Cuts the connections of all watches. */
    public void cutWatches() {
        watches.cut();
        server.backend().wakeWatches();
    }

    /** Cuts every watch once it has sent this many bytes; {@link Long#MAX_VALUE} for never. */
    public void cutWatchesAfter(long bytes) {
        watches.cutAfterBytes(bytes);
    }

    /**
     * While on, watches stay open but silent, as over a connection that lets nothing through. One
     * that lost an event that way stays silent until its client leaves, past the time that it was
     * opened for, or until a test ends or cuts it.
     */
    public void stallWatches(boolean on) {
        watches.stall(on);
    }

    /** Whether expired revisions give an ERROR event instead of status 410. */
    public void expiryAsEvent(boolean on) {
        watches.expiryAsEvent(on);
    }

    /** Whether watches send each event twice. */
    public void duplicateEvents(boolean on) {
        watches.duplicate(on);
    }

    /**
     * Whether events of different objects change places where a watch sends several together, as no
     * real server does. Only of the cluster in memory.
     */
    public void reorderEvents(boolean on) {
        watches.reorder(on);
    }

    /** Whether watches send a few bytes at a time, at most a hundred kilobytes a second. */
    public void slowWatches(boolean on) {
        watches.slow(on);
    }

    /** Whether streaming lists ({@code sendInitialEvents}) are served; otherwise they get 422. */
    public void streamingLists(boolean on) {
        watches.streamingLists(on);
    }

    /** Expires every resource version and continue token so far. */
    public void compact() {
        server.backend().compact();
    }

    /** Advances the resource version, as writes of other types would. */
    public void advanceRevision(long distance) {
        server.backend().advance(distance);
    }

    private static Seen seen(HttpRequest request) {
        var query = new LinkedHashMap<String, String>();
        request.query().forEach((name, values) -> query.put(name, values.getFirst()));
        return new Seen(
                request.method(),
                request.rawPath(),
                query,
                Map.copyOf(request.headers()),
                new String(request.body(), StandardCharsets.UTF_8));
    }
}
