package lvms.k8s.testkit.call;

import lvms.k8s.testkit.http.HttpRequest;
import lvms.k8s.testkit.store.Key;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Bearer tokens and the users they stand for. Safe for any thread. */
public final class Tokens {
    private final Map<String, User> users = new ConcurrentHashMap<>();

    /** Makes a token for a user. */
    public String issue(User user) {
        var token = UUID.randomUUID().toString();
        users.put(token, user);
        return token;
    }

    /** Makes a token for a service account. */
    public String issueForAccount(Key account, String uid, Map<String, List<String>> extra) {
        return issue(
                new User(
                        "system:serviceaccount:" + account.namespace() + ":" + account.name(),
                        uid,
                        List.of(
                                "system:serviceaccounts",
                                "system:serviceaccounts:" + account.namespace(),
                                "system:authenticated"),
                        extra));
    }

    public void revoke(String token) {
        users.remove(token);
    }

    /** Who sends a request, going by its bearer token. */
    public Optional<User> user(HttpRequest request) {
        return request.header("Authorization")
                .filter(h -> h.regionMatches(true, 0, "Bearer ", 0, 7))
                .flatMap(h -> user(h.substring(7).strip()));
    }

    /** Who a token stands for. */
    public Optional<User> user(String token) {
        return Optional.ofNullable(users.get(token));
    }
}
