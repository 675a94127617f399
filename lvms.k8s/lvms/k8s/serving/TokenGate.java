package lvms.k8s.serving;

import static java.lang.System.Logger.Level.WARNING;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ResourceType;
import lvms.k8s.tree.ObjectTree;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * Lets only those read a page whom the API server knows by their token (TokenReview) and whom it
 * allows to read the page's path (SubjectAccessReview with {@code nonResourceAttributes}). Its
 * answers are kept for as long as Kubernetes' own components do. Any thread may use it.
 */
public final class TokenGate {
    private static final System.Logger LOG = System.getLogger(TokenGate.class.getName());

    static final ResourceType TOKEN_REVIEW =
            new ResourceType("authentication.k8s.io", "v1", "TokenReview", "tokenreviews", false);
    static final ResourceType ACCESS_REVIEW =
            new ResourceType(
                    "authorization.k8s.io",
                    "v1",
                    "SubjectAccessReview",
                    "subjectaccessreviews",
                    false);

    private static final String BEARER = "bearer ";
    private static final Duration KNOWN = Duration.ofMinutes(1);
    private static final Duration ALLOWED = Duration.ofMinutes(5);
    private static final Duration DENIED = Duration.ofSeconds(30);

    /** Tokens that nobody knows must not become many requests to the API server. */
    private static final int AT_ONCE = 4;

    private static final Duration WRONG_TOKEN = Duration.ofMillis(200);

    private final KubeClient kube;
    private final Semaphore questions = new Semaphore(AT_ONCE, true);
    private final Memory<Optional<ObjectTree>> users;
    private final Memory<Boolean> permissions;

    private TokenGate(KubeClient kube) {
        this.kube = kube;
        users = new Memory<>(_ -> KNOWN);
        permissions = new Memory<>(allowed -> allowed ? ALLOWED : DENIED);
    }

    /**
     * @param kube a client that may create {@code tokenreviews} and {@code subjectaccessreviews}
     */
    public static TokenGate of(KubeClient kube) {
        return new TokenGate(kube);
    }

    /** Returns a handler that answers those who may read the path, and refuses all others. */
    public HttpHandler before(HttpHandler page) {
        return request -> {
            var refusal = refusal(request);
            return refusal.isPresent() ? refusal.get() : page.answer(request);
        };
    }

    private Optional<HttpAnswer> refusal(HttpRequest request) throws InterruptedException {
        var token = token(request);
        if (token.isEmpty()) {
            return Optional.of(HttpAnswer.text(401, "Unauthorized\n"));
        }
        Optional<ObjectTree> user;
        try {
            user = users.get(token.get(), () -> user(token.get()));
        } catch (ApiException e) {
            return failed("Authentication failed", e);
        }
        if (user.isEmpty()) {
            return Optional.of(HttpAnswer.text(401, "Unauthorized\n"));
        }
        var name = user.get().text("username").orElse("");
        var verb = request.method().toLowerCase(Locale.ROOT);
        var question = String.join("\n", token.get(), verb, request.path());
        try {
            return permissions.get(question, () -> allowed(user.get(), verb, request.path()))
                    ? Optional.empty()
                    : denied("Authorization denied for user " + name);
        } catch (ApiException e) {
            return failed("Authorization for user " + name + " failed", e);
        }
    }

    private static Optional<HttpAnswer> denied(String text) {
        return Optional.of(HttpAnswer.text(403, text + "\n"));
    }

    private static Optional<HttpAnswer> failed(String text, ApiException why) {
        LOG.log(WARNING, () -> "a page is refused, since the API server cannot say: " + why);
        return Optional.of(HttpAnswer.text(500, text + "\n"));
    }

    private static Optional<String> token(HttpRequest request) {
        return request.header("authorization")
                .filter(value -> value.toLowerCase(Locale.ROOT).startsWith(BEARER))
                .map(value -> value.substring(BEARER.length()).strip())
                .filter(value -> !value.isEmpty());
    }

    private Optional<ObjectTree> user(String token) throws ApiException, InterruptedException {
        questions.acquire();
        try {
            var spec = ObjectTree.builder().put("token", token).build();
            var user =
                    Optional.of(asked(TOKEN_REVIEW, spec))
                            .filter(s -> s.flag("authenticated").orElse(false))
                            .flatMap(s -> s.object("user"));
            if (user.isEmpty()) {
                Thread.sleep(WRONG_TOKEN);
            }
            return user;
        } finally {
            questions.release();
        }
    }

    private boolean allowed(ObjectTree user, String verb, String path)
            throws ApiException, InterruptedException {
        var page = ObjectTree.builder().put("path", path).put("verb", verb).build();
        var spec = ObjectTree.builder();
        user.text("username").ifPresent(name -> spec.put("user", name));
        for (var member : new String[] {"uid", "groups", "extra"}) {
            if (user.has(member)) {
                spec.put(member, user.at(member));
            }
        }
        spec.put("nonResourceAttributes", page);
        return asked(ACCESS_REVIEW, spec.build()).flag("allowed").orElse(false);
    }

    /** Returns the status of a review. */
    private ObjectTree asked(ResourceType type, ObjectTree spec)
            throws ApiException, InterruptedException {
        var review =
                ObjectTree.builder()
                        .put("apiVersion", type.apiVersion())
                        .put("kind", type.kind())
                        .put("metadata", ObjectTree.EMPTY)
                        .put("spec", spec)
                        .build();
        var answer = kube.create(type, KubeObject.of(review));
        return answer.object("status").orElse(ObjectTree.EMPTY);
    }
}
