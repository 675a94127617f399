package lvms.operator.uninstall;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.api.LogicalVolume;
import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.Names;
import lvms.api.nativestor.RawDevice;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.operator.agent.AgentConstraints;
import lvms.operator.unit.ForeignDriver;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads what is left of an installation. Where the CSIDriver is another installation's, such as
 * TopoLVM's, so are the volumes, and what nodes carry.
 *
 * @param reads asks the server
 * @param namespace where the installation is
 */
record Survey(Reads reads, String namespace) {
    private static final String DRIVER = Driver.TOPOLVM.name();

    /** The old name is nobody's where its CSIDriver is converted or gone. */
    private static final List<Driver> BOTH = List.of(Driver.TOPOLVM, Driver.CONVERTED);

    private static final Drivers RAW = Drivers.of(RawDevice.DRIVER);

    Remains read() throws ApiException, InterruptedException {
        var all = Drivers.inCluster(reads.kube());
        boolean oldOnes = !select(Types.CSI_DRIVER, Survey::servedInItsGroup).isEmpty();
        var drivers = oldOnes ? all : all.ofGroup(Driver.TOPOLVM.group());
        var csiDrivers =
                select(Types.CSI_DRIVER, d -> Optional.of(d.name()).filter(DRIVER::equals));
        boolean foreign = !csiDrivers.stream().allMatch(Survey::isMadeByUs);
        var missing = new ArrayList<Manifests.Entry>();
        var stor = new NativeStorSurvey(reads, namespace);
        var nativeStor = stor.read();
        boolean raw = stor.servesRaw();
        var volumes = new ArrayList<Item>();
        if (!foreign) {
            volumes.addAll(ofDriver(drivers, Types.PV, "spec", "csi", "driver"));
        }
        if (raw) {
            volumes.addAll(ofDriver(RAW, Types.PV, "spec", "csi", "driver"));
        }
        var storageClasses = ofDriver(drivers, Types.STORAGE_CLASS, "provisioner");
        var snapshotClasses = ofDriver(drivers, Types.VOLUME_SNAPSHOT_CLASS, "driver");
        var contents =
                foreign
                        ? List.<Item>of()
                        : ofDriver(drivers, Types.VOLUME_SNAPSHOT_CONTENT, "spec", "driver");
        return new Remains(
                namespace,
                foreign,
                installed(foreign, missing),
                missing,
                guard(),
                reads.list(LvmCluster.TYPE),
                reads.list(LvmVolumeGroup.TYPE),
                reads.list(LvmVolumeGroupNodeStatus.TYPE),
                foreign ? List.of() : logicalVolumes(drivers),
                volumes,
                contents,
                foreign ? List.of() : snapshots(contents, snapshotClasses),
                claims(volumes, foreign ? List.of() : storageClasses),
                select(Types.POD, Survey::mayUse).stream().map(Item::object).toList(),
                podsOf(Set.of(Names.OPERATOR, Names.VG_MANAGER)),
                reads.list(Types.DAEMON_SET, inside()).stream()
                        .filter(item -> item.name().equals(Names.VG_MANAGER))
                        .toList(),
                classes(foreign, storageClasses, snapshotClasses, csiDrivers),
                foreign ? List.of() : reads.list(Types.NODE),
                foreign ? List.of() : registrations(drivers),
                raw ? new Drivers(concat(drivers.all(), RawDevice.DRIVER)) : drivers,
                new NodeMarks(all.all().contains(Driver.LEGACY) ? drivers.all() : BOTH),
                nativeStor);
    }

    /**
     * Returns the name of the old CSIDriver if we serve it with LogicalVolumes of its own group.
     */
    private static Optional<String> servedInItsGroup(KubeObject csiDriver) {
        return Drivers.marked(csiDriver).filter(Driver.LEGACY::equals).map(Driver::name);
    }

    private List<Item> logicalVolumes(Drivers drivers) throws ApiException, InterruptedException {
        var volumes = new ArrayList<Item>();
        for (var type : drivers.logicalVolumes()) {
            volumes.addAll(reads.list(type));
        }
        return volumes;
    }

    private static List<Driver> concat(List<Driver> drivers, Driver more) {
        return Stream.concat(drivers.stream(), Stream.of(more)).toList();
    }

    /** What an LVMCluster made, and the CSIDriver whose volumes were converted. */
    private List<Item> classes(
            boolean foreign, List<Item> storage, List<Item> snapshots, List<Item> csiDrivers)
            throws ApiException, InterruptedException {
        var classes =
                new ArrayList<>(
                        madeByUs(
                                Stream.of(
                                        storage,
                                        snapshots,
                                        csiDrivers,
                                        reads.list(AgentConstraints.TYPE))));
        classes.addAll(
                select(
                        Types.CSI_DRIVER,
                        driver ->
                                Optional.of(driver)
                                        .filter(d -> d.name().equals(RawDevice.DRIVER.name()))
                                        .filter(ForeignDriver::isOurs)));
        if (!foreign) {
            classes.addAll(
                    select(
                            Types.CSI_DRIVER,
                            driver ->
                                    Optional.of(driver)
                                            .filter(d -> Drivers.marked(d).isPresent())));
        }
        return classes;
    }

    private ListOptions inside() {
        return ListOptions.all().namespace(namespace);
    }

    private List<Item> installed(boolean foreign, List<Manifests.Entry> missing)
            throws ApiException, InterruptedException {
        var installed = new ArrayList<Item>();
        for (var entry : Manifests.installed(namespace)) {
            if (!foreign || !entry.key().name().equals(LogicalVolume.TYPE.qualifiedPlural())) {
                var found = reads.find(entry.type(), entry.key());
                found.ifPresent(object -> installed.add(new Item(entry.type(), object)));
                if (found.isEmpty() && entry.needed()) {
                    missing.add(entry);
                }
            }
        }
        return installed;
    }

    private List<Item> ofDriver(Drivers drivers, ResourceType type, String... path)
            throws ApiException, InterruptedException {
        return select(type, object -> object.text(path).filter(drivers::serve));
    }

    private List<Item> registrations(Drivers drivers) throws ApiException, InterruptedException {
        return select(
                Types.CSI_NODE,
                node ->
                        node.objects("spec", "drivers").stream()
                                .flatMap(driver -> driver.text("name").stream())
                                .filter(drivers::serve)
                                .findFirst());
    }

    /** The webhooks' configurations are not in the way either, so they go with it. */
    private List<Item> guard() throws ApiException, InterruptedException {
        var guard = new ArrayList<Item>();
        var entries = new ArrayList<>(Manifests.webhooks());
        entries.addAll(Manifests.everyGuard());
        for (var entry : entries) {
            reads.find(entry.type(), entry.key())
                    .ifPresent(object -> guard.add(new Item(entry.type(), object)));
        }
        return guard;
    }

    private List<Item> select(ResourceType type, Selector selector)
            throws ApiException, InterruptedException {
        return reads.list(type).stream()
                .filter(item -> selector.of(item.object()).isPresent())
                .toList();
    }

    /** Other drivers' snapshots carry the same mark of their own provisioners. */
    private List<Item> snapshots(List<Item> contents, List<Item> snapshotClasses)
            throws ApiException, InterruptedException {
        var ours =
                Stream.concat(contents.stream(), snapshotClasses.stream())
                        .map(Item::name)
                        .collect(Collectors.toSet());
        return reads.list(Types.VOLUME_SNAPSHOT).stream()
                .filter(item -> !Marks.finalizers(item.object()).isEmpty())
                .filter(item -> isOf(item.object(), ours))
                .toList();
    }

    private static boolean isOf(KubeObject snapshot, Set<String> ours) {
        return snapshot.text("status", "boundVolumeSnapshotContentName")
                .filter(ours::contains)
                .or(() -> snapshot.text("spec", "volumeSnapshotClassName").filter(ours::contains))
                .isPresent();
    }

    private interface Selector {
        Optional<?> of(KubeObject object);
    }

    /** A pod that has ended holds no volume. */
    private static Optional<String> mayUse(KubeObject pod) {
        var phase = pod.text("status", "phase").orElse("Pending");
        return Optional.of(phase)
                .filter(Predicate.not(Set.of("Succeeded", "Failed")::contains))
                .filter(_ -> !pod.objects("spec", "volumes").isEmpty());
    }

    private List<Item> claims(List<Item> volumes, List<Item> storageClasses)
            throws ApiException, InterruptedException {
        var uids =
                volumes.stream()
                        .flatMap(v -> v.object().text("spec", "claimRef", "uid").stream())
                        .collect(Collectors.toSet());
        var classes = storageClasses.stream().map(Item::name).collect(Collectors.toSet());
        return reads.list(Types.PVC).stream()
                .filter(
                        claim ->
                                uids.contains(claim.object().uid())
                                        || claim.object()
                                                .text("spec", "storageClassName")
                                                .filter(classes::contains)
                                                .isPresent())
                .toList();
    }

    /** Returns the pods in which these programs run. */
    List<Item> podsOf(Set<String> names) throws ApiException, InterruptedException {
        return reads.list(Types.POD, inside()).stream()
                .filter(
                        pod ->
                                pod.object()
                                        .label("app.kubernetes.io/name")
                                        .filter(names::contains)
                                        .isPresent())
                .toList();
    }

    private static List<Item> madeByUs(Stream<List<Item>> kinds) {
        return kinds.flatMap(List::stream).filter(Survey::isMadeByUs).toList();
    }

    private static boolean isMadeByUs(Item item) {
        return ForeignDriver.isOurs(item.object());
    }
}
