package lvms.k8s.client;

import static java.lang.System.Logger.Level.DEBUG;

import lvms.k8s.client.wire.Absence;
import lvms.k8s.client.wire.Call;
import lvms.k8s.client.wire.Excerpt;
import lvms.k8s.client.wire.RetryAfter;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.JsonException;
import lvms.k8s.tree.ObjectTree;

import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Turns an answer that is not a result into an exception, whatever its body is.
 *
 * @param config whose credentials no message may hold
 */
record ErrorBody(KubeConfig config) {
    private static final System.Logger LOG = System.getLogger(ErrorBody.class.getName());
    private static final Optional<String> NO_PROBLEM = Optional.empty();

    ApiException read(Call call, int code, HttpHeaders headers, byte[] body) {
        var retryAfter =
                headers.firstValue("retry-after")
                        .flatMap(text -> RetryAfter.parse(text, Instant.now()));
        var action = call.action();
        // not in the message, which must stay the same while the cause does
        headers.firstValue("audit-id")
                .ifPresent(
                        id ->
                                LOG.log(
                                        DEBUG,
                                        () ->
                                                "refused "
                                                        + action
                                                        + " code="
                                                        + code
                                                        + " audit="
                                                        + id));
        var text = new String(body, StandardCharsets.UTF_8);
        var status = statusObject(text);
        if (status.isPresent()) {
            var told = said(ApiStatus.of(status.get(), code, retryAfter));
            return code == 404 && Absence.isProven(call, status.get())
                    ? ApiException.absent(action, told)
                    : ApiException.of(action, told);
        }
        var reason =
                code == 409 && call.method().equals("POST")
                        ? "AlreadyExists"
                        : ApiStatus.defaultReason(code);
        var excerpt = Excerpt.ofBody(text);
        return ApiException.of(
                action, said(ApiStatus.synthetic(code, reason, excerpt, retryAfter)));
    }

    /** Returns the answer without our credentials, and for a 401 with what is wrong with them. */
    ApiStatus said(ApiStatus status) {
        var redacted = status.reworded(config::redacted);
        var problem = status.code() == 401 ? config.identityProblem(Instant.now()) : NO_PROBLEM;
        return problem.isEmpty()
                ? redacted
                : redacted.withMessage(redacted.message() + "; " + problem.get());
    }

    /** Returns the failure that the body of a 200 answer may carry. */
    Optional<ApiException> failureIn(Call call, ObjectTree body) {
        return isFailure(body)
                ? Optional.of(ApiException.of(call.action(), said(ApiStatus.within(body))))
                : Optional.empty();
    }

    private static Optional<ObjectTree> statusObject(String text) {
        try {
            return Json.parse(text) instanceof ObjectTree object && isStatus(object)
                    ? Optional.of(object)
                    : Optional.empty();
        } catch (JsonException _) {
            return Optional.empty(); // plain text from the server, or HTML from a proxy
        }
    }

    private static boolean isStatus(ObjectTree object) {
        return object.text("kind").orElse("").equals("Status");
    }

    private static boolean isFailure(ObjectTree object) {
        return isStatus(object)
                && object.text("status").orElse("").equals("Failure")
                && List.of("v1", "").contains(object.text("apiVersion").orElse(""));
    }
}
