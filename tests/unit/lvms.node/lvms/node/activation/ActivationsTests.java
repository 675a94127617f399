package lvms.node.activation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.Identity;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LogicalVolumes;
import lvms.lvm2.LvName;
import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;
import lvms.lvm2.VolumeGroupReport;
import lvms.node.disk.TestLvm;
import lvms.node.erasure.Groups;

import org.junit.jupiter.api.Test;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Volumes that are asked for at once share LVM's commands, and nothing else. */
class ActivationsTests {
    private static final String VG = "vg1";

    /** What was asked of LVM: the volumes of each command, with a plus if it was for several. */
    private final List<String> commands = new CopyOnWriteArrayList<>();

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch mayGoOn = new CountDownLatch(1);
    private final Set<String> broken = ConcurrentHashMap.newKeySet();
    private final Map<String, LogicalVolume> reported = new ConcurrentHashMap<>();
    private final Map<String, LogicalVolume> present = new ConcurrentHashMap<>();
    private final Map<String, Exception> failures = new ConcurrentHashMap<>();
    private final Activations activations = new Activations(new OneGroup());
    private volatile boolean silent;

    /** The group as LVM has it. */
    private final class OneGroup implements Groups {
        @Override
        public Lvm limitedTo(String vg) {
            var volumes = proxy(LogicalVolumes.class, ActivationsTests.this::volumes);
            return proxy(Lvm.class, (_, _) -> volumes);
        }

        @Override
        public Optional<VolumeGroupReport> report(String vg) {
            var volumes = reported.values().toArray(LogicalVolume[]::new);
            return Optional.of(TestLvm.group(vg, Set.of(), List.of(), volumes));
        }

        @Override
        public void changed(String vg) {
            throw new AssertionError("an activation changes no group");
        }
    }

    private interface Answer {
        Object to(String method, Object[] arguments) throws Exception;
    }

    private static <T> T proxy(Class<T> type, Answer answer) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (_, method, arguments) -> answer.to(method.getName(), arguments)));
    }

    private Object volumes(String method, Object[] arguments) throws Exception {
        return switch (method) {
            case "identify" ->
                    Optional.ofNullable(present.get(((LvName) arguments[0]).lv()))
                            .map(LogicalVolume::identity);
            case "activate" -> activated(name((Identity<?>) arguments[0]));
            case "activateAll" -> activated((Collection<?>) arguments[0]);
            default -> throw new AssertionError("nobody asks for " + method);
        };
    }

    private static String name(Object identity) {
        return ((LvName) ((Identity<?>) identity).name()).lv();
    }

    private LogicalVolume activated(String name) throws Exception {
        command(name);
        if (broken.contains(name)) {
            throw new LvmException.CommandFailed(name + " is broken", 5, List.of());
        }
        return present.get(name);
    }

    private Set<?> activated(Collection<?> identities) throws Exception {
        command("+" + identities.size());
        return identities.stream()
                .filter(identity -> !broken.contains(name(identity)))
                .collect(Collectors.toSet());
    }

    /** The first command lasts until it may go on. */
    private void command(String words) throws Exception {
        commands.add(words);
        begun.countDown();
        mayGoOn.await();
        if (silent) {
            throw new LvmException.Unavailable("no answer", null);
        }
    }

    private void volume(String name) {
        var volume = TestLvm.lv(VG, name, "-wi-------", TestLvm.GIB);
        reported.put(name, volume);
        present.put(name, volume);
    }

    private void activate(Activations activations, String name) {
        try {
            activations.activate(new LvName(VG, name));
        } catch (LvmException | InterruptedException e) {
            failures.put(name, e);
        }
    }

    /** Asks for one volume, for others while LVM is at work on it, and waits until all is over. */
    private void askForAtOnce(String first, List<String> others) throws Exception {
        var threads =
                new ArrayList<>(
                        List.of(Thread.ofPlatform().start(() -> activate(activations, first))));
        begun.await();
        for (var name : others) {
            var thread = Thread.ofPlatform().start(() -> activate(activations, name));
            while (thread.getState() != Thread.State.TIMED_WAITING) {
                LockSupport.parkNanos(100_000);
            }
            threads.add(thread);
        }
        mayGoOn.countDown();
        for (var thread : threads) {
            thread.join();
        }
    }

    private List<String> volumes(int count) {
        var names = Stream.iterate(0, i -> i + 1).limit(count).map(i -> "v" + i).toList();
        names.forEach(this::volume);
        volume("first");
        return names;
    }

    @Test
    void whoComesWhileLvmIsAtWorkSharesTheNextCommand() throws Exception {
        askForAtOnce("first", volumes(40));
        assertEquals(List.of("first", "+32", "+8"), commands);
        assertEquals(Map.of(), failures);
    }

    @Test
    void oneThatCannotBeActivatedFailsAlone() throws Exception {
        var names = volumes(10);
        broken.add("v3");
        askForAtOnce("first", names);
        assertEquals(List.of("first", "+10", "v3"), commands);
        assertEquals(Set.of("v3"), failures.keySet());
        assertTrue(failures.get("v3").getMessage().contains("v3 is broken"));
    }

    @Test
    void oneThatTheLastReportDoesNotShowIsLookedForByName() throws Exception {
        var names = volumes(3);
        reported.remove("v1");
        reported.remove("v2");
        present.remove("v2");
        askForAtOnce("first", names);
        assertEquals(List.of("first", "+1", "v1"), commands);
        assertEquals(Set.of("v2"), failures.keySet());
        assertInstanceOf(LvmException.NotFound.class, failures.get("v2"));
    }

    @Test
    void whoWaitsForACommandThatHangsGivesUp() throws Exception {
        volumes(1);
        var impatient = new Activations(new OneGroup(), Duration.ofMillis(1));
        var first = new FutureTask<>(() -> activate(impatient, "first"), null);
        Thread.ofPlatform().start(first);
        begun.await();
        activate(impatient, "v0");
        assertEquals(Set.of("v0"), failures.keySet());
        assertInstanceOf(LvmException.LockBusy.class, failures.get("v0"));
        mayGoOn.countDown();
        first.get();
        assertEquals(List.of("first"), commands);
    }

    /** Else each of them would wait as long as the first. */
    @Test
    void ifLvmGivesNoAnswerAllAreToldAtOnce() throws Exception {
        silent = true;
        askForAtOnce("first", volumes(10));
        assertEquals(List.of("first", "+10"), commands);
        assertEquals(11, failures.size());
        failures.values()
                .forEach(failure -> assertInstanceOf(LvmException.Unavailable.class, failure));
    }
}
