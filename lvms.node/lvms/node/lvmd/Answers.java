package lvms.node.lvmd;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.WARNING;

import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.StreamObserver;

/** Sends the result of a call, or why there is none. */
final class Answers {
    private static final System.Logger LOG = System.getLogger(Answers.class.getName());

    private Answers() {}

    /** A call. */
    interface Call<T> {
        T run() throws StatusException, InterruptedException;
    }

    static <T> void send(String what, StreamObserver<T> answer, Call<T> call) {
        T result;
        try {
            result = call.run();
        } catch (StatusException e) {
            LOG.log(WARNING, () -> "call refused call=\"" + what + "\": " + e.getMessage());
            answer.onError(e);
            return;
        } catch (InterruptedException e) {
            answer.onError(Status.UNAVAILABLE.withDescription("lvmd ends").asException());
            Thread.currentThread().interrupt();
            return;
        } catch (RuntimeException e) {
            LOG.log(ERROR, "call failed call=\"" + what + '"', e);
            answer.onError(Status.INTERNAL.withDescription(e.toString()).asException());
            return;
        }
        answer.onNext(result);
        answer.onCompleted();
    }
}
