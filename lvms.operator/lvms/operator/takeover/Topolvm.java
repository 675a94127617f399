package lvms.operator.takeover;

import lvms.api.Driver;
import lvms.api.LvmCluster;
import lvms.k8s.admission.WebhookConfiguration;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.operator.takeover.Takeover.LvmdJudge;
import lvms.operator.topolvm.HelmRelease;
import lvms.operator.topolvm.LvmdFile;
import lvms.operator.topolvm.ReleaseAccounts;
import lvms.operator.topolvm.TopolvmPrograms;
import lvms.operator.uninstall.Item;
import lvms.operator.uninstall.NodeMarks;
import lvms.operator.uninstall.Reads;

import java.util.ArrayList;
import java.util.List;

/**
 * TopoLVM as its chart installs it, under either name. Helm takes its place: the chart of lvms has
 * the same objects, so an upgrade of the release changes them in place.
 *
 * @param judge says what our agents will say of its files
 */
record Topolvm(LvmdJudge judge) implements Predecessor {
    private static final List<Driver> NAMES = List.of(Driver.TOPOLVM, Driver.LEGACY);
    private static final String DRIVER_LABEL = "csi.storage.k8s.io/drivername";

    @Override
    public String name() {
        return "topolvm";
    }

    @Override
    public String sign() {
        return TopolvmPrograms.SIGN;
    }

    @Override
    public List<String> namespaces(Reads reads) throws ApiException, InterruptedException {
        var programs = new TopolvmPrograms(reads);
        var found = new ArrayList<String>();
        for (var driver : NAMES) {
            found.addAll(programs.namespaces(driver));
        }
        return found.stream().distinct().sorted().toList();
    }

    @Override
    public List<Part> parts(Reads reads, String namespace)
            throws ApiException, InterruptedException {
        var parts = new ArrayList<Part>();
        var inside = ListOptions.all().namespace(namespace);
        add(parts, new HelmRelease(reads, namespace).current(), Fate.CHANGED, "gets a revision");
        for (var item : new TopolvmPrograms(reads).in(namespace)) {
            parts.add(workload(item));
        }
        var accounts = new ReleaseAccounts(reads, namespace);
        add(parts, accounts.ofLvmd(), Fate.BY_HELM, "goes with the DaemonSet of lvmd");
        add(
                parts,
                accounts.ofSidecars(),
                Fate.BY_HELM,
                "was for a sidecar, whose work our programs do");
        var files = reads.list(Types.CONFIG_MAP, inside).stream().filter(LvmdFile::isFile).toList();
        add(parts, files, Fate.KEPT, "its classes are served as they are");
        for (var driver : NAMES) {
            ofDriver(parts, reads, driver);
        }
        add(parts, reads.list(LvmCluster.TYPE), Fate.KEPT, "another installation");
        var leases = reads.list(Types.LEASE, inside).stream().filter(Topolvm::isLease).toList();
        add(parts, leases, Fate.KEPT, "whoever leads next takes it when it has run out");
        webhooks(parts, reads, namespace);
        return parts;
    }

    /** The chart has no DaemonSet of this name; those of further files are agents. */
    private static Part workload(Item item) {
        if (!TopolvmPrograms.runs(item.object(), TopolvmPrograms.LVMD)) {
            return new Part(item, Fate.CHANGED, "gets our image, pod by pod");
        }
        return item.name().endsWith("-lvmd-0")
                ? new Part(
                        item,
                        Fate.BY_HELM,
                        "its work is the agents'; it stays until all nodes have one, and goes with"
                                + " the upgrade after that")
                : new Part(
                        item, Fate.CHANGED, "becomes an agent of its file, on all nodes at once");
    }

    private static void ofDriver(List<Part> parts, Reads reads, Driver driver)
            throws ApiException, InterruptedException {
        var name = driver.name();
        var definition = ObjectKey.cluster(driver.logicalVolumes().qualifiedPlural());
        add(
                parts,
                reads.named(Types.CRD, definition),
                Fate.CHANGED,
                "stays with its objects; Helm is told to keep it");
        add(parts, reads.named(Types.CSI_DRIVER, ObjectKey.cluster(name)), Fate.KEPT, "the same");
        add(parts, reads.list(driver.logicalVolumes()), Fate.KEPT, "its data stays where it is");
        add(
                parts,
                named(reads, Types.PV, name, "spec", "csi", "driver"),
                Fate.KEPT,
                "stays mounted");
        add(
                parts,
                named(reads, Types.STORAGE_CLASS, name, "provisioner"),
                Fate.KEPT,
                "claims go on using it");
        add(
                parts,
                named(reads, Types.VOLUME_SNAPSHOT_CLASS, name, "driver"),
                Fate.KEPT,
                "goes on being used");
        var capacities = ListOptions.all().labels(DRIVER_LABEL + "=" + name);
        add(
                parts,
                reads.list(Types.CSI_STORAGE_CAPACITY, capacities),
                Fate.KEPT,
                "is kept true, or made again");
    }

    private static void webhooks(List<Part> parts, Reads reads, String namespace)
            throws ApiException, InterruptedException {
        var mutating = WebhookConfiguration.mutating("").type();
        for (var item : reads.list(mutating)) {
            boolean calls =
                    item.object().objects("webhooks").stream()
                            .flatMap(hook -> hook.text("clientConfig", "service", "path").stream())
                            .anyMatch("/pod/mutate"::equals);
            boolean inside =
                    item.object().objects("webhooks").stream()
                            .flatMap(h -> h.text("clientConfig", "service", "namespace").stream())
                            .anyMatch(namespace::equals);
            if (calls && inside) {
                parts.add(new Part(item, Fate.KEPT, "calls the upgraded controller"));
            }
        }
        for (var item :
                reads.list(Types.POD_DISRUPTION_BUDGET, ListOptions.all().namespace(namespace))) {
            if (HelmRelease.isOfHelm(item.object())) {
                parts.add(new Part(item, Fate.KEPT, "holds for our pods too"));
            }
        }
    }

    private static boolean isLease(Item item) {
        return item.name().equals("topolvm")
                || item.name().endsWith("-topolvm-io")
                || item.name().endsWith("-topolvm-cybozu-com");
    }

    private static void add(List<Part> parts, List<Item> items, Fate fate, String why) {
        items.forEach(item -> parts.add(new Part(item, fate, why)));
    }

    private static List<Item> named(Reads reads, ResourceType type, String name, String... path)
            throws ApiException, InterruptedException {
        return reads.list(type).stream()
                .filter(item -> item.object().text(path).filter(name::equals).isPresent())
                .toList();
    }

    @Override
    public List<String> obstacles(List<Part> parts, String namespace) {
        return new TopolvmObstacles(parts, judge).all();
    }

    @Override
    public List<Step> changes(List<Part> parts) {
        return TopolvmLegacy.items(parts, Types.CRD).stream()
                .flatMap(item -> HelmPolicy.keep(item).stream())
                .toList();
    }

    @Override
    public List<String> notes(KubeClient kube, List<Part> parts) {
        return new TopolvmNotes(parts, judge).all();
    }

    @Override
    public boolean isGivenBackByUs() {
        return false;
    }

    @Override
    public Return returning(Reads reads, String namespace)
            throws ApiException, InterruptedException {
        var helm =
                "helm rollback gives the place back; it also takes off that Helm keeps the"
                        + " CustomResourceDefinition: run this take-over again after it";
        var obstacles = new ReturnObstacles(reads, "TopoLVM", NAMES, new NodeMarks(NAMES)).all();
        return new Return(obstacles, List.of(helm), List.of());
    }

    @Override
    public List<String> unfinished(Reads reads, String namespace) {
        return List.of("there is nothing to confirm: the upgrade of the release is all");
    }

    @Override
    public String next() {
        return "upgrade the release to our chart with its old values, and once more when all agents"
                + " are ready, which removes TopoLVM's lvmd (docs/takeover.md)";
    }
}
