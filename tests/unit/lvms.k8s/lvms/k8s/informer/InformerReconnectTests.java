package lvms.k8s.informer;

import static lvms.k8s.client.Bodies.configMap;
import static lvms.k8s.client.Bodies.event;
import static lvms.k8s.client.Bodies.initialEnd;
import static lvms.k8s.client.Bodies.list;

import lvms.k8s.client.Await;
import lvms.k8s.client.FakeServer;
import lvms.k8s.object.Types;
import lvms.tests.runner.Behaviour;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** A watch that breaks leaves nothing behind: no thread, no connection, no memory. */
class InformerReconnectTests extends InformerCase {
    private static final int TIMES = 10_000;
    private static final int WARM = 1_000;
    private static final long MOST_GROWTH_BYTES = 8 << 20; // less than a KiB for each

    /** So many are awaited at once: each wait has a bound. */
    private static final int FEW = 100;

    /** No watch counts as short, so each is followed at once. */
    private static final Timing AT_ONCE =
            new Timing(
                    Duration.ofSeconds(300),
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(150),
                    Duration.ofSeconds(300),
                    Duration.ZERO,
                    Duration.ofMillis(1),
                    Duration.ofMillis(1),
                    Duration.ofMinutes(2),
                    Duration.ofSeconds(30),
                    Duration.ofMinutes(1));

    @TempDir private Path folder;
    private final AtomicInteger watches = new AtomicInteger();

    private void answer(FakeServer.Request request, FakeServer.Reply reply)
            throws IOException, InterruptedException {
        server().forget();
        if (request.isStreamingList()) {
            reply.stream().chunk(initialEnd(1) + event("ADDED", configMap("a", "u", 2))).end();
        } else if (!request.isWatch()) {
            reply.send(200, list(10L * TIMES)); // the question after a break
        } else {
            int number = watches.incrementAndGet();
            reply.stream().chunk(event("MODIFIED", configMap("a", "u", 2 + number)));
            if (number >= TIMES) {
                reply.hold();
            } else if (number % 2 == 0) {
                reply.reset();
            } else {
                reply.end();
            }
        }
    }

    @Test
    @Timeout(600)
    @Behaviour(95)
    void tenThousandBrokenWatchesLeaveNothingBehind() throws Exception {
        var client = serve(this::answer);
        var informer = closing(Informer.of(client, Types.CONFIG_MAP).timing(AT_ONCE).build());
        informer.start();
        awaitWatches(WARM);
        var before = Footprint.now(folder);
        awaitWatches(TIMES);
        awaitContents("au" + (2 + TIMES), informer);
        Await.until("connections are given back", () -> server().connections() <= 4);
        before.awaitAgain(folder, MOST_GROWTH_BYTES);
    }

    private void awaitWatches(int number) {
        while (watches.get() < number) {
            int next = Math.min(number, watches.get() + FEW);
            Await.until(() -> "watches: " + watches, () -> watches.get() >= next);
        }
    }
}
