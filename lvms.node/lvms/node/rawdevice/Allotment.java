package lvms.node.rawdevice;

import static java.lang.System.Logger.Level.INFO;

import lvms.api.nativestor.DeviceTenancy;
import lvms.api.nativestor.RawDevice;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.MergePatch;
import lvms.k8s.informer.Informer;
import lvms.k8s.tree.ObjectTree;
import lvms.lvm2.system.Boot;
import lvms.node.discovery.ListedDevice;
import lvms.node.disk.Host;
import lvms.node.disk.NodeDevice;
import lvms.node.proof.Proofs;

import java.io.IOException;
import java.util.Optional;

/**
 * Answers whoever wants a device for a volume. The node decides, since only the node knows whether
 * the device is free, and it decides in turn with its volume groups.
 *
 * @param objects the RawDevices of this node
 */
record Allotment(Informer objects) {
    private static final System.Logger LOG = System.getLogger(Allotment.class.getName());

    /**
     * Gives the device to the volume that waits for it, or says why not.
     *
     * @param machine the machine on which what volumes have or had is not free
     * @param wanted an object with a wish and without a volume
     * @param device its device, if it is there
     */
    void answer(Host machine, RawDevice wanted, Optional<ListedDevice> device)
            throws IOException, ApiException, InterruptedException {
        var volume = wanted.volume().orElseThrow();
        var objection = objection(machine, wanted, device);
        if (objection.isEmpty()) {
            give(wanted, volume, device.orElseThrow().device());
        } else if (!wanted.refusal().equals(objection)) {
            objects.patch(
                    MergePatch.of(wanted.object())
                            .ifUnchanged()
                            .annotation(RawDevice.REFUSAL, volume + " " + objection.get()));
            LOG.log(
                    INFO,
                    () ->
                            "raw device refused name=%s volume=%s: %s"
                                    .formatted(wanted.name(), volume, objection.get()));
        }
    }

    private void give(RawDevice wanted, String volume, NodeDevice device)
            throws IOException, ApiException, InterruptedException {
        var tenancy = new DeviceTenancy(Boot.id(), device.sequence(), device.sizeBytes());
        // first: who gives the device back before that is noted would leave its content to others
        var marked =
                objects.patch(
                        MergePatch.of(wanted.object())
                                .ifUnchanged()
                                .annotation(RawDevice.CONTENT, RawDevice.USED)
                                .annotation(RawDevice.TENANCY, tenancy.text())
                                .withoutAnnotation(RawDevice.LEFT)
                                .withoutAnnotation(RawDevice.CONFIRMED)
                                .withoutAnnotation(RawDevice.ERASED)
                                .withoutAnnotation(RawDevice.REFUSAL));
        objects.patchStatus(
                MergePatch.of(marked)
                        .ifUnchanged()
                        .status(ObjectTree.builder().put("name", wanted.name()).build()));
        LOG.log(
                INFO,
                () ->
                        "raw device allocated name=%s path=%s volume=%s"
                                .formatted(wanted.name(), wanted.spec().realPath(), volume));
    }

    private static Optional<String> objection(
            Host machine, RawDevice wanted, Optional<ListedDevice> device)
            throws IOException, InterruptedException {
        if (device.isEmpty() || !wanted.spec().available()) {
            return Optional.of(
                    wanted.spec().reason().isEmpty() ? RawDevice.GONE : wanted.spec().reason());
        }
        return lastLook(machine, device.get().device());
    }

    private static Optional<String> lastLook(Host machine, NodeDevice device)
            throws IOException, InterruptedException {
        var evidence = machine.lastLook(device);
        boolean data = evidence.same() && machine.hasData(device);
        return Proofs.take(data ? evidence.withData() : evidence);
    }
}
