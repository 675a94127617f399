package lvms.k8s.client;

import lvms.k8s.client.wire.Excerpt;
import lvms.k8s.client.wire.RetryAfter;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What a server answered instead of a result: a {@code Status} object, or a stand-in for one.
 *
 * @param code HTTP status code
 * @param reason one word, such as {@code NotFound}
 * @param message the server's sentence, or an excerpt of a body that was not a Status
 * @param causes what is wrong, field by field
 * @param retryAfter how long the server asks to wait
 */
public record ApiStatus(
        int code,
        String reason,
        String message,
        List<Cause> causes,
        Optional<Duration> retryAfter) {
    /**
     * One detail of an error.
     *
     * @param reason such as {@code FieldValueInvalid} or {@code FieldManagerConflict}
     * @param message a sentence
     * @param field path of the field, or empty
     */
    public record Cause(String reason, String message, String field) {}

    private static final int FIRST_FAILURE = 400;
    private static final int LAST_FAILURE = 599;
    private static final int INTERNAL_ERROR = 500;

    private static final int PROXY_AUTHENTICATION = 407;

    public ApiStatus {
        causes = List.copyOf(causes);
    }

    /**
     * Reads a {@code Status} object that came as the body of an answer.
     *
     * @param httpCode the code of the answer, which counts whatever code the body has
     */
    static ApiStatus of(ObjectTree tree, int httpCode, Optional<Duration> retryAfter) {
        var details = tree.at("details") instanceof ObjectTree d ? d : ObjectTree.EMPTY;
        long seconds = details.number("retryAfterSeconds").orElse(0);
        return new ApiStatus(
                httpCode,
                tree.text("reason").orElse(defaultReason(httpCode)),
                Excerpt.ofMessage(tree.text("message").orElse("")),
                causes(details),
                retryAfter.or(
                        () ->
                                seconds > 0
                                        ? Optional.of(RetryAfter.clamp(seconds))
                                        : Optional.empty()));
    }

    /** Reads a failure within a stream or an answer whose own code says that all is well. */
    static ApiStatus within(ObjectTree tree) {
        long code = tree.number("code").orElse(0);
        boolean failure = code >= FIRST_FAILURE && code <= LAST_FAILURE;
        return of(tree, failure ? (int) code : INTERNAL_ERROR, Optional.empty());
    }

    ApiStatus withMessage(String text) {
        return new ApiStatus(code, reason, text, causes, retryAfter);
    }

    /** Returns the same with another wording of each sentence. */
    ApiStatus reworded(UnaryOperator<String> wording) {
        var told =
                causes.stream()
                        .map(c -> new Cause(c.reason(), wording.apply(c.message()), c.field()))
                        .toList();
        return new ApiStatus(code, reason, wording.apply(message), told, retryAfter);
    }

    private static List<Cause> causes(ObjectTree details) {
        var causes = new ArrayList<Cause>();
        if (details.at("causes") instanceof ListTree array) {
            for (var element : array) {
                if (element instanceof ObjectTree cause) {
                    causes.add(
                            new Cause(
                                    cause.text("reason").orElse(""),
                                    cause.text("message").orElse(""),
                                    cause.text("field").orElse("")));
                }
            }
        }
        return causes;
    }

    /** Returns a stand-in for a body that is not a Status. */
    static ApiStatus synthetic(
            int code, String reason, String excerpt, Optional<Duration> retryAfter) {
        var message =
                code == PROXY_AUTHENTICATION
                        ? "the proxy wants a user and a password, or others than proxy-url or the"
                                + " environment names"
                        : "the server responded with the status code "
                                + code
                                + (excerpt.isEmpty() ? "" : ": " + excerpt);
        return new ApiStatus(code, reason, message, List.of(), retryAfter);
    }

    /** Returns the reason that goes with a code when the server names none. */
    static String defaultReason(int code) {
        return switch (code) {
            case 400 -> "BadRequest";
            case 401 -> "Unauthorized";
            case 403 -> "Forbidden";
            case 404 -> "NotFound";
            case 405 -> "MethodNotAllowed";
            case 406 -> "NotAcceptable";
            case PROXY_AUTHENTICATION -> "ProxyAuthenticationRequired";
            case 409 -> "Conflict";
            case 410 -> "Expired";
            case 413 -> "RequestEntityTooLarge";
            case 415 -> "UnsupportedMediaType";
            case 422 -> "Invalid";
            case 429 -> "TooManyRequests";
            case 503 -> "ServiceUnavailable";
            case 504 -> "Timeout";
            default -> code >= 500 ? "InternalError" : "Unknown";
        };
    }

    public boolean hasCause(String causeReason) {
        for (var cause : causes) {
            if (cause.reason().equals(causeReason)) {
                return true;
            }
        }
        return false;
    }
}
