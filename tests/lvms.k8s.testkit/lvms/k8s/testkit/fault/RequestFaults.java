package lvms.k8s.testkit.fault;

import lvms.k8s.testkit.http.Exchange;
import lvms.k8s.testkit.http.HttpRequest;

import java.io.IOException;
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
    /** What happens instead of a request. */
    public interface Instead {
        /** Answers, or does not. */
        void happen(Exchange exchange) throws IOException;
    }

    /** How a request that was done is answered. */
    public interface Sending {
        /** Sends the answer, or what is left of it. */
        void send(Exchange exchange, int code, String type, byte[] body) throws IOException;
    }

    private static final int MAX_LOG = 10_000;

    private record Fault<E>(
            String name, Predicate<HttpRequest> fits, E effect, AtomicInteger left) {}

    private record Counter(Predicate<HttpRequest> fits, LongAdder count) {}

    private final Hits hits;
    private final List<Counter> counters = new CopyOnWriteArrayList<>();
    private final List<Fault<Instead>> before = new CopyOnWriteArrayList<>();
    private final List<Fault<Sending>> after = new CopyOnWriteArrayList<>();
    private final ArrayDeque<HttpRequest> log = new ArrayDeque<>();

    /** Counts in {@code hits} whatever met a request. */
    public RequestFaults(Hits hits) {
        this.hits = hits;
    }

    /** Where faults that met something are counted. */
    public Hits hits() {
        return hits;
    }

    /** Adds a fault, counted under a name, for the next {@code times} matching requests. */
    public void before(String name, Predicate<HttpRequest> fits, Instead effect, int times) {
        before.add(new Fault<>(name, fits, effect, new AtomicInteger(times)));
    }

    /** The same for the answers to them. */
    public void after(String name, Predicate<HttpRequest> fits, Sending effect, int times) {
        after.add(new Fault<>(name, fits, effect, new AtomicInteger(times)));
    }

    /** Removes all faults. */
    public void clear() {
        before.clear();
        after.clear();
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

    /** Applies the faults that act instead of the request; true if there was one. */
    public boolean interfere(HttpRequest request, Exchange exchange) throws IOException {
        record(request);
        var effect = take(before, request);
        if (effect.isPresent()) {
            effect.get().happen(exchange);
        }
        return effect.isPresent();
    }

    /** Answers a request that was done, as the faults of its answer have it. */
    public void answer(HttpRequest request, Exchange exchange, int code, String type, byte[] body)
            throws IOException {
        take(after, request).orElse(Exchange::send).send(exchange, code, type, body);
    }

    private <E> Optional<E> take(List<Fault<E>> faults, HttpRequest request) {
        for (var fault : faults) {
            if (fault.fits().test(request)
                    && fault.left().getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
                hits.count(fault.name());
                return Optional.of(fault.effect());
            }
        }
        return Optional.empty();
    }
}
