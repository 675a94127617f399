package lvms.node.lvmd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.ServerCallStreamObserver;

import lvms.csi.Calls;
import lvms.proto.lvmd.WatchResponse;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** Whoever watches gets the state, or is told that there will be none. */
@Timeout(60)
class WatchersTests {
    /** A stream of a reader that is always ready. */
    private static final class Stream extends ServerCallStreamObserver<WatchResponse> {
        private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
        private final CompletableFuture<WatchResponse> first = new CompletableFuture<>();

        @Override
        public void onNext(WatchResponse response) {
            first.complete(response);
        }

        @Override
        public void onError(Throwable t) {
            failure.complete(t);
        }

        @Override
        public void onCompleted() {}

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public void setOnCancelHandler(Runnable handler) {}

        @Override
        public void setOnReadyHandler(Runnable handler) {}

        @Override
        public void setCompression(String compression) {}

        @Override
        public void setMessageCompression(boolean enable) {}

        @Override
        public void disableAutoInboundFlowControl() {}

        @Override
        public void request(int count) {}
    }

    private static WatchResponse fail(String how) {
        if (how.equals("exception")) {
            throw new IllegalStateException("a bug");
        }
        throw new AssertionError("a worse one");
    }

    @ParameterizedTest
    @ValueSource(strings = {"exception", "error"})
    @Safety(28)
    void aBugEndsTheStreamAndItsReaderIsTold(String how) {
        var stream = new Stream();
        try (var watchers = new Watchers(Calls.of("lvmd"), () -> fail(how))) {
            watchers.add(stream);
            var told = assertInstanceOf(StatusException.class, stream.failure.join());
            assertEquals(Status.Code.INTERNAL, told.getStatus().getCode());
        }
    }

    @Test
    @Safety(28)
    void aBugInALaterStateIsToldToo() {
        var stream = new Stream();
        var states = new AtomicInteger();
        try (var watchers =
                new Watchers(
                        Calls.of("lvmd"),
                        () ->
                                states.getAndIncrement() == 0
                                        ? WatchResponse.getDefaultInstance()
                                        : fail("exception"))) {
            watchers.add(stream);
            stream.first.join();
            watchers.changed();
            assertInstanceOf(StatusException.class, stream.failure.join());
        }
    }
}
