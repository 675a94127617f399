package lvms.k8s.client.body;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/**
 * A body that is kept as one array, up to a limit. A longer one is a failure, and its connection is
 * closed; of an error's body only the beginning is kept, however it ends: the code is known.
 */
public final class WholeBody implements HttpResponse.BodySubscriber<byte[]> {
    private static final int FIRST_FAILURE = 300;

    private final int maxBytes;
    private final boolean beginningOnly;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CompletableFuture<byte[]> whole = new CompletableFuture<>();
    private Flow.Subscription subscription;

    private WholeBody(int maxBytes, boolean beginningOnly) {
        this.maxBytes = maxBytes;
        this.beginningOnly = beginningOnly;
    }

    /**
     * Returns a handler.
     *
     * @param maxBytes of a result
     * @param maxErrorBytes what is kept of an error's body
     */
    public static HttpResponse.BodyHandler<byte[]> handler(int maxBytes, int maxErrorBytes) {
        return head ->
                head.statusCode() >= FIRST_FAILURE
                        ? new WholeBody(maxErrorBytes, true)
                        : new WholeBody(maxBytes, false);
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return whole;
    }

    @Override
    public void onSubscribe(Flow.Subscription newSubscription) {
        subscription = newSubscription;
        newSubscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (var buffer : buffers) {
            int fitting = Math.min(buffer.remaining(), maxBytes - bytes.size());
            var part = new byte[fitting];
            buffer.get(part);
            bytes.writeBytes(part);
            if (buffer.hasRemaining()) {
                tooMuch();
                return;
            }
        }
    }

    private void tooMuch() {
        if (beginningOnly) {
            whole.complete(bytes.toByteArray());
        } else {
            whole.completeExceptionally(new OversizedBodyException("the answer", maxBytes));
        }
        subscription.cancel();
    }

    @Override
    public void onError(Throwable cause) {
        if (beginningOnly) {
            whole.complete(bytes.toByteArray());
        } else {
            whole.completeExceptionally(cause);
        }
    }

    @Override
    public void onComplete() {
        whole.complete(bytes.toByteArray());
    }
}
