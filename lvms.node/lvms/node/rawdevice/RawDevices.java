package lvms.node.rawdevice;

import static java.lang.System.Logger.Level.INFO;

import lvms.api.ErasureConfig;
import lvms.api.nativestor.NodeObjects;
import lvms.api.nativestor.RawDevice;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.lvm2.device.BlockDevices;
import lvms.node.discovery.ListedDevice;
import lvms.node.discovery.Publisher;
import lvms.node.disk.Host;
import lvms.node.erasure.DeviceZeroing;

import java.io.IOException;
import java.util.List;

/** The RawDevices of this node, and of no other. */
public final class RawDevices implements Publisher {
    private static final System.Logger LOG = System.getLogger(RawDevices.class.getName());

    private final KubeClient kube;
    private final String node;
    private final boolean allot;
    private final Informer informer;
    private final LostObjects lost;
    private final DeviceZeroing zeroing;
    private volatile Runnable wake = () -> {};

    /**
     * Those of a node; nothing is read yet.
     *
     * @param allot whether they are given to volumes
     */
    public RawDevices(KubeClient kube, String node, boolean allot) {
        this(kube, node, allot, ErasureConfig.DEFAULT_RATE.bytes());
    }

    /**
     * Those of a node; nothing is read yet.
     *
     * @param allot whether they are given to volumes
     * @param erasureRate how much of them is erased at most in a second, in bytes
     */
    public RawDevices(KubeClient kube, String node, boolean allot, long erasureRate) {
        this.kube = kube;
        this.node = node;
        this.allot = allot;
        zeroing = new DeviceZeroing(erasureRate, () -> wake.run());
        informer = Informer.of(kube, RawDevice.TYPE).labelSelector(selector(node)).build();
        lost = new LostObjects(kube, node, informer);
    }

    private static String selector(String node) {
        return RawDevice.NODE_LABEL + "=" + NodeObjects.labelValue(node);
    }

    @Override
    public Host over(Host host) {
        return new HeldDevices(host, () -> lost.known(known()), this::onServer);
    }

    private RawLedger onServer() throws ApiException, InterruptedException {
        var options = ListOptions.all().labels(selector(node));
        var ledger = lost.ask(ours(kube.list(RawDevice.TYPE, options).items()));
        if (!ledger.complete()) {
            lost.askAgain();
        }
        return ledger;
    }

    @Override
    public void start(Runnable listener) {
        wake = listener;
        informer.addHandler(
                (before, after) -> {
                    lost.changed(before, after);
                    if (after.isEmpty()) { // what is made again has another UID
                        before.ifPresent(object -> zeroing.stop(object.uid()));
                    }
                    listener.run();
                });
        informer.start();
    }

    @Override
    public void publish(Host machine, List<ListedDevice> devices)
            throws IOException, ApiException, InterruptedException {
        if (!informer.synced()) {
            return;
        }
        var present = devices.stream().map(d -> PresentDevice.of(d.device())).toList();
        var before = known();
        boolean more = new RawDevicePlan(node, before, devices).findsMore();
        if (lost.restore(before, present, more)) {
            wake.run(); // the devices are shown as they were until then
        }
        lost.giveAgain(known());
        for (var change : new RawDevicePlan(node, known(), devices).changes()) {
            write(change);
        }
        if (allot) {
            answer(machine, devices);
            new Erasing(informer, BlockDevices.system(), zeroing).pass(known());
        }
    }

    private void answer(Host machine, List<ListedDevice> devices)
            throws IOException, ApiException, InterruptedException {
        var now = known();
        var plan = new RawDevicePlan(node, now, devices);
        var allotment = new Allotment(informer);
        for (var object : now) {
            if (object.volume().isPresent() && !object.allocated() && !object.restored()) {
                allotment.answer(over(machine), object, plan.device(object));
            }
        }
    }

    /** Returns whether the objects are known. */
    public boolean synced() {
        return informer.synced();
    }

    /** Returns the objects, as far as they are known. */
    List<RawDevice> known() {
        return ours(informer.list());
    }

    private List<RawDevice> ours(List<KubeObject> objects) {
        return objects.stream()
                .map(RawDevice::of)
                .filter(device -> device.spec().nodeName().equals(node))
                .toList();
    }

    private void write(RawDevicePlan.Change change) throws ApiException, InterruptedException {
        switch (change) {
            case RawDevicePlan.Change.Create(var object) -> {
                informer.create(object);
                LOG.log(INFO, () -> "raw device found " + text(RawDevice.of(object)));
            }
            case RawDevicePlan.Change.Update(var patch) -> {
                var now = RawDevice.of(informer.patch(patch));
                LOG.log(INFO, () -> "raw device changed " + text(now));
            }
            case RawDevicePlan.Change.Delete(var device) -> {
                kube.delete(
                        RawDevice.TYPE,
                        device.object().key(),
                        DeleteOptions.uid(device.object().uid()));
                LOG.log(INFO, () -> "raw device is gone " + text(device));
            }
        }
    }

    private static String text(RawDevice device) {
        var spec = device.spec();
        return "name=%s path=%s available=%s reason=%s"
                .formatted(device.name(), spec.realPath(), spec.available(), spec.reason());
    }

    @Override
    public void close() {
        zeroing.close();
        informer.close();
    }
}
