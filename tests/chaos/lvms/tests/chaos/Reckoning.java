package lvms.tests.chaos;

import lvms.api.LogicalVolume;
import lvms.api.Names;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.Types;
import lvms.tests.cluster.check.Disagreement;
import lvms.tests.cluster.workload.Patience;
import lvms.tests.cluster.workload.Product;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Waits until the cluster is quiet, and compares it with what was asked for. */
final class Reckoning {
    private static final Duration RECOVERY = Duration.ofMinutes(5);
    private static final Duration NEWS = Duration.ofSeconds(40);

    private final World world;
    private final Product product;
    private final Consumer<String> tell;

    Reckoning(World world, Consumer<String> tell) {
        this.world = world;
        this.tell = tell;
        this.product = world.product();
    }

    /** Returns everything that is wrong when nothing is on its way any more. */
    List<String> hold() throws Exception {
        world.awaitBackground();
        product.awaitReady();
        await("all that was asked for is there", this::missing);
        world.settled();
        var problems = readAll();
        await("disk, objects, mounts and kubelet's folders agree", this::disagreements);
        return problems;
    }

    private List<String> readAll() throws Exception {
        var problems = new CopyOnWriteArrayList<String>();
        var readers = new Background();
        for (var volume : world.volumes()) {
            if (volume.pod()) {
                readers.start(() -> problems.addAll(read(volume)));
            }
        }
        readers.await();
        return problems;
    }

    /** Waits, and says now and then what for. */
    private void await(String what, Patience.Condition condition) throws Exception {
        long[] told = {System.nanoTime()};
        product.patience(RECOVERY, world.sandbox().namespace())
                .untilNothingMissing(
                        what,
                        () -> {
                            var missing = condition.missing();
                            if (System.nanoTime() - told[0] > NEWS.toNanos()) {
                                tell.accept("waiting until " + what + ": " + missing);
                                told[0] = System.nanoTime();
                            }
                            return missing;
                        });
    }

    private String disagreements() throws Exception {
        return product.checker().check().stream()
                .filter(found -> found.kind() != Disagreement.Kind.FORGOTTEN)
                .map(Disagreement::toString)
                .collect(Collectors.joining("\n"));
    }

    private String missing() throws Exception {
        var here = ListOptions.all().namespace(world.sandbox().namespace());
        var kube = product.kube();
        var claims = byName(kube.list(Types.PVC, here).items());
        var pods = byName(kube.list(Types.POD, here).items());
        var snapshots = byName(kube.list(Types.VOLUME_SNAPSHOT, here).items());
        var missing = new ArrayList<String>();
        for (var volume : world.volumes()) {
            var claim = claims.get(volume.name());
            if (claim == null || !bound(claim) || !hasSize(claim, volume)) {
                missing.add("claim " + volume);
            }
            if (claim != null && !bound(claim) && !volume.pod() && !scheduled(claim)) {
                world.schedule(volume.name());
            }
            var pod = pods.get(volume.name());
            if (volume.pod() && (pod == null || !Product.holds(pod, "Ready"))) {
                missing.add("pod " + volume);
            }
        }
        for (var snapshot : world.snapshots()) {
            var object = snapshots.get(snapshot.name());
            if (object == null || !object.flag("status", "readyToUse").orElse(false)) {
                missing.add("snapshot " + snapshot.name());
            }
        }
        return String.join(", ", missing);
    }

    private static Map<String, KubeObject> byName(List<KubeObject> objects) {
        return objects.stream().collect(Collectors.toMap(KubeObject::name, Function.identity()));
    }

    private static boolean bound(KubeObject claim) {
        return claim.text("status", "phase").filter("Bound"::equals).isPresent();
    }

    private static boolean scheduled(KubeObject claim) {
        return claim.annotation(Names.SELECTED_NODE_ANNOTATION).isPresent();
    }

    private static boolean hasSize(KubeObject claim, Volume volume) {
        return claim.value("status", "capacity", "storage")
                .filter(size -> Quantity.parse(size).bytes() == (long) volume.mib() << 20)
                .isPresent();
    }

    /**
     * Reads what the pods of a node have synced until now, since it will be gone from their logs.
     */
    static void readOf(World world, String node) throws Exception {
        for (var volume : world.volumes()) {
            if (volume.pod() && world.sandbox().nodeOf(volume.name()).equals(node)) {
                var told =
                        world.product()
                                .cluster()
                                .kubectl(
                                        "logs",
                                        "--namespace=" + world.sandbox().namespace(),
                                        volume.name(),
                                        "--tail=1");
                if (told.succeeded() && told.out().strip().matches("[0-9]+")) {
                    volume.told(Long.parseLong(told.out().strip()));
                }
            }
        }
    }

    private List<String> read(Volume volume) throws Exception {
        var script = Journal.reader(volume.kind().block());
        return volume.compare(world.sandbox().run(volume.name(), script).lines().toList());
    }

    /** Deletes everything, and waits until nothing of it is left. */
    void end() throws Exception {
        for (var snapshot : world.snapshots()) {
            world.delete(snapshot);
        }
        for (var volume : world.volumes()) {
            world.delete(volume);
        }
        await("nothing is left", this::left);
        world.sandbox().clear();
        await("disk, objects, mounts and kubelet's folders agree", this::disagreements);
    }

    private String left() throws Exception {
        var left = new ArrayList<>(product.all(LogicalVolume.TYPE));
        left.addAll(product.all(Types.PV));
        left.addAll(product.all(Types.VOLUME_SNAPSHOT_CONTENT));
        return left.stream().map(KubeObject::name).collect(Collectors.joining(", "));
    }
}
