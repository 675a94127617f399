package lvms.operator.csi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import lvms.api.Names;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.object.Condition;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.operator.NodeSettings;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * When a node is drained, a claim that is marked as disposable goes with its data, so that the pod
 * of a StatefulSet gets a new volume on another node. Every other claim stays. The test does what
 * the StatefulSet does: it makes missing pods and claims.
 */
@Timeout(180)
@Lasts(seconds = 20)
class DrainedNodeTests {
    private static final ResourceType STATEFUL_SET =
            new ResourceType("apps", "v1", "StatefulSet", "statefulsets", true);
    private static final ResourceType REPLICA_SET =
            new ResourceType("apps", "v1", "ReplicaSet", "replicasets", true);
    private static final NodeSettings ON = new NodeSettings("", Optional.of(Duration.ofMillis(1)));
    private static final String WAITS = ",'volumeBindingMode':'WaitForFirstConsumer'";
    private static final String MARK = "{'metadata':{'annotations':{'lvms.topolvm.io/disposable':";

    private DriverCluster cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = new DriverCluster();
        cluster.choose(ON);
        cluster.agent.addNode("n1", 1L << 30);
        cluster.agent.addNode("n2", 128L << 20);
        cordon("n2", true); // so volumes come to n1
        cluster.createClass("fast", WAITS);
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
    }

    private void cordon(String node, boolean wanted) throws Exception {
        cluster.patch(
                Types.NODE, ObjectKey.cluster(node), "{'spec':{'unschedulable':" + wanted + "}}");
    }

    private void mark(String claim, String value) throws Exception {
        cluster.patch(Types.PVC, DriverCluster.claim(claim), MARK + "'" + value + "'}}}");
    }

    private void createPod(String set) throws Exception {
        createPod(set, STATEFUL_SET, "");
    }

    private void createPod(String set, ResourceType owner, String volumes) throws Exception {
        cluster.create(
                Types.POD,
                ("{'metadata':{'namespace':'default','name':'SET-0','ownerReferences':[{"
                                + "'apiVersion':'apps/v1','kind':'KIND','name':'SET','uid':'UID',"
                                + "'controller':true}]},'spec':{'containers':[{'name':'c',"
                                + "'image':'i'}],'volumes':[{'name':'data',"
                                + "'persistentVolumeClaim':{'claimName':'data-SET-0'}}MORE]}}")
                        .replace("SET", set)
                        .replace("KIND", owner.kind())
                        .replace("UID", owner(set, owner).uid())
                        .replace("MORE", volumes));
    }

    private KubeObject owner(String set, ResourceType type) throws Exception {
        var known = cluster.kube.find(type, DriverCluster.claim(set));
        return known.isPresent()
                ? known.get()
                : cluster.create(
                        type,
                        ("{'metadata':{'namespace':'default','name':'SET'},'spec':{"
                                        + "'selector':{'matchLabels':{'a':'b'}},"
                                        + "'template':{'metadata':{'labels':{'a':'b'}},'spec':{"
                                        + "'containers':[{'name':'c','image':'i'}]}}}}")
                                .replace("SET", set));
    }

    private static String claimOf(String set) {
        return "data-" + set + "-0";
    }

    private KubeObject pod(String set) throws Exception {
        return cluster.kube.get(Types.POD, DriverCluster.claim(set + "-0"));
    }

    private void awaitOn(String set, String node) throws Exception {
        cluster.await(
                set + "-0 is on " + node,
                () -> pod(set).text("spec", "nodeName").equals(Optional.of(node)));
    }

    /** A claim with its pod, which works on n1. */
    private KubeObject startSet(String set) throws Exception {
        return startSet(set, "fast", "8Mi");
    }

    private KubeObject startSet(String set, String storageClass, String size) throws Exception {
        cluster.createClaim(claimOf(set), storageClass, size, "");
        createPod(set);
        awaitOn(set, "n1");
        return cluster.awaitBound(claimOf(set));
    }

    private void evict(String set) throws Exception {
        cluster.kube.delete(
                Types.POD,
                DriverCluster.claim(set + "-0"),
                DeleteOptions.any().gracePeriodSeconds(0));
    }

    private void awaitUnschedulable(String set) throws Exception {
        cluster.await(
                set + "-0 waits",
                () ->
                        pod(set).condition("PodScheduled")
                                .filter(c -> c.status() == Condition.Status.FALSE)
                                .isPresent());
    }

    private void awaitGone(KubeObject claim) throws Exception {
        cluster.await(
                claim.name() + " is gone",
                () ->
                        cluster.kube
                                .find(Types.PVC, claim.key())
                                .filter(now -> now.uid().equals(claim.uid()))
                                .isEmpty());
    }

    /** Moves n1's pods away: n2 takes new ones from now on. */
    private void drain(String... sets) throws Exception {
        cordon("n2", false);
        cordon("n1", true);
        for (var set : sets) {
            evict(set);
            createPod(set);
        }
    }

    /**
     * Two marked claims that go one after the other: their pods come last, so every other pod has
     * waited for longer, and before the second one goes, a pass has looked at all claims.
     */
    private void awaitAPass() throws Exception {
        for (var witness : List.of("first", "second")) {
            var claim = cluster.kube.get(Types.PVC, DriverCluster.claim(claimOf(witness)));
            evict(witness);
            createPod(witness);
            awaitGone(claim);
        }
    }

    private void startWitnesses() throws Exception {
        for (var witness : List.of("first", "second")) {
            startSet(witness);
            mark(claimOf(witness), "true");
        }
    }

    /** As if the template of the set had got another claim meanwhile. */
    private void moveWithAnother(String set, String claim) throws Exception {
        evict(set);
        createPod(
                set,
                STATEFUL_SET,
                ",{'name':'more','persistentVolumeClaim':{'claimName':'" + claim + "'}}");
    }

    private void requireKept(KubeObject claim) throws Exception {
        var now = cluster.kube.get(Types.PVC, claim.key());
        assertEquals(claim.uid(), now.uid());
        assertEquals(false, now.terminating());
        cluster.requireAlive(claim.name());
    }

    @Safety(40)
    @Test
    void aMarkedClaimGoesAndItsPodGetsAnEmptyVolumeElsewhere() throws Exception {
        cluster.startOperator();
        var old = startSet("db");
        mark("data-db-0", "true");
        drain("db");
        awaitGone(old);
        cluster.awaitEvent("DisposableClaimDeleted", "node n1");
        cluster.createClaim("data-db-0", "fast", "8Mi", "");
        awaitOn("db", "n2");
        var now = cluster.awaitBound("data-db-0");
        assertNotEquals(old.text("spec", "volumeName"), now.text("spec", "volumeName"));
        cluster.await("the old volume is gone", () -> cluster.volumes().size() == 1);
        assertEquals("n2", cluster.volumes().getFirst().spec().nodeName());
    }

    @Test
    void theMarkOfTheClassHoldsForItsClaimsUnlessTheySayNo() throws Exception {
        cluster.patch(Types.STORAGE_CLASS, ObjectKey.cluster("fast"), MARK + "'true'}}}");
        cluster.startOperator();
        var kept = startSet("kept");
        mark(claimOf("kept"), "false");
        startSet("first");
        startSet("second");
        drain("kept");
        awaitUnschedulable("kept");
        awaitAPass();
        requireKept(kept);
    }

    @Safety(40)
    @Test
    void whatCannotOrMayNotMoveIsKept() throws Exception {
        cluster.createClass("retained", WAITS + ",'reclaimPolicy':'Retain'");
        cluster.startOperator();
        var kept = new ArrayList<KubeObject>();
        kept.add(startSet("unmarked", "fast", "8Mi"));
        kept.add(startSet("retained", "retained", "8Mi"));
        kept.add(startSet("large", "fast", "256Mi")); // n2 has no room for it
        for (var set : List.of("running", "other", "pinned", "twin")) {
            kept.add(startSet(set));
        }
        for (var set : List.of("retained", "large", "running", "other", "pinned", "twin")) {
            mark(claimOf(set), "true");
        }
        startWitnesses();
        drain("unmarked", "retained", "large");
        evict("other");
        createPod("other", REPLICA_SET, "");
        moveWithAnother("pinned", claimOf("unmarked"));
        moveWithAnother("twin", claimOf("large")); // marked, but has to stay
        for (var set : List.of("unmarked", "retained", "large", "other", "pinned", "twin")) {
            awaitUnschedulable(set);
        }
        awaitAPass();
        for (var claim : kept) {
            requireKept(claim);
        }
    }

    /** The operator's caches are behind: they show neither the Node nor the claim as it is. */
    @Safety(40)
    @Test
    void whatTheServerSaysCounts() throws Exception {
        cluster.startOperator();
        var uncordoned = startSet("uncordoned");
        mark(claimOf("uncordoned"), "true");
        cordon("n2", false);
        cordon("n1", true);
        cluster.await(
                "the operator reads pods", () -> reads("/api/v1/namespaces/default/pods") > 0);
        cluster.server.faults().stallWatches(true);
        cordon("n1", false);
        evict("uncordoned");
        createPod("uncordoned");
        cluster.kube.mergePatchStatus(
                Types.POD,
                DriverCluster.claim("uncordoned-0"),
                DriverCluster.object(
                        "{'status':{'conditions':[{'type':'PodScheduled','status':'False',"
                                + "'reason':'Unschedulable',"
                                + "'lastTransitionTime':'2026-01-01T00:00:00Z'}]}}"));
        cluster.await("the operator asks twice", () -> reads("/api/v1/nodes/n1") > 1);
        requireKept(uncordoned);
    }

    private long reads(String target) {
        return cluster.server.faults().requests().stream()
                .filter(seen -> seen.method().equals("GET") && seen.target().equals(target))
                .filter(
                        seen ->
                                seen.headers()
                                        .getOrDefault("user-agent", "")
                                        .startsWith(Names.OPERATOR))
                .count();
    }

    @Test
    void nobodyDeletesAClaimUnlessToldTo() throws Exception {
        cluster.choose(NodeSettings.NONE);
        cluster.startOperator();
        var claim = startSet("db");
        mark(claimOf("db"), "true");
        drain("db");
        awaitUnschedulable("db");
        cluster.createClaim(claimOf("more"), "fast", "8Mi", "");
        createPod("more");
        awaitOn("more", "n2"); // the operator works
        requireKept(claim);
    }
}
