package lvms.k8s.client;

import lvms.k8s.object.ResourceType;
import lvms.k8s.tree.ObjectTree;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Asks which types the server serves, and remembers the answers briefly. That a type is missing is
 * read from the list of all types, never from a 404.
 */
final class Discovery {
    private static final long FOUND_NANOS = Duration.ofMinutes(1).toNanos();
    private static final long MISSING_NANOS = Duration.ofSeconds(10).toNanos();

    private record Answer(Set<String> served, long atNanos) {
        boolean usable(String type, long now) {
            return now - atNanos < (served.contains(type) ? FOUND_NANOS : MISSING_NANOS);
        }
    }

    private final Map<String, Answer> answers = new ConcurrentHashMap<>();

    /** Sends a read and returns the parsed body. */
    interface Reader {
        ObjectTree read(Call call) throws ApiException, InterruptedException;
    }

    boolean serves(ResourceType type, Reader reader) throws ApiException, InterruptedException {
        var path = type.group().isEmpty() ? "/api" : "/apis";
        var wanted = name(type.group(), type.version(), type.plural());
        var answer = answers.get(path);
        if (answer == null || !answer.usable(wanted, System.nanoTime())) {
            answer = new Answer(served(Call.discovery(path), reader), System.nanoTime());
            answers.put(path, answer);
        }
        return answer.served.contains(wanted);
    }

    private static Set<String> served(Call call, Reader reader)
            throws ApiException, InterruptedException {
        var list = reader.read(call);
        if (!list.text("kind").orElse("").equals("APIGroupDiscoveryList")) {
            var cause = new IOException("the answer is not the list of all types");
            throw ApiException.unreachable(call.action(), false, cause);
        }
        return list.objects("items").stream()
                .flatMap(
                        group ->
                                group.objects("versions").stream()
                                        .flatMap(
                                                version ->
                                                        version.objects("resources").stream()
                                                                .map(r -> name(group, version, r))))
                .collect(Collectors.toUnmodifiableSet());
    }

    private static String name(ObjectTree group, ObjectTree version, ObjectTree resource) {
        return name(
                group.text("metadata", "name").orElse(""),
                version.text("version").orElse(""),
                resource.text("resource").orElse(""));
    }

    private static String name(String group, String version, String plural) {
        return group + "/" + version + "/" + plural;
    }
}
