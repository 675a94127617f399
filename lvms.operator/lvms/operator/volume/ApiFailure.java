package lvms.operator.volume;

import lvms.api.StatusCode;
import lvms.k8s.client.ApiException;

import java.util.Optional;

/** What each failure of the API server means to whoever called the driver. */
public final class ApiFailure {
    private ApiFailure() {}

    /** Returns the code; empty if something else failed. */
    public static Optional<StatusCode> codeOf(Exception failure) {
        return failure instanceof ApiException e ? Optional.of(codeOf(e)) : Optional.empty();
    }

    /** No default: a new kind does not compile until it has a code. */
    private static StatusCode codeOf(ApiException failure) {
        return switch (failure) {
            case ApiException.Conflict _ -> StatusCode.ABORTED;
            case ApiException.TooManyRequests _,
                    ApiException.ServerError _,
                    ApiException.Misdirected _,
                    ApiException.Fenced _,
                    ApiException.Unreachable _ ->
                    StatusCode.UNAVAILABLE;
            case ApiException.NotFound _,
                    ApiException.AlreadyExists _,
                    ApiException.Gone _,
                    ApiException.Invalid _,
                    ApiException.BadRequest _,
                    ApiException.Forbidden _,
                    ApiException.Unauthorized _,
                    ApiException.Unsupported _ ->
                    StatusCode.INTERNAL;
        };
    }
}
