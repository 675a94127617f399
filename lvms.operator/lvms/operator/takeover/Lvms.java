package lvms.operator.takeover;

import lvms.api.Driver;
import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.Names;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.operator.takeover.pool.LvmsPools;
import lvms.operator.uninstall.Item;
import lvms.operator.uninstall.NodeMarks;
import lvms.operator.uninstall.Reads;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** LVMS, the present one and those up to 4.15, which ran TopoLVM in workloads of its own. */
record Lvms() implements Predecessor {
    private static final List<Driver> DRIVERS = List.of(Driver.TOPOLVM);
    private static final String DRIVER = Driver.TOPOLVM.name();

    @Override
    public String name() {
        return "lvms";
    }

    @Override
    public String sign() {
        return "LVMClusters";
    }

    @Override
    public List<String> namespaces(Reads reads) throws ApiException, InterruptedException {
        return reads.list(LvmCluster.TYPE).stream()
                .map(item -> item.object().namespace())
                .distinct()
                .sorted()
                .toList();
    }

    @Override
    public String next() {
        return "apply the guard and the manifests for this namespace (docs/takeover.md), then"
                + " confirm or give back";
    }

    @Override
    public List<String> unfinished(Reads reads, String namespace)
            throws ApiException, InterruptedException {
        return new OurReadiness(reads, namespace).missing();
    }

    @Override
    public Return returning(Reads reads, String namespace)
            throws ApiException, InterruptedException {
        var agents = reads.find(Types.DAEMON_SET, ObjectKey.of(namespace, Names.VG_MANAGER));
        boolean theirs = agents.filter(found -> Program.of(found) == Program.THEIRS).isPresent();
        var obstacles =
                theirs // ours have changed nothing yet, or no more
                        ? List.<String>of()
                        : new ReturnObstacles(reads, "LVMS", DRIVERS, new NodeMarks(DRIVERS)).all();
        return new Return(obstacles, List.of(), List.of());
    }

    @Override
    public List<Part> parts(Reads reads, String namespace)
            throws ApiException, InterruptedException {
        var inside = ListOptions.all().namespace(namespace);
        var parts = new ArrayList<Part>();
        for (var type :
                List.of(LvmCluster.TYPE, LvmVolumeGroup.TYPE, LvmVolumeGroupNodeStatus.TYPE)) {
            keep(parts, reads.list(type, inside), "served as it is");
        }
        keep(parts, reads.list(Driver.TOPOLVM.logicalVolumes()), "its data stays where it is");
        keep(parts, ofDriver(reads, Types.PV, "spec", "csi", "driver"), "stays mounted");
        keep(parts, ofDriver(reads, Types.STORAGE_CLASS, "provisioner"), "claims go on using it");
        keep(parts, ofDriver(reads, Types.VOLUME_SNAPSHOT_CLASS, "driver"), "goes on being used");
        for (var item : reads.named(Types.CSI_DRIVER, ObjectKey.cluster(DRIVER))) {
            parts.add(new Part(item, Fate.CHANGED, "gets labels that say whose it is"));
        }
        parts.addAll(new LvmsWorkloads(reads, namespace).parts());
        parts.addAll(new LvmsLeftOvers(reads, namespace).parts());
        return parts;
    }

    private static void keep(List<Part> parts, List<Item> items, String why) {
        items.forEach(item -> parts.add(new Part(item, Fate.KEPT, why)));
    }

    private static List<Item> ofDriver(Reads reads, ResourceType type, String... path)
            throws ApiException, InterruptedException {
        return reads.list(type).stream()
                .filter(item -> item.object().text(path).filter(DRIVER::equals).isPresent())
                .toList();
    }

    @Override
    public List<String> obstacles(List<Part> parts, String namespace) {
        return new LvmsObstacles(parts, namespace).all();
    }

    @Override
    public List<Step> changes(List<Part> parts) {
        var steps = new ArrayList<Step>();
        var clusters = objects(parts, LvmCluster.TYPE);
        for (var part : parts) {
            if (part.item().type() == Types.CSI_DRIVER && clusters.size() == 1) {
                new DriverLabels(clusters.getFirst()).missing(part.item()).ifPresent(steps::add);
            }
        }
        var statuses =
                objects(parts, LvmVolumeGroupNodeStatus.TYPE).stream()
                        .map(LvmVolumeGroupNodeStatus::of)
                        .toList();
        for (var part : parts) {
            if (part.item().type() == LvmVolumeGroup.TYPE) {
                WipeMarks.missing(part.item(), statuses).ifPresent(steps::add);
            }
        }
        return steps;
    }

    @Override
    public List<String> notes(KubeClient kube, List<Part> parts)
            throws ApiException, InterruptedException {
        var notes = new ArrayList<String>();
        for (var agents : objects(parts, Types.DAEMON_SET)) { // none once they are ours
            if (agents.name().equals(Names.VG_MANAGER)) {
                var pools = new LvmsPools(kube, agents.namespace());
                notes.addAll(pools.notes(objects(parts, LvmVolumeGroup.TYPE)));
            }
        }
        notes.add(
                "if the place is given back, LVMS drops these fields of an LVMCluster: "
                        + String.join(", ", LvmsFields.UNKNOWN));
        return notes;
    }

    @Override
    public List<String> unknownFields(KubeObject cluster) {
        return LvmsFields.in(cluster);
    }

    static List<KubeObject> objects(List<Part> parts, ResourceType type) {
        Predicate<Part> ofType = part -> part.item().type().equals(type);
        return parts.stream().filter(ofType).map(part -> part.item().object()).toList();
    }
}
