package lvms.k8s.client;

import lvms.k8s.client.body.Expected;
import lvms.k8s.client.wire.Call;
import lvms.k8s.client.wire.Urls;
import lvms.k8s.discovery.ServedTypes;
import lvms.k8s.object.ResourceType;
import lvms.k8s.tree.JsonException;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Asks what the server is and which types it serves, and remembers briefly which they are. That a
 * type is missing is read from the list of all types, never from a 404.
 */
final class Discovery {
    private static final long FOUND_NANOS = Duration.ofMinutes(1).toNanos();
    private static final long MISSING_NANOS = Duration.ofSeconds(10).toNanos();
    private static final String CORE = "/api";
    private static final String GROUPS = "/apis";
    private static final String VERSION = "/version";

    private record Answer(ServedTypes served, long atNanos) {
        boolean isYounger(long nanos) {
            return System.nanoTime() - atNanos < nanos;
        }
    }

    private final Map<String, Answer> answers = new ConcurrentHashMap<>();

    boolean serves(ResourceType type, Caller caller) throws ApiException, InterruptedException {
        var path = type.group().isEmpty() ? CORE : GROUPS;
        var known = answers.get(path);
        if (known != null) {
            boolean found = known.served.serving(type).isPresent();
            if (known.isYounger(found ? FOUND_NANOS : MISSING_NANOS)) {
                return found;
            }
        }
        return ask(path, caller).serving(type).isPresent();
    }

    /** Returns all types, the core group's first. */
    ServedTypes all(Caller caller) throws ApiException, InterruptedException {
        return recent(CORE, caller).and(recent(GROUPS, caller));
    }

    private ServedTypes recent(String path, Caller caller)
            throws ApiException, InterruptedException {
        var known = answers.get(path);
        return known != null && known.isYounger(MISSING_NANOS) ? known.served : ask(path, caller);
    }

    private ServedTypes ask(String path, Caller caller) throws ApiException, InterruptedException {
        var call = Call.discovery(path);
        try {
            var served = ServedTypes.of(caller.tree(call));
            answers.put(path, new Answer(served, System.nanoTime()));
            return served;
        } catch (JsonException e) {
            throw ApiException.unreachable(call.action(), false, e);
        }
    }

    /** Returns what the server does with objects of the type now. */
    static Set<String> verbs(ResourceType type, Caller caller)
            throws ApiException, InterruptedException {
        var call = Call.resources(Urls.groupVersion(type));
        return caller.tree(call, Expected.resources()).objects("resources").stream()
                .filter(resource -> resource.text("name").equals(Optional.of(type.plural())))
                .flatMap(resource -> resource.texts("verbs").stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns the git version of the server. */
    static String version(Caller caller) throws ApiException, InterruptedException {
        var version = caller.tree(Call.read("get", VERSION, VERSION));
        return version.text("gitVersion").orElse("");
    }
}
