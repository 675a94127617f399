package lvms.k8s.client.wire;

import lvms.k8s.tree.ObjectTree;

import java.util.Optional;

/**
 * What a 404 proves. Proxies, load balancers and servers that have just been told of a type answer
 * 404 too, so it means "there is no such object" only if the API server says it of that object.
 */
public final class Absence {
    private Absence() {}

    /**
     * Returns whether the body says that the object of the call does not exist, or, if the call is
     * about a collection, that an object does not exist which it needs, such as the namespace.
     */
    public static boolean isProven(Call call, ObjectTree body) {
        return says(body, "Status", "kind")
                && says(body, "v1", "apiVersion")
                && says(body, "NotFound", "reason")
                && body.text("details", "name").filter(name -> !name.isEmpty()).isPresent()
                && call.object().map(object -> isAbout(object, body)).orElse(true);
    }

    private static boolean isAbout(Call.Named object, ObjectTree body) {
        return says(body, object.name(), "details", "name")
                && says(body, object.plural(), "details", "kind");
    }

    private static boolean says(ObjectTree body, String value, String... path) {
        return body.text(path).equals(Optional.of(value));
    }
}
