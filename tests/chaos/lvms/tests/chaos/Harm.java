package lvms.tests.chaos;

import static lvms.tests.conformance.fault.Hosts.AGENT;
import static lvms.tests.conformance.fault.Hosts.OPERATOR;
import static lvms.tests.conformance.fault.Hosts.WORKER;

import lvms.k8s.object.Types;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Pod;
import lvms.tests.conformance.fault.Hosts;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What breaks. Each leaves the cluster such that it recovers by itself. */
enum Harm {
    KILL_OPERATOR(5) {
        @Override
        void strike(World world, Random random) throws Exception {
            for (var node : world.product().cluster().nodes()) {
                Hosts.kill(node, OPERATOR);
            }
        }
    },
    KILL_AGENT(6) {
        @Override
        void strike(World world, Random random) throws Exception {
            Hosts.kill(world.anyNode(random), AGENT);
        }
    },
    /** Whatever LVM is doing there ends in the middle. */
    KILL_LVM(8) {
        @Override
        void strike(World world, Random random) throws Exception {
            Hosts.kill(world.anyNode(random), WORKER);
        }
    },
    KILL_KUBELET(4) {
        @Override
        void strike(World world, Random random) throws Exception {
            Hosts.kill(world.anyNode(random), Hosts.KUBELET);
        }
    },
    POWER_CUT(3) {
        @Override
        void strike(World world, Random random) throws Exception {
            var node = world.anyNode(random);
            Reckoning.readOf(world, node.name());
            node.powerCut();
            node.boot();
        }
    },
    /** The API server hangs, for up to half a minute. */
    FREEZE_SERVER(2) {
        @Override
        void strike(World world, Random random) throws Exception {
            var control = world.product().cluster().controlPlane();
            control.freeze();
            try {
                TimeUnit.SECONDS.sleep(1 + random.nextInt(30));
            } finally {
                control.thaw();
            }
        }
    },
    KILL_SERVER(2) {
        @Override
        void strike(World world, Random random) throws Exception {
            var control = world.product().cluster().controlPlane();
            control.kill();
            try {
                TimeUnit.SECONDS.sleep(random.nextInt(10));
            } finally {
                control.start();
            }
        }
    },
    /** A pod fills the pool of a class of its own; then it goes, and the class serves again. */
    FILL_POOL(3) {
        @Override
        void strike(World world, Random random) throws Exception {
            var box = world.sandbox();
            var name = world.newName();
            box.create(Claim.of(name, SmallClass.STORAGE_CLASS, SmallClass.CLAIM));
            box.create(Pod.with(name, name).running(FILLER));
            box.awaitReady(name);
            box.patience()
                    .until(
                            "the pool is full",
                            () -> box.find(Types.POD, name).isPresent() && full(world, name));
            box.remove(Types.POD, name);
            box.remove(Types.PVC, name);
            var next = world.newName();
            box.create(Claim.of(next, SmallClass.STORAGE_CLASS, SmallClass.CLAIM));
            box.create(Pod.with(next, next));
            box.awaitReady(next);
            box.remove(Types.POD, next);
            box.remove(Types.PVC, next);
        }

        private boolean full(World world, String pod) throws Exception {
            return world.product()
                    .kubectl("logs", "--namespace=" + world.sandbox().namespace(), pod)
                    .contains("full");
        }
    },
    LOSE_DISK(2) {
        @Override
        void strike(World world, Random random) throws Exception {
            LostDisk.strike(world, random);
        }
    };

    /** Writes until that fails, and then waits. */
    private static final String FILLER =
            """
            trap 'exit 0' TERM
            n=0
            while dd if=/dev/zero of=/data/fill-$n bs=1M count=8 conv=fsync 2>/dev/null; do
                n=$((n + 1))
            done
            echo full
            sleep 86400 & wait
            """;

    private static final List<Harm> DRAWN =
            Arrays.stream(values())
                    .flatMap(harm -> Stream.generate(() -> harm).limit(harm.weight))
                    .collect(Collectors.toUnmodifiableList());

    private final int weight;

    Harm(int weight) {
        this.weight = weight;
    }

    /** Draws one, each as often as its weight says. */
    static Harm draw(Random random) {
        return DRAWN.get(random.nextInt(DRAWN.size()));
    }

    abstract void strike(World world, Random random) throws Exception;
}
