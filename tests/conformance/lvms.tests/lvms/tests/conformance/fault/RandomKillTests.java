package lvms.tests.conformance.fault;

import lvms.api.LogicalVolume;
import lvms.api.Names;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;
import lvms.tests.cluster.ClusterNode;
import lvms.tests.runner.FullOnly;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * The operator and the agents are killed at random while claims come and go. In the end every claim
 * has its volume, and what was deleted is gone from disk, objects and mounts.
 */
@FullOnly("the chaos of each run kills the same")
class RandomKillTests extends FaultSuite {
    private static final int CLAIMS = 100;
    private static final int KILLS = 10;
    private static final long SEED = 20_260;

    private final Random random = new Random(SEED);

    @Test
    void nothingIsLostAndNothingIsLeft() throws Exception {
        var churn = new Churn(product(), box(), SEED);
        for (int kill = 0; kill < KILLS; kill++) {
            churn.steps(CLAIMS / KILLS);
            killSomebody(kill);
        }
        churn.awaitBound();
        product().checker().awaitAgreement(Duration.ofMinutes(2));
        churn.end();
        box().patience().untilNothingMissing("all volumes are gone", this::volumes);
    }

    private String volumes() throws Exception {
        var left = new ArrayList<>(product().all(LogicalVolume.TYPE));
        left.addAll(product().all(Types.PV));
        return left.stream().map(KubeObject::name).collect(Collectors.joining(" "));
    }

    /** Each kind of death in turn; whose it is, and when, is random. */
    private void killSomebody(int number) throws Exception {
        var nodes = product().cluster().nodes();
        var node = nodes.get(random.nextInt(nodes.size()));
        switch (number % 4) {
            case 0 -> deletePods(Names.OPERATOR, "");
            case 1 -> deletePods(Names.VG_MANAGER, node.name());
            case 2 -> Hosts.kill(node, Hosts.WORKER);
            default -> killProcesses(node);
        }
    }

    /** As {@code kubectl delete --force}: the successor starts while it may still run. */
    private void deletePods(String name, String node) throws Exception {
        for (var pod : product().pods(name)) {
            if (node.isEmpty() || pod.text("spec", "nodeName").filter(node::equals).isPresent()) {
                product()
                        .kube()
                        .delete(Types.POD, pod.key(), DeleteOptions.any().gracePeriodSeconds(0));
            }
        }
    }

    private static void killProcesses(ClusterNode node) throws IOException {
        Hosts.kill(node, Hosts.AGENT);
        Hosts.kill(node, Hosts.OPERATOR);
    }
}
