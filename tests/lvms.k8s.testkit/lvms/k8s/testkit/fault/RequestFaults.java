package lvms.k8s.testkit.fault;

import lvms.k8s.testkit.http.Exchange;
import lvms.k8s.testkit.http.HttpRequest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/** Faults for single requests, and a record of the requests. Safe for any thread. */
public final class RequestFaults {
    /** What happens to a request that matches a fault. */
    public sealed interface Effect {
        /** An answer instead of the real one. */
        record Answer(int code, String contentType, String body, Optional<String> retryAfter)
                implements Effect {}

        /** Closes the connection without an answer, before anything is done. */
        record CutBefore() implements Effect {}

        /** Performs the request, then closes the connection instead of answering. */
        record CutAfter() implements Effect {}

        /** Cuts the answer after this many bytes of its body. */
        record CutBody(int bytes) implements Effect {}
    }

    private static final int MAX_LOG = 10_000;

    private record Fault(Predicate<HttpRequest> fits, Effect effect, AtomicInteger left) {}

    private record Counter(Predicate<HttpRequest> fits, LongAdder count) {}

    private final Hits hits;
    private final List<Counter> counters = new CopyOnWriteArrayList<>();
    private final List<Fault> faults = new CopyOnWriteArrayList<>();
    private final ArrayDeque<HttpRequest> log = new ArrayDeque<>();

    /** Counts in {@code hits} whatever met a request. */
    public RequestFaults(Hits hits) {
        this.hits = hits;
    }

    /** Where faults that met something are counted. */
    public Hits hits() {
        return hits;
    }

    /** Adds a fault for the next {@code times} matching requests. */
    public void add(Predicate<HttpRequest> fits, Effect effect, int times) {
        faults.add(new Fault(fits, effect, new AtomicInteger(times)));
    }

    /** Removes all faults. */
    public void clear() {
        faults.clear();
    }

    /** The latest requests since the last call of {@link #forget}, at most 10,000. */
    public List<HttpRequest> log() {
        synchronized (log) {
            return new ArrayList<>(log);
        }
    }

    /** Empties the record of requests. */
    public void forget() {
        synchronized (log) {
            log.clear();
        }
    }

    /** Counts the matching requests from now on. */
    public LongSupplier count(Predicate<HttpRequest> fits) {
        var count = new LongAdder();
        counters.add(new Counter(fits, count));
        return count::sum;
    }

    private void record(HttpRequest request) {
        for (var counter : counters) {
            if (counter.fits().test(request)) {
                counter.count().increment();
            }
        }
        synchronized (log) {
            log.addLast(request);
            if (log.size() > MAX_LOG) {
                log.removeFirst();
            }
        }
    }

    /** Applies the faults that act before the request; true if they have answered it. */
    public boolean interfere(HttpRequest request, Exchange exchange) throws IOException {
        record(request);
        var effect = take(request, Effect.Answer.class);
        if (effect.isPresent()) {
            var answer = effect.get();
            hits.count("answer " + answer.code());
            answer.retryAfter().ifPresent(value -> exchange.header("Retry-After", value));
            exchange.send(
                    answer.code(),
                    answer.contentType(),
                    answer.body().getBytes(StandardCharsets.UTF_8));
            return true;
        }
        if (take(request, Effect.CutBefore.class).isPresent()) {
            hits.count("cutBefore");
            exchange.cut();
            return true;
        }
        return false;
    }

    /** Where to cut the body of an answer; negative if there must be no answer at all. */
    public Optional<Integer> cutBodyAt(HttpRequest request) {
        if (take(request, Effect.CutAfter.class).isPresent()) {
            hits.count("cutAfter");
            return Optional.of(-1);
        }
        var cut = take(request, Effect.CutBody.class);
        cut.ifPresent(_ -> hits.count("cutBody"));
        return cut.map(Effect.CutBody::bytes);
    }

    private <T extends Effect> Optional<T> take(HttpRequest request, Class<T> kind) {
        for (var fault : faults) {
            if (kind.isInstance(fault.effect())
                    && fault.fits().test(request)
                    && fault.left().getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
                return Optional.of(kind.cast(fault.effect()));
            }
        }
        return Optional.empty();
    }
}
