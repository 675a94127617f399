package lvms.operator.page;

import lvms.api.finding.Finding;
import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.yaml.Yaml;
import lvms.operator.inspection.NodeInspection;
import lvms.operator.overview.Overview;
import lvms.operator.overview.Scene;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/** Three nodes with 50 disks and 1,000 volumes, a pool each, and a disk that is missing. */
record LargeScene(Overview overview, NodeInspection.Answers answers, List<KubeObject> pods) {
    private static final long GIB = 1L << 30;
    private static final int VOLUMES = 1000;
    private static final int[] DISKS = {17, 17, 16};
    private static final long SEED = 1;

    static LargeScene make() {
        var random = new Random(SEED);
        var scene = Scene.working();
        for (int n = 2; n <= DISKS.length; n++) {
            scene.pod("agent-" + n, "vg-manager", "n" + n, "lvms:1", true)
                    .node("n" + n, true, "" + n * 700 * GIB)
                    .group("n" + n, "{name: ssd, status: Ready, devices: [/dev/sdb, /dev/sdc]}");
        }
        var pods = new ArrayList<KubeObject>();
        for (int i = 0; i < VOLUMES; i++) {
            var claim = "data-database-" + i;
            var node = "n" + (1 + i % DISKS.length);
            scene.volume("pvc-" + i, node, "{volumeID: vol-%04d, currentSize: 1Gi}".formatted(i))
                    .persistentVolume("pvc-" + i, "vol-%04d".formatted(i), "Bound", claim);
            pods.add(pod("database-" + i, claim));
        }
        var overview = scene.overview();
        var byNode = new TreeMap<String, ObjectTree>();
        for (int n = 0; n < DISKS.length; n++) {
            byNode.put("n" + (n + 1), machine(n, overview, random));
        }
        return new LargeScene(overview, new NodeInspection.Answers(byNode, List.of()), pods);
    }

    private static KubeObject pod(String name, String claim) {
        return KubeObject.of(
                Yaml.read(
                                """
                                {kind: Pod, metadata: {namespace: default, name: %s},
                                 spec: {volumes: [{persistentVolumeClaim: {claimName: %s}}]}}
                                """
                                        .formatted(name, claim))
                        .asObject());
    }

    String page() {
        return ClusterReport.of(
                        overview,
                        FINDINGS,
                        List.of("list events: forbidden for user jane"),
                        Optional.of(answers),
                        ClaimPods.of(pods),
                        "lvms 0.1.0")
                .html();
    }

    private static final List<Finding> FINDINGS =
            List.of(
                    Finding.error(
                            "node n3, vg1",
                            "a disk is missing: the volumes on it cannot be read",
                            "put it back, or see docs/bad-days.md, A lost disk"),
                    Finding.warning(
                            "node n1, vg1/pool", "the pool's data is 91 % full", "add a disk"),
                    Finding.note(
                            "node n2", "use_aio=1 costs 40 ms for each command", "set it to 0"));

    private static ObjectTree machine(int node, Overview overview, Random random) {
        var disks = ListTree.builder();
        var volumes = ListTree.builder();
        volumes.add(pool(node));
        int each = VOLUMES / 50;
        for (int d = 0; d < DISKS[node]; d++) {
            disks.add(disk(node, d, each, volumes, random));
        }
        var group = ObjectTree.builder();
        group.put("name", "vg1");
        group.put("extentSizeBytes", 4L << 20);
        group.put("sizeBytes", DISKS[node] * 100 * GIB);
        group.put("freeBytes", 100 * GIB);
        group.put("physicalVolumes", disks.build());
        group.put("logicalVolumes", volumes.build());
        var json = ObjectTree.builder();
        json.put("volumeGroups", ListTree.of(group.build()));
        json.put("history", history(node, overview, random));
        return json.build();
    }

    private static ObjectTree pool(int node) {
        var pool = ObjectTree.builder();
        pool.put("name", "pool");
        pool.put("sizeBytes", 90 * GIB);
        pool.put("layout", ListTree.ofTexts(List.of("pool", "thin")));
        pool.put("dataPercent", 91.3 - 30 * node);
        pool.put("metadataPercent", 12.25 + 40 * node);
        return pool.build();
    }

    private static ObjectTree disk(
            int node, int d, int each, ListTree.Builder volumes, Random random) {
        var runs = ListTree.builder();
        long at = 0;
        if (d == 0) {
            runs.add(run(at, 23000, "pool_tdata"));
            runs.add(run(23000, 300, "pool_tmeta"));
            at = 23300;
        }
        for (int i = 0; i < each; i++) {
            var name = "vol-%04d".formatted((d * each + i) * DISKS.length + node);
            long length = 256L << random.nextInt(3);
            if (at + length > 25500) {
                break;
            }
            runs.add(run(at, length, name));
            at += length;
            if (random.nextInt(4) == 0) {
                runs.add(run(at, 128, ""));
                at += 128;
            }
            volumes.add(ObjectTree.builder().put("name", name).put("sizeBytes", GIB).build());
        }
        runs.add(run(at, 25600 - at, ""));
        var disk = ObjectTree.builder();
        disk.put("device", "/dev/disk/by-id/wwn-0x5000c500a1b2c3%02x".formatted(node * 20 + d));
        disk.put("sizeBytes", 100 * GIB);
        disk.put("extents", 25600);
        disk.put("missing", node == 2 && d == 1);
        disk.put("runs", runs.build());
        return disk.build();
    }

    private static ObjectTree run(long start, long length, String volume) {
        var run = ObjectTree.builder().put("start", start).put("length", length);
        return volume.isEmpty()
                ? run.build()
                : run.put("volume", volume).put("type", "linear").build();
    }

    private static ListTree history(int node, Overview overview, Random random) {
        var history = ListTree.builder();
        double data = 60 - 30 * node;
        for (int i = 143; i >= 0 && node < 2; i--) {
            data += random.nextDouble() * 0.4;
            var sample = ObjectTree.builder();
            sample.put("pool", "vg1/pool");
            sample.put("time", overview.now().minus(Duration.ofMinutes(10L * i)).toString());
            sample.put("dataPercent", Math.round(data * 10) / 10.0);
            sample.put("metadataPercent", 12.25 + 40 * node);
            history.add(sample.build());
        }
        return history.build();
    }
}
