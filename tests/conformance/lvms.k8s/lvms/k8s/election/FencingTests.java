package lvms.k8s.election;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.object.ObjectKey;
import lvms.tests.cluster.AuditedRequest;
import lvms.tests.cluster.ControlPlane;
import lvms.tests.cluster.Programs;
import lvms.tests.runner.Behaviour;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Two API servers over one etcd. The leader's is stopped at a random moment of its writes and goes
 * on long after another process, at the other server, has taken the lease. The servers' logs then
 * tell whether anything was written by a process that no longer held it.
 */
@Timeout(900)
@Safety(29)
@Lasts(seconds = 45)
@Behaviour(105)
@FullOnly("the unit tests of election hold each rule; this one plays by chance")
class FencingTests {
    private static final boolean FULL = Boolean.getBoolean("lvms.full");
    private static final int ROUNDS = FULL ? 10 : 2;
    private static final int WRITES_PER_ROUND = 100;
    private static final Duration PAUSE = Duration.ofSeconds(FULL ? 30 : 5);
    private static final LeaseTiming TIMING =
            FULL
                    ? LeaseTiming.DEFAULT
                    : new LeaseTiming(
                            Duration.ofSeconds(3), Duration.ofSeconds(2), Duration.ofMillis(300));

    @TempDir private Path folder;
    private final List<ControlPlane> planes = new ArrayList<>();
    private final List<Contender> contenders = new ArrayList<>();
    private final Set<String> users = new HashSet<>();
    private final Random random = new Random();

    @BeforeEach
    void start() throws Exception {
        var programs = Programs.find();
        var first = ControlPlane.options(programs, folder.resolve("0")).withAudit().start();
        planes.add(first);
        planes.add(
                ControlPlane.options(programs, folder.resolve("1"))
                        .besides(first)
                        .withAudit()
                        .start());
    }

    @AfterEach
    void end() throws Exception {
        for (var contender : contenders) {
            contender.close();
        }
        for (var plane : planes.reversed()) {
            plane.close();
        }
    }

    @Test
    void nothingIsWrittenOnceTheLeaseMayBeLost() throws Exception {
        var leader = contender(0);
        await("the first leads", leader::leading);
        for (int round = 0; round < ROUNDS; round++) {
            var plane = planes.get(round % 2);
            var next = contender(round + 1);
            var former = leader;
            await("a round's writes", () -> former.written() >= WRITES_PER_ROUND / 2);
            Thread.sleep(random.nextInt(300)); // any moment of a write
            plane.freeze();
            Thread.sleep(PAUSE);
            await("another one leads", next::leading);
            assertTrue(former.fenced() > 0, "the former leader still tries");
            plane.thaw();
            await("the next writes", () -> next.written() > 10);
            leader = next;
        }
        check();
    }

    /** A new process; those with even numbers use the first server. */
    private Contender contender(int number) throws Exception {
        var user = "contender-" + number;
        var lease = ObjectKey.of("default", "lease");
        var contender = new Contender(planes.get(number % 2), user, lease, TIMING);
        contenders.add(contender);
        users.add(user);
        contender.start();
        return contender;
    }

    private void check() throws Exception {
        var requests = new ArrayList<AuditedRequest>();
        for (var plane : planes) {
            requests.addAll(plane.requests());
        }
        var history = LeaseHistory.of(requests, users, TIMING.lease());
        var writes =
                requests.stream()
                        .filter(request -> request.resource().equals("configmaps"))
                        .filter(request -> users.contains(request.user()))
                        .filter(LeaseHistory::changed)
                        .toList();
        System.out.println("writes=" + writes.size() + " renewals=" + history.renewals().size());
        assertTrue(writes.size() >= ROUNDS * WRITES_PER_ROUND, writes.size() + " writes");
        assertEquals(
                List.of(), writes.stream().flatMap(w -> history.objection(w).stream()).toList());
    }

    private static void await(String what, BooleanSupplier condition) throws Exception {
        long end = System.nanoTime() + Duration.ofMinutes(2).toNanos();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < end, what);
            Thread.sleep(10);
        }
    }
}
