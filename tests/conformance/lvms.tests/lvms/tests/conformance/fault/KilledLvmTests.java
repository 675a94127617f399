package lvms.tests.conformance.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.tests.cluster.ClusterNode;
import lvms.tests.cluster.workload.Product;
import lvms.tests.lab.machine.CommandResult;
import lvms.tests.runner.FullOnly;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;

/**
 * A process that is killed while it changes a volume, as the kernel does when memory is short, may
 * leave the device suspended. The I/O of pods goes on all the same, and the change is finished.
 */
@FullOnly("CutLabTests and chaos kill LVM in its changes")
class KilledLvmTests extends FaultSuite {
    private static final int ATTEMPTS = 6;
    private static final int STEP_MIB = 32;
    private static final Duration KILLER_DEADLINE = Duration.ofSeconds(50);

    /** Kills the workers when the device is suspended; says so if it came to that. */
    private static final String KILLER =
            """
            suspended=$1; shift; end=$((SECONDS + 20))
            while [ $SECONDS -lt $end ]; do
                read -r state <"$suspended"
                if [ "$state" = 1 ]; then kill -KILL "$@"; echo killed; exit; fi
            done
            """;

    @ParameterizedTest
    @ValueSource(strings = {"node1", "node2"})
    void anExtensionWhoseWorkerIsKilledIsFinished(String name) throws Exception {
        var node = product().cluster().node(name);
        int mib = 64;
        var writer = writer("grows", Product.THICK_CLASS, mib + "Mi", name);
        var device = Hosts.device(box().logicalVolumeOf("grows"));
        int killed = 0;
        for (int i = 0; i < ATTEMPTS && killed == 0; i++) {
            mib += STEP_MIB;
            var killer = killer(node, device);
            box().grow("grows", mib + "Mi");
            box().awaitCapacity("grows", mib + "Mi");
            killed += killer.get().out().contains("killed") ? 1 : 0;
            writer.awaitMore(writer.told());
        }
        assertEquals(1, killed, "no kill hit the device while it was suspended");
        assertEquals(0, writer.restarts());
        writer.assertHolds(writer.told());
    }

    private static Future<CommandResult> killer(ClusterNode node, String device)
            throws IOException {
        var words = new ArrayList<>(List.of("bash", "-c", KILLER, "killer"));
        words.add(Hosts.sysfs(node, device) + "/dm/suspended");
        words.addAll(Hosts.processes(node, Hosts.WORKER));
        return node.start(words, KILLER_DEADLINE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"node1", "node2"})
    void aDeviceThatAKilledAgentLeftSuspendedIsResumedByTheNextOne(String name) throws Exception {
        var node = product().cluster().node(name);
        var writer = writer("waits", Product.THICK_CLASS, "64Mi", name);
        var volume = box().logicalVolumeOf("waits");
        node.shell("dmsetup suspend " + Hosts.device(volume));
        // what a change leaves beside LVM's locks; without it, somebody did it on purpose
        node.shell(
                "mkdir -p /run/lock/lvm && printf 'lvextend\n%s/x' >/run/lock/lvm/lvms-change-dead"
                        .formatted(volume.spec().deviceClass()));
        assertEquals(1, Hosts.kill(node, Hosts.AGENT), "one agent");
        writer.awaitMore(writer.told());
        assertEquals(0, writer.restarts());
        writer.assertHolds(writer.told());
    }
}
