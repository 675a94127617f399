package lvms.node.lvmd;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

import lvms.csi.Calls;
import lvms.csi.UnixSocketServer;
import lvms.deploy.Patience;
import lvms.proto.lvmd.Empty;
import lvms.proto.lvmd.VGServiceGrpc.VGServiceImplBase;
import lvms.proto.lvmd.WatchResponse;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A reader that leaves costs nothing any more, and takes no other one along. */
@Timeout(60)
class WatchReadersTests {
    @TempDir Path folder;

    /** The stream alone, since its state needs no LVM. */
    private static final class Streams extends VGServiceImplBase {
        private final Watchers watchers;

        Streams(Watchers watchers) {
            this.watchers = watchers;
        }

        @Override
        public void watch(Empty request, StreamObserver<WatchResponse> answer) {
            watchers.add((ServerCallStreamObserver<WatchResponse>) answer);
        }
    }

    @Test
    void aReaderThatLeavesIsForgottenAndTheOthersAreServed() throws Exception {
        var states = new AtomicInteger();
        var socket = folder.resolve("lvmd.sock");
        try (var watchers = new Watchers(Calls.of("lvmd"), () -> state(states));
                var server =
                        UnixSocketServer.inSharedFolder(socket, List.of(new Streams(watchers)))) {
            server.start();
            try (var client = new LvmdClient(socket)) {
                var leaving = client.watch();
                var staying = client.watch();
                leaving.await(_ -> true);
                staying.await(_ -> true);
                assertEquals(2, watchers.readers());
                leaving.cancel();
                assertEquals(Status.Code.CANCELLED, leaving.ended());
                Patience.until("it is forgotten", () -> watchers.readers() == 1);
                int before = states.get();
                watchers.changed();
                staying.await(message -> message.getFreeBytes() > before);
                assertEquals(before + 1, states.get(), "a state for nobody");
            }
            Patience.until("nobody is left", () -> watchers.readers() == 0);
        }
    }

    private static WatchResponse state(AtomicInteger states) {
        return WatchResponse.newBuilder().setFreeBytes(states.incrementAndGet()).build();
    }
}
