package lvms.operator.uninstall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LvmCluster;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Whoever deletes pods, claims, the LVMCluster, the manifests and the namespace, in whatever order,
 * is refused with the reason or ends with nothing left. Without the guard, {@code lvms uninstall}
 * gets out of what became of it.
 */
@Safety(39)
@Lasts(seconds = 80)
class OrderTests {
    private static final boolean FULL = Boolean.getBoolean("lvms.full");

    /**
     * Primes, so that every deletion comes at every place; a real server takes eight times as long.
     */
    private static final int SOME = Servers.ours() ? 17 : 43;

    /** What somebody deletes. */
    private enum Deletion {
        PODS,
        CLAIMS,
        CLUSTER,
        MANIFESTS,
        NAMESPACE;

        List<String> run(World world) throws Exception {
            return switch (this) {
                case PODS -> world.delete(Types.POD, World.POD).stream().toList();
                case CLAIMS -> world.delete(Types.PVC, World.CLAIM).stream().toList();
                case CLUSTER ->
                        world.served(LvmCluster.TYPE)
                                ? world.delete(LvmCluster.TYPE, World.CLUSTER).stream().toList()
                                : List.of();
                case MANIFESTS -> world.delete("deploy/base");
                case NAMESPACE ->
                        world.delete(Types.NAMESPACE, ObjectKey.cluster(World.SYSTEM)).stream()
                                .toList();
            };
        }
    }

    private static Stream<List<Deletion>> orders() {
        var all = new ArrayList<List<Deletion>>();
        permute(List.of(), EnumSet.allOf(Deletion.class), all);
        return IntStream.range(0, all.size())
                .filter(index -> FULL || index % SOME == 0)
                .mapToObj(all::get);
    }

    private static void permute(
            List<Deletion> before, Set<Deletion> left, List<List<Deletion>> all) {
        if (left.isEmpty()) {
            all.add(before);
        }
        for (var next : left) {
            var rest = EnumSet.copyOf(left);
            rest.remove(next);
            permute(Stream.concat(before.stream(), Stream.of(next)).toList(), rest, all);
        }
    }

    @TestFactory
    Stream<DynamicTest> eachOrderIsRefusedWithTheReasonOrEndsClean() {
        return orders().map(o -> DynamicTest.dynamicTest(o.toString(), () -> guarded(o)));
    }

    private static void guarded(List<Deletion> order) throws Exception {
        try (var world = World.open()) {
            world.install(true);
            world.useIt();
            var refused = attempt(world, order);
            // the right order, as the messages say
            world.await("the volume is gone", () -> world.disks.volumes().isEmpty());
            world.await("the LVMCluster is gone", () -> world.gone(LvmCluster.TYPE, World.CLUSTER));
            world.await("what was refused goes", () -> attempt(world, refused).isEmpty());
            world.await("the guard is all that is left", () -> world.onlyGuardIsLeft());
            world.delete("deploy/guard");
            assertEquals(List.of(), world.left());
            assertTrue(world.disks.areBlank(), world.disks.toString());
        }
    }

    /** Tries each, and returns those that were refused. */
    private static List<Deletion> attempt(World world, List<Deletion> order) throws Exception {
        var refused = new ArrayList<Deletion>();
        for (var deletion : order) {
            var reasons = deletion.run(world);
            if (!reasons.isEmpty()) {
                refused.add(deletion);
            }
            for (var reason : reasons) {
                assertTrue(reason.contains("still exists; delete "), reason);
            }
        }
        return refused;
    }

    @TestFactory
    Stream<DynamicTest> uninstallGetsOutOfEachOrderWithoutTheGuard() {
        return orders().map(o -> DynamicTest.dynamicTest(o.toString(), () -> unguarded(o)));
    }

    private static void unguarded(List<Deletion> order) throws Exception {
        try (var world = World.open()) {
            world.install(false);
            world.useIt();
            for (var deletion : order) {
                assertEquals(List.of(), deletion.run(world));
            }
            world.await("the claim is gone", () -> world.gone(Types.PVC, World.CLAIM));
            var wishes = new Wishes(Wishes.Disks.BLANK, Set.of(), Set.of());
            var end = Uninstallation.plan(world.kube, wishes);
            if (!end.obstacles().isEmpty()) {
                var text = String.join("\n", end.obstacles());
                assertTrue(text.contains("--disks=keep"), text);
                wishes = new Wishes(Wishes.Disks.KEEP, Set.of(), Set.of());
                end = Uninstallation.plan(world.kube, wishes);
            }
            assertEquals(List.of(), end.obstacles());
            end.run(Duration.ofSeconds(60), _ -> {});
            assertEquals(List.of(), world.left());
        }
    }
}
