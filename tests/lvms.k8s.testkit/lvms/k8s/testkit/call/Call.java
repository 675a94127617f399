package lvms.k8s.testkit.call;

import lvms.k8s.testkit.http.HttpRequest;
import lvms.k8s.testkit.kinds.Resource;
import lvms.k8s.testkit.store.Key;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One request for a resource.
 *
 * @param namespace empty for cluster scope or for all namespaces
 * @param name empty for the collection
 * @param subresource empty for the object itself
 * @param warnings texts for the answer's Warning headers; handlers add to it
 */
public record Call(
        HttpRequest http,
        Resource resource,
        String namespace,
        String name,
        String subresource,
        User user,
        List<String> warnings) {

    public static Call of(
            HttpRequest http,
            Resource resource,
            String namespace,
            String name,
            String subresource,
            User user) {
        return new Call(http, resource, namespace, name, subresource, user, new ArrayList<>());
    }

    /** A call that the server makes itself, without parameters. */
    public static Call internal(Resource resource, Key key) {
        var http = new HttpRequest("", List.of(), "", Map.of(), Map.of(), new byte[0]);
        var user = new User("system:apiserver", "", List.of("system:masters"));
        return of(http, resource, key.namespace(), key.name(), "", user);
    }

    /** The same call about one object of the collection. */
    public Call about(Key key) {
        return new Call(http, resource, key.namespace(), key.name(), "", user, warnings);
    }

    /** Whether the server itself makes the call. */
    public boolean internal() {
        return http.method().isEmpty();
    }

    public Key key() {
        return new Key(namespace, name);
    }

    public boolean onStatus() {
        return subresource.equals("status");
    }

    public boolean dryRun() {
        var value = http.parameter("dryRun");
        if (!value.isEmpty() && !value.equals("All")) {
            throw Refusal.badRequest("dryRun: Unsupported value: \"" + value + "\"");
        }
        return !value.isEmpty();
    }

    /** {@code Ignore}, {@code Warn} or {@code Strict}. */
    String fieldValidation() {
        var value = http.parameter("fieldValidation");
        return value.isEmpty() ? "Warn" : value;
    }

    /** The field manager, from the parameter or the client's name. */
    public String manager() {
        var given = http.parameter("fieldManager");
        if (!given.isEmpty()) {
            return given;
        }
        return Optional.of(http.header("User-Agent").orElse("unknown"))
                .map(agent -> agent.split("/")[0])
                .orElseThrow();
    }
}
