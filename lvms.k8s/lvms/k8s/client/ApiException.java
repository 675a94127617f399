package lvms.k8s.client;

import lvms.k8s.client.wire.Excerpt;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A call that the API server refused, or that got no answer.
 *
 * <p>One subclass for each difference a caller can act on. The message says what was tried and what
 * came back; of a body that is not a Status it holds one short line at most, and never a token.
 */
public abstract sealed class ApiException extends Exception
        permits ApiException.NotFound,
                ApiException.Misdirected,
                ApiException.AlreadyExists,
                ApiException.Conflict,
                ApiException.Gone,
                ApiException.Invalid,
                ApiException.BadRequest,
                ApiException.Forbidden,
                ApiException.Unauthorized,
                ApiException.TooManyRequests,
                ApiException.Unsupported,
                ApiException.ServerError,
                ApiException.Fenced,
                ApiException.Unreachable {
    private static final long serialVersionUID = 1;

    private final transient ApiStatus status;
    private boolean attemptLost;

    private ApiException(String action, ApiStatus status, Throwable cause) {
        super(action + ": " + describe(status), cause);
        this.status = status;
    }

    private static String describe(ApiStatus status) {
        return status.code() == 0
                ? status.message()
                : status.message() + " (" + status.code() + " " + status.reason() + ")";
    }

    /**
     * Returns the exception for an answer.
     *
     * @param action what was tried, such as {@code get pods default/a}
     * @param status what came back
     */
    public static ApiException of(String action, ApiStatus status) {
        return switch (status.code()) {
            case 401 -> new Unauthorized(action, status);
            case 403 -> new Forbidden(action, status);
            case 404 -> new Misdirected(action, status);
            case 405, 406, 415 -> new Unsupported(action, status);
            case 409 ->
                    status.reason().equals("AlreadyExists")
                            ? new AlreadyExists(action, status)
                            : new Conflict(action, status);
            case 410 -> new Gone(action, status);
            case 422 -> new Invalid(action, status);
            case 429 -> new TooManyRequests(action, status);
            default ->
                    status.code() >= 500
                            ? new ServerError(action, status)
                            : new BadRequest(action, status);
        };
    }

    /** Returns the exception for a proof that an object does not exist. */
    static NotFound absent(String action, ApiStatus status) {
        return new NotFound(action, status);
    }

    /** Returns the exception for a call without an answer. */
    static Unreachable unreachable(String action, boolean outcomeUnknown, Throwable cause) {
        return new Unreachable(action, outcomeUnknown, cause);
    }

    /** Returns the exception for a write that the guard did not allow, or cut off. */
    static Fenced fenced(String action, boolean outcomeUnknown) {
        return new Fenced(action, outcomeUnknown);
    }

    /** Returns the exception for what has no dry run, so that the server was not asked. */
    static Unsupported notInADryRun(String action) {
        var text = "not in a dry run: the server would do it in earnest";
        return new Unsupported(action, new ApiStatus(0, "", text, List.of(), Optional.empty()));
    }

    /** Returns the HTTP status code, 0 if there was no answer. */
    public int code() {
        return status.code();
    }

    /** Returns the reason in one word, empty if there was no answer. */
    public String reason() {
        return status.reason();
    }

    /** Returns what is wrong, field by field. */
    public List<ApiStatus.Cause> causes() {
        return status.causes();
    }

    /** Returns the whole answer. */
    public ApiStatus status() {
        return status;
    }

    /** Returns how long the server asked to wait. */
    public Optional<Duration> retryAfter() {
        return status.retryAfter();
    }

    /** Returns whether a write may have happened all the same, also by an earlier attempt. */
    public boolean outcomeUnknown() {
        return attemptLost;
    }

    /** Notes that the outcome of an earlier attempt of this call is unknown. */
    final ApiException afterLostAttempt() {
        attemptLost = true;
        return this;
    }

    /** 404: the API server says that this object does not exist. */
    public static final class NotFound extends ApiException {
        private static final long serialVersionUID = 1;

        NotFound(String action, ApiStatus status) {
            super(action, status, null);
        }
    }

    /**
     * 404 without a word about the object: the type is not served, or what answered is not an API
     * server. It proves nothing about any object.
     */
    public static final class Misdirected extends ApiException {
        private static final long serialVersionUID = 1;

        Misdirected(String action, ApiStatus status) {
            super(action, status, null);
        }
    }

    /** 409 of a create: the name is taken. */
    public static final class AlreadyExists extends ApiException {
        private static final long serialVersionUID = 1;

        AlreadyExists(String action, ApiStatus status) {
            super(action, status, null);
        }
    }

    /** 409: the version or UID differs, or another manager owns a field. */
    public static final class Conflict extends ApiException {
        private static final long serialVersionUID = 1;
        private static final Pattern MANAGER = Pattern.compile("conflict with \"([^\"]*)\"");

        Conflict(String action, ApiStatus status) {
            super(action, status, null);
        }

        /**
         * Returns the fields that an apply without force would have taken, with the manager that
         * owns each; none if the conflict is of another sort.
         */
        public List<OwnedField> fields() {
            return causes().stream()
                    .filter(cause -> cause.reason().equals("FieldManagerConflict"))
                    .map(cause -> new OwnedField(cause.field(), manager(cause.message())))
                    .toList();
        }

        /** Only the text says it: {@code conflict with "kubectl" using apps/v1}. */
        private static String manager(String message) {
            var match = MANAGER.matcher(message);
            return match.find() ? match.group(1) : "";
        }
    }

    /**
     * A field that another manager owns.
     *
     * @param path such as {@code .spec.replicas}
     * @param manager its owner; empty if the server does not say
     */
    public record OwnedField(String path, String manager) {}

    /** 410: the resource version or continue token is too old. */
    public static final class Gone extends ApiException {
        private static final long serialVersionUID = 1;

        Gone(String action, ApiStatus status) {
            super(action, status, null);
        }
    }

    /** 422: the object breaks a rule; see {@link #causes()}. Do not repeat it unchanged. */
    public static final class Invalid extends ApiException {
        private static final long serialVersionUID = 1;

        Invalid(String action, ApiStatus status) {
            super(action, status, null);
        }
    }

    /** 400 and other 4xx codes: the request is wrong. */
    public static final class BadRequest extends ApiException {
        private static final long serialVersionUID = 1;

        BadRequest(String action, ApiStatus status) {
            super(action, status, null);
        }
    }

    /** 403: not allowed, or the namespace is going away. */
    public static final class Forbidden extends ApiException {
        private static final long serialVersionUID = 1;

        Forbidden(String action, ApiStatus status) {
            super(action, status, null);
        }

        /** Returns whether creation was refused because the namespace is being deleted. */
        public boolean namespaceTerminating() {
            return status().hasCause("NamespaceTerminating");
        }
    }

    /** 401: the server refused the credentials, even after they were read again. */
    public static final class Unauthorized extends ApiException {
        private static final long serialVersionUID = 1;

        Unauthorized(String action, ApiStatus status) {
            super(action, status, null);
        }
    }

    /** 429: the server is busy; see {@link #retryAfter()}. */
    public static final class TooManyRequests extends ApiException {
        private static final long serialVersionUID = 1;

        TooManyRequests(String action, ApiStatus status) {
            super(action, status, null);
        }
    }

    /**
     * 405, 406, 415: the server does not do this with this type. Code 0: it was not asked, since
     * there is no dry run of it.
     */
    public static final class Unsupported extends ApiException {
        private static final long serialVersionUID = 1;

        Unsupported(String action, ApiStatus status) {
            super(action, status, null);
        }
    }

    /** 5xx: the server failed. After 504 a write may have happened all the same. */
    public static final class ServerError extends ApiException {
        private static final long serialVersionUID = 1;

        ServerError(String action, ApiStatus status) {
            super(action, status, null);
        }

        @Override
        public boolean outcomeUnknown() {
            return super.outcomeUnknown() || code() == 504 || reason().equals("Timeout");
        }
    }

    /** Not sent, or cut off, since this process may no longer write: see {@link WriteGuard}. */
    public static final class Fenced extends ApiException {
        private static final long serialVersionUID = 1;

        private final boolean outcomeUnknown;

        Fenced(String action, boolean outcomeUnknown) {
            super(
                    action,
                    new ApiStatus(
                            0,
                            "",
                            "another process may hold the lease",
                            List.of(),
                            Optional.empty()),
                    null);
            this.outcomeUnknown = outcomeUnknown;
        }

        @Override
        public boolean outcomeUnknown() {
            return super.outcomeUnknown() || outcomeUnknown;
        }
    }

    /** No answer: the connection failed or broke, or the deadline passed. */
    public static final class Unreachable extends ApiException {
        private static final long serialVersionUID = 1;

        private final boolean outcomeUnknown;

        Unreachable(String action, boolean outcomeUnknown, Throwable cause) {
            super(action, new ApiStatus(0, "", text(cause), List.of(), Optional.empty()), cause);
            this.outcomeUnknown = outcomeUnknown;
        }

        private static String text(Throwable cause) {
            var message = cause.getMessage();
            return message == null ? cause.getClass().getSimpleName() : Excerpt.ofMessage(message);
        }

        @Override
        public boolean outcomeUnknown() {
            return super.outcomeUnknown() || outcomeUnknown;
        }
    }
}
