package lvms.k8s.testkit.fault;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** How often each kind of fault met a request or a watch. Safe for any thread. */
public final class Hits {
    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

    /** Counts one more of a kind. */
    public void count(String kind) {
        counts.computeIfAbsent(kind, _ -> new LongAdder()).increment();
    }

    /** The kinds that met something so far. */
    public Map<String, Long> all() {
        var all = new TreeMap<String, Long>();
        counts.forEach((kind, count) -> all.put(kind, count.sum()));
        return all;
    }
}
