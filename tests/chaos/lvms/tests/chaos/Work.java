package lvms.tests.chaos;

import lvms.tests.chaos.Volume.Kind;
import lvms.tests.chaos.Volume.Source;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What users do. None waits for what it asks for. */
enum Work {
    /** A claim that no pod uses. */
    CREATE_CLAIM(34) {
        @Override
        boolean take(World world) throws Exception {
            if (world.volumes().size() >= MOST_VOLUMES) {
                return false;
            }
            var kind = world.any(List.of(Kind.values())).orElseThrow();
            world.create(Volume.fresh(world.newName(), kind, false));
            return true;
        }
    },
    /** A claim and a pod that writes to it. */
    CREATE_POD(16) {
        @Override
        boolean take(World world) throws Exception {
            if (manyPods(world)) {
                return false;
            }
            var kind = world.any(List.of(Kind.values())).orElseThrow();
            world.create(Volume.fresh(world.newName(), kind, true));
            return true;
        }
    },
    SNAPSHOT(6) {
        @Override
        boolean take(World world) throws Exception {
            // If two snapshots of a claim are deleted before they are ready, the
            // snapshot-controller may leave its finalizer on the claim for ever.
            var volume = world.any(v -> v.kind().thin() && v.pod() && world.free(v.name()));
            if (volume.isEmpty() || world.snapshots().size() >= MOST_SNAPSHOTS) {
                return false;
            }
            world.snapshot(volume.get());
            return true;
        }
    },
    RESTORE(4) {
        @Override
        boolean take(World world) throws Exception {
            var from = world.any(world.snapshots());
            if (from.isEmpty() || manyPods(world)) {
                return false;
            }
            var snapshot = from.get();
            world.create(
                    Volume.copy(
                            world.newName(),
                            new Source(true, snapshot.name()),
                            snapshot.kind(),
                            snapshot.mib(),
                            snapshot.content()));
            return true;
        }
    },
    CLONE(3) {
        @Override
        boolean take(World world) throws Exception {
            var from = world.any(v -> v.kind().thin() && v.pod());
            if (from.isEmpty() || manyPods(world)) {
                return false;
            }
            var volume = from.get();
            world.create(
                    Volume.copy(
                            world.newName(),
                            new Source(false, volume.name()),
                            volume.kind(),
                            volume.mib(),
                            volume.content()));
            return true;
        }
    },
    GROW(6) {
        @Override
        boolean take(World world) throws Exception {
            // An unbound claim cannot grow, a source must keep its size until it is copied, and a
            // filesystem grows with a pod.
            var volume =
                    world.any(
                            v ->
                                    v.settled()
                                            && v.mib() < LARGEST_MIB
                                            && world.free(v.name())
                                            && (v.pod() || v.kind().block()));
            if (volume.isEmpty()) {
                return false;
            }
            world.grow(volume.get());
            return true;
        }
    },
    /** The pod goes and another one comes. */
    RESTART_POD(12) {
        @Override
        boolean take(World world) throws Exception {
            var volume = world.any(v -> v.pod() && world.free(v.name()));
            if (volume.isEmpty()) {
                return false;
            }
            world.restartPod(volume.get());
            return true;
        }
    },
    DELETE_VOLUME(34) {
        @Override
        boolean take(World world) throws Exception {
            if (world.volumes().size() < FEWEST_VOLUMES) {
                return false;
            }
            var volume = world.any(v -> world.free(v.name()));
            if (volume.isEmpty()) {
                return false;
            }
            world.delete(volume.get());
            return true;
        }
    },
    DELETE_SNAPSHOT(5) {
        @Override
        boolean take(World world) throws Exception {
            var free = world.snapshots().stream().filter(s -> world.free(s.name())).toList();
            var snapshot = world.any(free);
            if (snapshot.isEmpty()) {
                return false;
            }
            world.delete(snapshot.get());
            return true;
        }
    };

    private static final int MOST_VOLUMES = 30;
    private static final int MOST_PODS = 12;
    private static final int MOST_SNAPSHOTS = 6;
    private static final int FEWEST_VOLUMES = 8;
    private static final int LARGEST_MIB = 700;
    private static final List<Work> DRAWN =
            Arrays.stream(values())
                    .flatMap(work -> Stream.generate(() -> work).limit(work.weight))
                    .collect(Collectors.toUnmodifiableList());

    private final int weight;

    Work(int weight) {
        this.weight = weight;
    }

    /** Draws one, each as often as its weight says. */
    static Work draw(Random random) {
        return DRAWN.get(random.nextInt(DRAWN.size()));
    }

    /**
     * Does it if the world has room or something for it.
     *
     * @return whether it was done
     */
    abstract boolean take(World world) throws Exception;

    boolean withPod() {
        return this == CREATE_POD || this == RESTORE || this == CLONE || this == RESTART_POD;
    }

    private static boolean manyPods(World world) {
        return world.volumes().size() >= MOST_VOLUMES
                || world.volumes().stream().filter(Volume::pod).count() >= MOST_PODS;
    }
}
