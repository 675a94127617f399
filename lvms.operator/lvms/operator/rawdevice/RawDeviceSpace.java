package lvms.operator.rawdevice;

import lvms.api.nativestor.RawDevice;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.operator.backend.NodeSpace;
import lvms.operator.claim.StorageClass;
import lvms.operator.informer.OperatorInformers;
import lvms.operator.volume.ClosedClasses;
import lvms.operator.volume.NodeTopology;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The free devices of the nodes. One that somebody waits for is not free, so nothing has to be
 * reserved.
 *
 * @param store the devices
 * @param informers Nodes and CSINodes
 * @param topology the nodes by the driver's label
 */
record RawDeviceSpace(RawDeviceStore store, OperatorInformers informers, NodeTopology topology)
        implements NodeSpace {
    /** What a person calls raw devices in the list of classes that a node gets no more of. */
    private static final String CLASS = RawDevice.DRIVER.name();

    static RawDeviceSpace of(RawDeviceStore store, OperatorInformers informers) {
        return new RawDeviceSpace(
                store, informers, new NodeTopology(RawDevice.DRIVER, informers.nodes()));
    }

    /** Returns the nodes that can take a volume now if nobody chose its node. */
    List<String> ready() {
        return topology.schedulable().stream()
                .filter(node -> informers.registered(RawDevice.DRIVER, node))
                .toList();
    }

    /** Returns those of the nodes to which a person allows new volumes. */
    List<String> open(List<String> nodes) {
        return nodes.stream().filter(node -> !closed(node)).toList();
    }

    private boolean closed(String node) {
        return informers
                .nodes()
                .get(ObjectKey.cluster(node))
                .filter(object -> ClosedClasses.closed(object, CLASS))
                .isPresent();
    }

    @Override
    public Optional<Free> free(String node, StorageClass storageClass) {
        if (closed(node)) {
            return Optional.of(Free.NONE);
        }
        var sizes =
                store.all().stream()
                        .filter(RawDevice::free)
                        .filter(device -> device.spec().nodeName().equals(node))
                        .mapToLong(device -> device.spec().sizeBytes())
                        .summaryStatistics();
        return Optional.of(new Free(Math.max(0, sizes.getMax()), sizes.getSum()));
    }

    @Override
    public boolean reserves(String node, StorageClass storageClass) {
        return false;
    }

    @Override
    public void onMoreRoom(Consumer<String> listener) {
        store.informer()
                .addHandler(
                        (before, after) -> {
                            if (freeBytes(after) > freeBytes(before)) {
                                listener.accept(node(after.orElseThrow()));
                            }
                        });
    }

    @Override
    public void onChange(Consumer<String> listener) {
        store.informer()
                .addHandler(
                        (before, after) -> {
                            if (freeBytes(after) != freeBytes(before)) {
                                listener.accept(node(after.or(() -> before).orElseThrow()));
                            }
                        });
    }

    private static long freeBytes(Optional<KubeObject> object) {
        return object.map(RawDevice::of)
                .filter(RawDevice::free)
                .map(device -> device.spec().sizeBytes())
                .orElse(0L);
    }

    private static String node(KubeObject object) {
        return RawDevice.of(object).spec().nodeName();
    }
}
