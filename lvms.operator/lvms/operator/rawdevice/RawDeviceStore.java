package lvms.operator.rawdevice;

import lvms.api.nativestor.RawDevice;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.client.MergePatch;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.tree.ObjectTree;
import lvms.operator.claim.ClaimMark;
import lvms.operator.informer.OperatorInformers;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The RawDevices: read from a cache that shows our own writes at once. What is decided by an object
 * is written only if that is unchanged, since its node writes it, too. Any thread may use it.
 *
 * @param kube asks past the cache
 * @param informer the cache
 */
record RawDeviceStore(KubeClient kube, Informer informer) {
    private static final String BY_VOLUME = "volume";

    static RawDeviceStore of(KubeClient kube) {
        return new RawDeviceStore(
                kube,
                Informer.of(kube, RawDevice.TYPE)
                        .transform(object -> object.without("metadata", "managedFields"))
                        .index(BY_VOLUME, object -> RawDevice.of(object).volume().stream().toList())
                        .index(
                                OperatorInformers.BY_CLAIM,
                                object ->
                                        mark(object).map(mark -> mark.claim().toString()).stream()
                                                .toList())
                        .build());
    }

    static Optional<ClaimMark> mark(KubeObject object) {
        return ClaimMark.of(object, RawDevice.DRIVER);
    }

    List<RawDevice> all() {
        return informer.list().stream().map(RawDevice::of).toList();
    }

    /** Returns all of them as the server has them. */
    List<RawDevice> onServer() throws ApiException, InterruptedException {
        var objects = kube.list(RawDevice.TYPE, ListOptions.all()).items();
        objects.forEach(informer::observed);
        return objects.stream().map(RawDevice::of).toList();
    }

    /** Reads one from the server. */
    Optional<RawDevice> read(String name) throws ApiException, InterruptedException {
        return kube.find(RawDevice.TYPE, ObjectKey.cluster(name)).map(RawDevice::of);
    }

    /** Returns those that a volume has, or is to have: one, but after an answer that was lost. */
    List<RawDevice> of(String volume) {
        return first(informer.byIndex(BY_VOLUME, volume).stream().map(RawDevice::of).toList());
    }

    /** Returns the same of devices that were read; the one that the volume has is the first. */
    static List<RawDevice> first(List<RawDevice> devices) {
        return devices.stream()
                .sorted(
                        Comparator.comparing((RawDevice device) -> !device.allocated())
                                .thenComparing(RawDevice::name))
                .toList();
    }

    List<RawDevice> ofClaim(ObjectKey claim) {
        return informer.byIndex(OperatorInformers.BY_CLAIM, claim.toString()).stream()
                .map(RawDevice::of)
                .toList();
    }

    /** Asks the node for a device. */
    RawDevice ask(RawDevice device, String volume, Map<String, String> annotations)
            throws ApiException, InterruptedException {
        var patch =
                MergePatch.of(device.object())
                        .ifUnchanged()
                        .annotation(RawDevice.VOLUME, volume)
                        .withoutAnnotation(RawDevice.REFUSAL);
        for (var annotation : annotations.entrySet()) {
            patch = patch.annotation(annotation.getKey(), annotation.getValue());
        }
        return RawDevice.of(informer.patch(patch));
    }

    /** Takes the wish for a device back; the node's refusal stays. */
    void withdraw(RawDevice device) throws ApiException, InterruptedException {
        informer.patch(unasked(device.object()).ifUnchanged());
    }

    /** Makes a refusal count no longer. */
    void forgetRefusal(RawDevice device) throws ApiException, InterruptedException {
        informer.patch(MergePatch.of(device.object()).withoutAnnotation(RawDevice.REFUSAL));
    }

    /**
     * Gives a device back. A cut in between leaves a wish, which no node grants before the device
     * is erased, and then the node takes it off.
     */
    void giveBack(RawDevice device) throws ApiException, InterruptedException {
        var object = device.object();
        if (device.restored()) { // else its node would give it to that volume once more
            object =
                    informer.patch(
                            MergePatch.of(object)
                                    .ifUnchanged()
                                    .annotation(RawDevice.CONTENT, RawDevice.USED));
        }
        if (!device.allocated()) {
            withdraw(RawDevice.of(object));
            return;
        }
        var freed =
                informer.patchStatus(
                        MergePatch.of(object)
                                .ifUnchanged()
                                .status(ObjectTree.builder().put("name", "").build()));
        informer.patch(unasked(freed));
    }

    private static MergePatch unasked(KubeObject object) {
        var patch = MergePatch.of(object).withoutAnnotation(RawDevice.VOLUME);
        for (var annotation :
                List.of(
                        RawDevice.DRIVER.claimAnnotation(),
                        RawDevice.DRIVER.claimNameAnnotation(),
                        RawDevice.DRIVER.claimUidAnnotation())) {
            patch = patch.withoutAnnotation(annotation);
        }
        return patch;
    }

    /** Takes the mark of the claim off. */
    void unmark(KubeObject object) throws ApiException, InterruptedException {
        informer.patch(MergePatch.of(object).withoutAnnotation(RawDevice.DRIVER.claimAnnotation()));
    }
}
