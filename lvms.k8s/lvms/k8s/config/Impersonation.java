package lvms.k8s.config;

import lvms.k8s.object.PercentEncoding;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Whom to act as, where the server allows it: the verb {@code impersonate} in RBAC.
 *
 * @param user name of the user, such as {@code system:serviceaccount:NAMESPACE:NAME}
 * @param uid UID of the user, empty for none
 * @param groups groups; empty for those that the server gives each user
 * @param extra further values by key
 */
public record Impersonation(
        String user, String uid, List<String> groups, Map<String, List<String>> extra) {
    /**
     * One header.
     *
     * @param name name
     * @param value value
     */
    record Header(String name, String value) {}

    /**
     * Checks that each part can stand in a header.
     *
     * @throws IllegalArgumentException if there is no user, or a value has a line break
     */
    public Impersonation {
        groups = List.copyOf(groups);
        var copy = new TreeMap<String, List<String>>();
        extra.forEach((key, values) -> copy.put(key, List.copyOf(values)));
        extra = Map.copyOf(copy);
        if (user.isEmpty()) {
            throw new IllegalArgumentException("impersonation needs a user");
        }
        for (var header : headers(user, uid, groups, extra)) {
            if (header.value.chars().anyMatch(c -> c < ' ' || c > '~')) {
                throw new IllegalArgumentException(
                        "impersonation: a value with a line break or a character above ~");
            }
        }
    }

    /** Returns an impersonation of a user with the groups that the server gives it. */
    public static Impersonation of(String user) {
        return new Impersonation(user, "", List.of(), Map.of());
    }

    List<Header> headers() {
        return headers(user, uid, groups, extra);
    }

    private static List<Header> headers(
            String user, String uid, List<String> groups, Map<String, List<String>> extra) {
        var headers = new ArrayList<Header>();
        headers.add(new Header("Impersonate-User", user));
        if (!uid.isEmpty()) {
            headers.add(new Header("Impersonate-Uid", uid));
        }
        groups.forEach(group -> headers.add(new Header("Impersonate-Group", group)));
        new TreeMap<>(extra)
                .forEach(
                        (key, values) -> {
                            var encoded = PercentEncoding.of(key.toLowerCase(Locale.ROOT));
                            var name = "Impersonate-Extra-" + encoded;
                            values.forEach(value -> headers.add(new Header(name, value)));
                        });
        return headers;
    }
}
