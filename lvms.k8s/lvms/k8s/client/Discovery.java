package lvms.k8s.client;

import lvms.k8s.discovery.ServedTypes;
import lvms.k8s.object.ResourceType;
import lvms.k8s.tree.JsonException;
import lvms.k8s.tree.ObjectTree;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Asks which types the server serves, and remembers the answers briefly. That a type is missing is
 * read from the list of all types, never from a 404.
 */
final class Discovery {
    private static final long FOUND_NANOS = Duration.ofMinutes(1).toNanos();
    private static final long MISSING_NANOS = Duration.ofSeconds(10).toNanos();
    private static final String CORE = "/api";
    private static final String GROUPS = "/apis";

    private record Answer(ServedTypes served, long atNanos) {
        boolean isYounger(long nanos) {
            return System.nanoTime() - atNanos < nanos;
        }
    }

    private final Map<String, Answer> answers = new ConcurrentHashMap<>();

    /** Sends a read and returns the parsed body. */
    interface Reader {
        ObjectTree read(Call call) throws ApiException, InterruptedException;
    }

    boolean serves(ResourceType type, Reader reader) throws ApiException, InterruptedException {
        var path = type.group().isEmpty() ? CORE : GROUPS;
        var known = answers.get(path);
        if (known != null) {
            boolean found = known.served.serving(type).isPresent();
            if (known.isYounger(found ? FOUND_NANOS : MISSING_NANOS)) {
                return found;
            }
        }
        return ask(path, reader).serving(type).isPresent();
    }

    /** Returns all types, the core group's first. */
    ServedTypes all(Reader reader) throws ApiException, InterruptedException {
        return recent(CORE, reader).and(recent(GROUPS, reader));
    }

    private ServedTypes recent(String path, Reader reader)
            throws ApiException, InterruptedException {
        var known = answers.get(path);
        return known != null && known.isYounger(MISSING_NANOS) ? known.served : ask(path, reader);
    }

    private ServedTypes ask(String path, Reader reader) throws ApiException, InterruptedException {
        var call = Call.discovery(path);
        try {
            var served = ServedTypes.of(reader.read(call));
            answers.put(path, new Answer(served, System.nanoTime()));
            return served;
        } catch (JsonException e) {
            throw ApiException.unreachable(call.action(), false, e);
        }
    }
}
