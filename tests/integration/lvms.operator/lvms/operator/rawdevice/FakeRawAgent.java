package lvms.operator.rawdevice;

import lvms.api.nativestor.RawDevice;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.MergePatch;
import lvms.k8s.controller.Controller;
import lvms.k8s.controller.Result;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.tree.ObjectTree;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stands in for the agents of all nodes: it gives devices away in the two writes of a real one,
 * refuses what it was told to refuse, and erases what comes back when it is told to.
 */
final class FakeRawAgent implements AutoCloseable {
    private final Informer devices;
    private final Controller<ObjectKey> controller;
    private final Map<String, String> refusals = new ConcurrentHashMap<>();
    private volatile boolean held;
    private volatile boolean erases;

    FakeRawAgent(KubeClient kube) {
        devices = Informer.of(kube, RawDevice.TYPE).build();
        controller =
                Controller.named("fake-raw-agent", this::reconcile)
                        .watch(devices)
                        .workers(4)
                        .build();
        controller.start();
    }

    /** From now on wishes wait, until {@link #resume()}. */
    void hold() {
        held = true;
    }

    void resume() {
        held = false;
        again();
    }

    /** From now on what comes back is erased, at once. */
    void erase() {
        erases = true;
        again();
    }

    /** Refuses a device to everybody, or no longer if there is no reason. */
    void refuse(String device, String why) {
        refusals.put(device, why);
    }

    void allow(String device) {
        refusals.remove(device);
        again();
    }

    private void again() {
        devices.list().forEach(device -> controller.enqueue(device.key()));
    }

    private Result reconcile(ObjectKey key) throws ApiException, InterruptedException {
        var found = devices.get(key).map(RawDevice::of);
        if (found.isEmpty()) {
            return Result.done();
        }
        var device = found.get();
        if (device.toBeErased() && erases) {
            devices.patch(
                    MergePatch.of(device.object())
                            .ifUnchanged()
                            .withoutAnnotation(RawDevice.CONTENT)
                            .withoutAnnotation(RawDevice.VOLUME)
                            .withoutAnnotation(RawDevice.REFUSAL));
        } else if (device.volume().isPresent() && !device.allocated() && !held) {
            answer(device, device.volume().get());
        }
        return Result.done();
    }

    private void answer(RawDevice device, String volume) throws ApiException, InterruptedException {
        var why =
                device.used() ? "a volume has the device, or had it" : refusals.get(device.name());
        if (why == null) {
            give(device);
        } else if (device.refusal().isEmpty()) {
            devices.patch(
                    MergePatch.of(device.object())
                            .ifUnchanged()
                            .annotation(RawDevice.REFUSAL, volume + " " + why));
        }
    }

    private void give(RawDevice device) throws ApiException, InterruptedException {
        var marked =
                devices.patch(
                        MergePatch.of(device.object())
                                .ifUnchanged()
                                .annotation(RawDevice.CONTENT, RawDevice.USED)
                                .withoutAnnotation(RawDevice.REFUSAL));
        devices.patchStatus(
                MergePatch.of(marked)
                        .ifUnchanged()
                        .status(ObjectTree.builder().put("name", device.name()).build()));
    }

    @Override
    public void close() {
        controller.close();
        devices.close();
    }
}
