package lvms.operator.rawdevice;

import static java.lang.System.Logger.Level.INFO;

import lvms.api.nativestor.RawDevice;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.controller.Reconciler;
import lvms.k8s.controller.Result;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.operator.node.NodeFinalizers;

import java.util.List;

/**
 * Removes the RawDevices of Nodes that are gone, which no agent does any more. One that a volume
 * has, waits for or left something on stays: if the node comes back, nobody else knows of it.
 */
final class GoneNodeDevices implements Reconciler<ObjectKey> {
    private static final System.Logger LOG = System.getLogger(GoneNodeDevices.class.getName());

    private final RawDeviceStore store;
    private final NodeFinalizers nodes;

    GoneNodeDevices(RawDeviceStore store, NodeFinalizers nodes) {
        this.store = store;
        this.nodes = nodes;
    }

    List<ObjectKey> of(KubeObject node) {
        return store.all().stream()
                .filter(device -> device.spec().nodeName().equals(node.name()))
                .map(device -> device.object().key())
                .toList();
    }

    @Override
    public Result reconcile(ObjectKey key) throws ApiException, InterruptedException {
        var found = store.informer().get(key).map(RawDevice::of);
        if (found.filter(GoneNodeDevices::isNobodys).isEmpty()) {
            return Result.done();
        }
        var device = found.get();
        if (nodes.isGone(device.spec().nodeName())) {
            var unchanged =
                    DeleteOptions.uid(device.object().uid())
                            .resourceVersion(device.object().resourceVersion());
            store.kube().delete(RawDevice.TYPE, key, unchanged);
            LOG.log(
                    INFO,
                    () ->
                            "raw device of a node that is gone removed name=%s node=%s path=%s"
                                    .formatted(
                                            device.name(),
                                            device.spec().nodeName(),
                                            device.spec().realPath()));
        }
        return Result.done();
    }

    private static boolean isNobodys(RawDevice device) {
        return !device.allocated() && device.volume().isEmpty() && !device.used();
    }
}
