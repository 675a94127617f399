package lvms.k8s.client;

import lvms.k8s.object.ResourceType;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;

import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Asks which types the server serves, and remembers the answers briefly. */
final class Discovery {
    private static final long FOUND_NANOS = Duration.ofMinutes(1).toNanos();
    private static final long MISSING_NANOS = Duration.ofSeconds(10).toNanos();

    private record Answer(Set<String> plurals, long atNanos) {
        boolean usable(String plural, long now) {
            return now - atNanos < (plurals.contains(plural) ? FOUND_NANOS : MISSING_NANOS);
        }
    }

    private final Map<String, Answer> answers = new ConcurrentHashMap<>();

    /** Sends a read of a path and returns the parsed body. */
    interface Reader {
        ObjectTree read(String path) throws ApiException, InterruptedException;
    }

    boolean serves(ResourceType type, Reader reader) throws ApiException, InterruptedException {
        var path = Urls.groupVersion(type);
        var answer = answers.get(path);
        if (answer == null || !answer.usable(type.plural(), System.nanoTime())) {
            answer = new Answer(plurals(path, reader), System.nanoTime());
            answers.put(path, answer);
        }
        return answer.plurals.contains(type.plural());
    }

    private static Set<String> plurals(String path, Reader reader)
            throws ApiException, InterruptedException {
        var plurals = new HashSet<String>();
        try {
            if (reader.read(path).at("resources") instanceof ListTree resources) {
                for (var element : resources) {
                    if (element instanceof ObjectTree resource) {
                        resource.text("name").ifPresent(plurals::add);
                    }
                }
            }
        } catch (ApiException.NotFound _) {
            return Set.of(); // the server has no such group or version
        }
        return plurals;
    }
}
