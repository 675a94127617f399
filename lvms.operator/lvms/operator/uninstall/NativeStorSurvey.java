package lvms.operator.uninstall;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.api.nativestor.RawDevice;
import lvms.api.nativestor.TopolvmCluster;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.operator.nativestor.SettingWatch;
import lvms.operator.unit.ForeignDriver;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Reads what is left of what users of NativeStor have. A type is ours if it has the label of our
 * manifests and all its objects are ours, too: with a type go its objects.
 *
 * @param reads asks the server
 * @param namespace where the installation is
 */
record NativeStorSurvey(Reads reads, String namespace) {
    private static final String PART_OF = "app.kubernetes.io/part-of";
    private static final String INVENTORY_LABEL = "topolvm/lvmdconfig";
    private static final Set<String> INVENTORY_KEYS = Set.of("devices");

    NativeStorRemains read() throws ApiException, InterruptedException {
        var found = found();
        if (found.isEmpty()) {
            return NativeStorRemains.NONE;
        }
        boolean theirs = Drivers.isForeign(reads.find(Types.CSI_DRIVER, key(Driver.CONVERTED)));
        var clusters = theirs ? List.<Item>of() : reads.list(TopolvmCluster.TYPE, inside());
        var rawDevices = servesRaw() ? reads.list(RawDevice.TYPE) : List.<Item>of();
        var keep = new ArrayList<ResourceType>();
        if (theirs || reads.list(TopolvmCluster.TYPE).size() > clusters.size()) {
            keep.add(TopolvmCluster.TYPE);
        }
        if (!servesRaw()) {
            keep.add(RawDevice.TYPE);
        }
        var oldVolumes = Driver.LEGACY.logicalVolumes();
        if (theirs || !reads.list(oldVolumes).isEmpty()) {
            keep.add(oldVolumes);
        }
        return new NativeStorRemains(
                found.stream().filter(item -> keep.stream().noneMatch(t -> isOf(item, t))).toList(),
                clusters.isEmpty() ? List.of() : missing(found),
                clusters,
                rawDevices,
                theirs ? List.of() : configMaps());
    }

    /** Returns whether the driver of raw devices is ours; empty and ours look the same. */
    boolean servesRaw() throws ApiException, InterruptedException {
        return reads.find(Types.CSI_DRIVER, key(RawDevice.DRIVER))
                        .filter(Predicate.not(ForeignDriver::isOurs))
                        .isEmpty()
                && reads.find(Types.CRD, ObjectKey.cluster(RawDevice.TYPE.qualifiedPlural()))
                        .filter(NativeStorSurvey::isShipped)
                        .isPresent();
    }

    private static ObjectKey key(Driver driver) {
        return ObjectKey.cluster(driver.name());
    }

    private static boolean isOf(Item item, ResourceType type) {
        return item.type() == Types.CRD && item.name().equals(type.qualifiedPlural());
    }

    private static boolean isShipped(KubeObject object) {
        return object.label(PART_OF).filter("lvms-provisioner"::equals).isPresent();
    }

    private ListOptions inside() {
        return ListOptions.all().namespace(namespace);
    }

    private List<Item> found() throws ApiException, InterruptedException {
        var found = new ArrayList<Item>();
        for (var entry : Manifests.nativeStor(namespace)) {
            reads.find(entry.type(), entry.key())
                    .filter(object -> entry.type() != Types.CRD || isShipped(object))
                    .ifPresent(object -> found.add(new Item(entry.type(), object)));
        }
        return found;
    }

    private List<Manifests.Entry> missing(List<Item> found) {
        return Manifests.nativeStor(namespace).stream()
                .filter(entry -> entry.key().name().equals(Manifests.NATIVE_STOR))
                .filter(
                        entry ->
                                found.stream()
                                        .noneMatch(
                                                item ->
                                                        item.type() == entry.type()
                                                                && item.key().equals(entry.key())))
                .toList();
    }

    /** What NativeStor's lvmd and jobs wrote beside the list of devices is not ours. */
    private List<Item> configMaps() throws ApiException, InterruptedException {
        return reads.list(Types.CONFIG_MAP, inside()).stream()
                .filter(
                        item ->
                                SettingWatch.NAMES.contains(item.name())
                                        || item.object().label(INVENTORY_LABEL).isPresent()
                                                && INVENTORY_KEYS.containsAll(
                                                        item.object().textMap("data").keySet()))
                .toList();
    }
}
