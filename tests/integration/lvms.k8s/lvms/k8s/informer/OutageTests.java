package lvms.k8s.informer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.ServerCase;
import lvms.k8s.client.Await;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.Faults;
import lvms.tests.runner.Behaviour;
import lvms.tests.server.OursAlone;
import lvms.tests.support.LogRecords;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;

/** Flow control that refuses each watch is seen by whoever runs the process, which goes on. */
@OursAlone("it refuses on demand")
@Timeout(120)
class OutageTests extends ServerCase {
    private static final ObjectKey LATE = ObjectKey.of("default", "late");
    private static final Predicate<Faults.Seen> WATCHES =
            request -> request.query().containsKey("watch");
    private static final Timing BRISK =
            new Timing(
                    Duration.ofSeconds(300),
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(150),
                    Duration.ofSeconds(300),
                    Duration.ZERO,
                    Duration.ofMillis(10),
                    Duration.ofMillis(100),
                    Duration.ofMinutes(2),
                    Duration.ofSeconds(30),
                    Duration.ofMillis(300));

    private boolean metric(String value) {
        var line = "informer_not_following{name=\"configmaps\"} " + value;
        return client.metrics().text().lines().anyMatch(line::equals);
    }

    @Test
    @Behaviour(59)
    void aCacheThatGetsOldIsCountedAndToldUntilItFollowsAgain() throws Exception {
        try (var log = new LogRecords();
                var informer =
                        Informer.of(client, Types.CONFIG_MAP)
                                .namespace("default")
                                .timing(BRISK)
                                .build()) {
            informer.start();
            informer.awaitSync(Duration.ofSeconds(30));
            assertTrue(metric("0"));
            server.faults().answer(WATCHES, Integer.MAX_VALUE, 429, "busy");
            server.faults().endWatches();
            var words = "informer cannot follow type=configmaps for=";
            Await.until("it is told", () -> !log.beginning(words).isEmpty());
            assertTrue(metric("1"));
            client.create(Types.CONFIG_MAP, KubeObject.create(Types.CONFIG_MAP, LATE));
            assertEquals(Optional.empty(), informer.get(LATE), "the cache is old");
            assertTrue(informer.following(), "a new process would fare no better");
            server.faults().clear();
            Await.until("the cache is new", () -> informer.get(LATE).isPresent());
            assertTrue(metric("0"));
            assertEquals(1, log.beginning(words).size());
            assertEquals(1, log.beginning("informer follows again type=configmaps").size());
        }
    }
}
