package lvms.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.Names;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;
import lvms.k8s.yaml.Yaml;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Pod;
import lvms.tests.cluster.workload.Product;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The replicas of a StatefulSet keep their volumes when it is scaled down and up, and when their
 * node is drained, unless a volume is disposable.
 */
@FullOnly("minutes of draining; DrainedNodeTests has the operator's part")
class StatefulSetTests extends InACluster {
    private static final ResourceType STATEFUL_SET =
            new ResourceType("apps", "v1", "StatefulSet", "statefulsets", true);
    private static final String OPERATOR = "deployment/" + Names.OPERATOR;
    private static final String ADDED_ARGUMENT =
            """
            [{"op": "add", "path": "/spec/template/spec/containers/0/args/-", "value": "%s"}]
            """;
    private static final String DRAINED = "node1";
    private static final String OTHER = "node2";
    private static final int REPLICAS = 10;
    private static final String NAME = "db";
    private static final String FILE = "/data/file";
    private static final String SPEC =
            """
            serviceName: db
            podManagementPolicy: Parallel
            selector: {matchLabels: {app: db}}
            """;
    private static final String SPREAD =
            """
            - maxSkew: 2
              topologyKey: kubernetes.io/hostname
              whenUnsatisfiable: DoNotSchedule
              labelSelector: {matchLabels: {app: db}}
            """;

    @Test
    void tenReplicasOnTwoNodesFindTheirDataAgain() throws Exception {
        product().kube().create(STATEFUL_SET, statefulSet(REPLICAS));
        awaitReplicas(REPLICAS);
        var written = new HashMap<String, String>();
        var nodes = new HashSet<String>();
        for (var replica : replicas()) {
            written.put(replica, box().write(replica, FILE, 1));
            nodes.add(box().nodeOf(replica));
        }
        assertEquals(2, nodes.size());
        assertEquals(REPLICAS, new HashSet<>(written.values()).size());
        requireAgreement();
        scale(2);
        awaitReplicas(2);
        requireAgreement();
        scale(REPLICAS);
        awaitReplicas(REPLICAS);
        assertEquals(written, checksums());
        requireAgreement();
        product().kube().delete(STATEFUL_SET, key(), DeleteOptions.any());
    }

    @Safety(40)
    @Test
    void onADrainedNodeADisposableVolumeMakesWayAndAnyOtherIsAwaited() throws Exception {
        addArgument("--disposable-after=5s");
        try {
            product().kubectl("cordon", OTHER);
            product().kube().create(STATEFUL_SET, statefulSet(2));
            awaitReplicas(2);
            product().kubectl("uncordon", OTHER);
            box().write("db-0", FILE, 1);
            var kept = box().write("db-1", FILE, 1);
            var keptClaim = box().find(Types.PVC, "data-db-1").orElseThrow();
            drainWithDisposable("data-db-0");
            assertEquals(OTHER, box().nodeOf("db-0"));
            box().run("db-0", "test ! -e " + FILE);
            assertEquals("", box().nodeOf("db-1"));
            assertEquals(keptClaim.uid(), box().find(Types.PVC, "data-db-1").orElseThrow().uid());
            requireAgreement();
            product().kubectl("uncordon", DRAINED);
            awaitReplicas(2);
            assertEquals(DRAINED, box().nodeOf("db-1"));
            assertEquals(kept, box().checksum("db-1", FILE, 1));
            product().kube().delete(STATEFUL_SET, key(), DeleteOptions.any());
        } finally {
            product().kubectl("uncordon", DRAINED, OTHER);
            product().kubectl("rollout", "undo", "--namespace=" + Product.SYSTEM, OPERATOR);
            awaitOperator();
        }
    }

    /** Drains the node of the set and waits until the replica of a disposable claim is ready. */
    private void drainWithDisposable(String claim) throws Exception {
        var former = box().find(Types.PVC, claim).orElseThrow();
        product()
                .kubectl(
                        "annotate",
                        "--namespace=" + box().namespace(),
                        "persistentvolumeclaim/" + claim,
                        "lvms.topolvm.io/disposable=true");
        product().kubectl("drain", DRAINED, "--ignore-daemonsets", "--pod-selector=app=db");
        box().patience()
                .until(
                        claim + " was made anew",
                        () ->
                                box().find(Types.PVC, claim)
                                        .filter(now -> !now.uid().equals(former.uid()))
                                        .isPresent());
        box().awaitReady("db-0");
    }

    private static void addArgument(String argument) throws Exception {
        product()
                .kubectl(
                        "patch",
                        "--namespace=" + Product.SYSTEM,
                        OPERATOR,
                        "--type=json",
                        "--patch=" + ADDED_ARGUMENT.formatted(argument));
        awaitOperator();
    }

    private static void awaitOperator() throws Exception {
        product()
                .kubectl(
                        "rollout",
                        "status",
                        "--namespace=" + Product.SYSTEM,
                        OPERATOR,
                        "--timeout=240s");
    }

    private static ObjectTree template() {
        var template = ObjectTree.builder();
        template.put("metadata", Yaml.read("labels: {app: db}"));
        var spec = Pod.of(NAME).spec().asObject().toBuilder();
        spec.put("topologySpreadConstraints", Yaml.read(SPREAD));
        var mounts = Yaml.read("- {name: data, mountPath: /data}");
        var containers = new ArrayList<Tree>(spec.build().list("containers").elements());
        containers.set(0, containers.getFirst().asObject().with(mounts, "volumeMounts"));
        spec.put("containers", ListTree.of(containers));
        template.put("spec", spec.build());
        return template.build();
    }

    private static ListTree claims() {
        var claim = Claim.of("data", Product.THIN_CLASS, "320Mi").object("").json().toBuilder();
        claim.put("metadata", Yaml.read("name: data"));
        var claims = ListTree.builder();
        claims.add(claim.build());
        return claims.build();
    }

    private KubeObject statefulSet(int replicas) throws Exception {
        return KubeObject.create(STATEFUL_SET, key())
                .with(Yaml.read(SPEC), "spec")
                .with(replicas, "spec", "replicas")
                .with(template(), "spec", "template")
                .with(claims(), "spec", "volumeClaimTemplates");
    }

    private ObjectKey key() throws Exception {
        return ObjectKey.of(box().namespace(), NAME);
    }

    private static List<String> replicas() {
        return IntStream.range(0, REPLICAS).mapToObj(i -> NAME + "-" + i).toList();
    }

    private Map<String, String> checksums() throws Exception {
        var sums = new HashMap<String, String>();
        for (var replica : replicas()) {
            sums.put(replica, box().checksum(replica, FILE, 1));
        }
        return sums;
    }

    private void scale(int count) throws Exception {
        var patch = Yaml.read("spec: {replicas: " + count + "}").asObject();
        product().kube().mergePatch(STATEFUL_SET, key(), patch);
    }

    private void awaitReplicas(int count) throws Exception {
        box().patience()
                .untilNothingMissing(
                        count + " replicas are ready, and no more are there",
                        () -> {
                            var object = product().kube().get(STATEFUL_SET, key());
                            long ready = object.number("status", "readyReplicas").orElse(0);
                            long all = object.number("status", "replicas").orElse(0);
                            return ready == count && all == count ? "" : ready + " ready of " + all;
                        });
    }
}
