package lvms.operator.takeover;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.api.nativestor.Phase;
import lvms.api.nativestor.RawDevice;
import lvms.api.nativestor.TopolvmCluster;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.operator.nativestor.SettingWatch;
import lvms.operator.takeover.nativestor.StorLeftOvers;
import lvms.operator.takeover.nativestor.StorState;
import lvms.operator.takeover.nativestor.StorWorkloads;
import lvms.operator.topolvm.HelmRelease;
import lvms.operator.topolvm.LvmdFile;
import lvms.operator.uninstall.Item;
import lvms.operator.uninstall.Reads;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * NativeStor, Alauda's topolvm-operator. Its LogicalVolumes stay in their group, which is served
 * beside ours from then on, so its own programs find them again after a way back.
 */
record NativeStor() implements Predecessor {
    static final Driver OLD = Driver.LEGACY;
    private static final Set<String> DRIVERS = Set.of(OLD.name(), RawDevice.DRIVER.name());
    private static final ListOptions FILES =
            ListOptions.all().labels("topolvm/lvmdconfig=lvmdconfig");

    @Override
    public String name() {
        return "nativestor";
    }

    @Override
    public String sign() {
        return StorWorkloads.SIGN;
    }

    @Override
    public List<String> namespaces(Reads reads) throws ApiException, InterruptedException {
        var found = new TreeSet<>(StorWorkloads.namespaces(reads));
        if (isServed(reads)) {
            reads.list(TopolvmCluster.TYPE).forEach(item -> found.add(item.object().namespace()));
        }
        return List.copyOf(found);
    }

    /** A list of a version that the definition does not have would be refused. */
    private static boolean isServed(Reads reads) throws ApiException, InterruptedException {
        return definition(reads).stream().anyMatch(item -> StorState.isServed(item.object()));
    }

    private static List<Item> definition(Reads reads) throws ApiException, InterruptedException {
        var name = TopolvmCluster.TYPE.qualifiedPlural();
        return reads.named(Types.CRD, ObjectKey.cluster(name));
    }

    @Override
    public List<Part> parts(Reads reads, String namespace)
            throws ApiException, InterruptedException {
        var parts = new ArrayList<Part>();
        var inside = ListOptions.all().namespace(namespace);
        add(parts, definition(reads), Fate.KEPT, "holds the TopolvmCluster");
        if (isServed(reads)) {
            add(parts, reads.list(TopolvmCluster.TYPE, inside), Fate.KEPT, "carried out by ours");
        }
        for (var found : new StorWorkloads(reads, namespace).all()) {
            parts.add(new Part(found.item(), Fate.REMOVED, found.role().fate()));
        }
        add(parts, new StorLeftOvers(reads, namespace).jobs(true), Fate.KEPT, "is at work");
        volumes(parts, reads);
        add(parts, reads.list(RawDevice.TYPE), Fate.KEPT, "follows its disk from then on");
        add(
                parts,
                reads.list(Types.CONFIG_MAP, FILES.namespace(namespace)),
                Fate.KEPT,
                "only its key devices is written");
        for (var name : SettingWatch.NAMES) {
            add(
                    parts,
                    reads.named(Types.CONFIG_MAP, ObjectKey.of(namespace, name)),
                    Fate.KEPT,
                    "its settings count for ours");
        }
        add(
                parts,
                reads.list(Types.NODE),
                Fate.CHANGED,
                "our finalizer takes the place of the old");
        add(parts, new StorLeftOvers(reads, namespace).all(), Fate.LEFT_OVER, "confirm removes it");
        return parts;
    }

    private static void volumes(List<Part> parts, Reads reads)
            throws ApiException, InterruptedException {
        add(
                parts,
                reads.named(Types.CRD, ObjectKey.cluster(OLD.logicalVolumes().qualifiedPlural())),
                Fate.CHANGED,
                "the manifests give it the fields that it lacks");
        add(parts, reads.list(OLD.logicalVolumes()), Fate.KEPT, "its data stays where it is");
        add(parts, ofDrivers(reads, Types.PV, "spec", "csi", "driver"), Fate.KEPT, "stays mounted");
        add(
                parts,
                ofDrivers(reads, Types.STORAGE_CLASS, "provisioner"),
                Fate.KEPT,
                "claims go on using it");
        add(
                parts,
                ofDrivers(reads, Types.VOLUME_SNAPSHOT_CLASS, "driver"),
                Fate.KEPT,
                "goes on being used");
        add(
                parts,
                reads.named(Types.CSI_DRIVER, ObjectKey.cluster(OLD.name())),
                Fate.CHANGED,
                "gets a mark that ours serves it, with LogicalVolumes of its group");
        add(
                parts,
                reads.named(Types.CSI_DRIVER, ObjectKey.cluster(RawDevice.DRIVER.name())),
                Fate.CHANGED,
                "gets labels by which ours serves it");
    }

    private static void add(List<Part> parts, List<Item> items, Fate fate, String why) {
        items.forEach(item -> parts.add(new Part(item, fate, why)));
    }

    private static List<Item> ofDrivers(Reads reads, ResourceType type, String... path)
            throws ApiException, InterruptedException {
        return reads.list(type).stream()
                .filter(item -> item.object().text(path).filter(DRIVERS::contains).isPresent())
                .toList();
    }

    @Override
    public List<String> obstacles(List<Part> parts, String namespace) {
        for (var part : parts) {
            boolean old = part.item().name().equals(TopolvmCluster.TYPE.qualifiedPlural());
            if (old && !StorState.isServed(part.item().object())) {
                return List.of(
                        part.item().text()
                                + " does not serve version v2, so this is a release before 2.0:"
                                + " upgrade NativeStor first");
            }
        }
        var found = new ArrayList<>(state(parts, namespace).obstacles());
        for (var part : parts) {
            if (part.fate() == Fate.REMOVED) {
                installer(part.item(), namespace, found);
            }
        }
        if (items(parts, Types.CSI_DRIVER, OLD.name()).isEmpty()) {
            found.add(
                    "there is no CSIDriver "
                            + OLD.name()
                            + ": create it again as it was, or set TOPOLVM_ENABLE to true");
        }
        return found;
    }

    private static void installer(Item item, String namespace, List<String> found) {
        if (Provenance.isOfOlm(item.object())) {
            found.add(
                    item.text()
                            + " belongs to OLM, which would bring it back: delete the Subscription"
                            + " and the ClusterServiceVersion of topolvm-operator in namespace "
                            + namespace
                            + " (the TopolvmCluster and its volumes stay), then repeat this");
        } else if (HelmRelease.isOfHelm(item.object())) {
            found.add(
                    item.text()
                            + " belongs to a Helm release, which would bring it back: delete the"
                            + " release's Secrets (kubectl delete secret -l owner=helm -n "
                            + namespace
                            + "), and never run helm uninstall, which deletes the types with all"
                            + " objects; then repeat this");
        }
    }

    private static List<Item> items(List<Part> parts, ResourceType type, String name) {
        return TopolvmLegacy.items(parts, type).stream()
                .filter(item -> item.name().equals(name))
                .toList();
    }

    private static StorState state(List<Part> parts, String namespace) {
        return new StorState(
                namespace,
                TopolvmLegacy.items(parts, TopolvmCluster.TYPE).stream()
                        .map(item -> TopolvmCluster.of(item.object()))
                        .toList(),
                TopolvmLegacy.items(parts, Types.CONFIG_MAP).stream()
                        .filter(LvmdFile::isFile)
                        .toList(),
                TopolvmLegacy.volumes(parts, OLD),
                TopolvmLegacy.items(parts, Types.NODE).stream()
                        .map(Item::name)
                        .collect(Collectors.toSet()),
                TopolvmLegacy.items(parts, Types.JOB),
                TopolvmLegacy.items(parts, RawDevice.TYPE).stream().map(Item::object).toList());
    }

    /** Labels and mark are the last thing: from then on the drivers are ours to serve. */
    @Override
    public List<Step> changes(List<Part> parts) {
        var steps = new ArrayList<Step>();
        var clusters = TopolvmLegacy.items(parts, TopolvmCluster.TYPE);
        if (clusters.size() == 1) {
            var labels = new DriverLabels(clusters.getFirst().object());
            items(parts, Types.CSI_DRIVER, RawDevice.DRIVER.name()).stream()
                    .flatMap(item -> labels.missing(item).stream())
                    .forEach(steps::add);
        }
        items(parts, Types.CSI_DRIVER, OLD.name()).stream()
                .filter(item -> Drivers.marked(item.object()).isEmpty())
                .map(NativeStor::mark)
                .forEach(steps::add);
        return steps;
    }

    private static Step mark(Item item) {
        return new Step.Change(
                "mark " + item.text() + " as served by ours",
                item,
                now -> MergePatch.of(now).annotation(Drivers.CONVERTED_MARK, OLD.group()));
    }

    @Override
    public List<String> notes(KubeClient kube, List<Part> parts) {
        var notes = new ArrayList<>(state(parts, "").notes());
        notes.add(
                "from then on until our agents run, no volume is mounted or unmounted; what is"
                        + " mounted stays mounted");
        return notes;
    }

    @Override
    public List<String> unfinished(Reads reads, String namespace)
            throws ApiException, InterruptedException {
        var missing = new ArrayList<>(new OurReadiness(reads, namespace).missing());
        for (var item : reads.list(TopolvmCluster.TYPE, ListOptions.all().namespace(namespace))) {
            var phase = TopolvmCluster.of(item.object()).status().phase();
            if (phase.filter(Phase.READY::equals).isEmpty()) {
                missing.add(
                        item.text()
                                + " is not Ready but \""
                                + phase.map(Phase::text).orElse("")
                                + "\": its conditions say why");
            }
        }
        for (var found : new StorWorkloads(reads, namespace).all()) {
            missing.add(found.item().text() + " is there again: run the take-over first");
        }
        return missing;
    }

    @Override
    public boolean hasOwnNodePart() {
        return true;
    }

    /** A Deployment of one node may wait for a node that is down. */
    @Override
    public boolean awaits(KubeObject workload) {
        return workload.textMap("spec", "template", "spec", "nodeSelector").isEmpty();
    }

    /** Its operator would make what is missing itself, at the same time. */
    @Override
    public List<Item> inOrderOfReturn(List<Item> items) {
        var last = items.stream().filter(NativeStor::isOperator).toList();
        var all = new ArrayList<>(items);
        all.removeAll(last);
        all.addAll(last);
        return all;
    }

    private static boolean isOperator(Item item) {
        return StorWorkloads.isOperator(item.object());
    }

    @Override
    public Return returning(Reads reads, String namespace)
            throws ApiException, InterruptedException {
        var parts = parts(reads, namespace);
        return new NativeStorReturn(reads, namespace, state(parts, namespace)).all();
    }

    @Override
    public String next() {
        return "apply the guard and deploy/nativestor for this namespace (docs/takeover.md), then"
                + " confirm or give back";
    }
}
