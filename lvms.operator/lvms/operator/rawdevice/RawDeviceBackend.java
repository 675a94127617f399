package lvms.operator.rawdevice;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.api.Names;
import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.api.nativestor.RawDevice;
import lvms.api.nativestor.RawVolume;
import lvms.k8s.client.ApiException;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.operator.backend.BegunVolume;
import lvms.operator.backend.Copying;
import lvms.operator.backend.NodeSpace;
import lvms.operator.backend.VolumeBackend;
import lvms.operator.claim.Claim;
import lvms.operator.volume.Placement;
import lvms.operator.volume.Progress;
import lvms.operator.volume.SidecarCalls;
import lvms.operator.volume.SidecarCalls.Method;
import lvms.operator.volume.VolumeRequest;
import lvms.operator.volume.VolumeService;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Volumes that are whole devices. The name of the volume is in the RawDevice from the first write
 * on, so that no volume gets two devices, whatever is cut.
 */
final class RawDeviceBackend implements VolumeBackend {
    private static final System.Logger LOG = System.getLogger(RawDeviceBackend.class.getName());
    private static final int TRIES = 5;

    private final RawDeviceStore store;
    private final RawDeviceSpace space;
    private final SidecarCalls calls;
    private final ReentrantLock choosing = new ReentrantLock(); // so no two want one device

    RawDeviceBackend(RawDeviceStore store, RawDeviceSpace space, SidecarCalls calls) {
        this.store = store;
        this.space = space;
        this.calls = calls;
    }

    @Override
    public Driver driver() {
        return RawDevice.DRIVER;
    }

    @Override
    public Informer objects() {
        return store.informer();
    }

    @Override
    public Optional<BegunVolume> volume(KubeObject object) {
        var device = RawDevice.of(object);
        return device.allocated() || device.volume().isPresent()
                ? Optional.of(begun(device))
                : Optional.empty();
    }

    private static BegunVolume begun(RawDevice device) {
        return new BegunVolume(
                device.object(),
                device.volume().orElse(""),
                device.volumeId(),
                "",
                device.spec().nodeName(),
                device.spec().sizeBytes(),
                state(device),
                RawDeviceStore.mark(device.object()),
                false,
                "",
                Map.of(),
                Optional.empty());
    }

    private static LogicalVolume.State state(RawDevice device) {
        if (device.allocated()) {
            return LogicalVolume.State.READY;
        }
        return device.refusal().isPresent()
                ? LogicalVolume.State.FAILED
                : LogicalVolume.State.PENDING;
    }

    @Override
    public Optional<BegunVolume> find(String name) {
        return store.of(name).stream().findFirst().map(RawDeviceBackend::begun);
    }

    @Override
    public List<BegunVolume> ofClaim(ObjectKey claim) {
        return store.ofClaim(claim).stream().map(RawDeviceBackend::begun).toList();
    }

    @Override
    public Optional<String> objection(Claim claim) {
        if (!claim.volumeMode().equals("Block")) {
            return Optional.of(
                    "a raw device is handed out without a filesystem: the claim has to say"
                            + " volumeMode: Block");
        }
        return claim.attributesClassName().isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "a raw device has no attributes to be changed: leave"
                                + " volumeAttributesClassName out");
    }

    @Override
    public Optional<Copying> copying() {
        return Optional.empty();
    }

    @Override
    public Progress<BegunVolume> create(VolumeRequest request)
            throws VolumeException, ApiException, InterruptedException {
        return calls.pass(Method.CREATE_VOLUME, request.name(), () -> begin(request));
    }

    private Progress<BegunVolume> begin(VolumeRequest request)
            throws VolumeException, ApiException, InterruptedException {
        var known = store.of(request.name());
        if (known.size() == 1 && begun(known.getFirst()).state() != LogicalVolume.State.FAILED) {
            return progress(known.getFirst());
        }
        choosing.lockInterruptibly();
        try {
            return choose(request);
        } finally {
            choosing.unlock();
        }
    }

    private static Progress<BegunVolume> progress(RawDevice device) {
        return device.allocated()
                ? new Progress.Converged<>(begun(device))
                : new Progress.Pending<>(device.name());
    }

    /**
     * The server is asked, since the answer to an earlier wish may have been lost. A node may
     * change a device meanwhile; then the choice is made anew.
     */
    private Progress<BegunVolume> choose(VolumeRequest request)
            throws VolumeException, ApiException, InterruptedException {
        for (int tries = 0; tries < TRIES; tries++) {
            try {
                var devices = store.onServer();
                var kept = kept(request.name(), devices);
                return kept.isPresent() ? progress(kept.get()) : ask(request, devices);
            } catch (ApiException.Conflict _) {
                continue; // its node was quicker
            }
        }
        throw new VolumeException(
                StatusCode.ABORTED, "the raw devices change too often to choose one");
    }

    /** Returns the device that the volume has or waits for; others are given back. */
    private Optional<RawDevice> kept(String volume, List<RawDevice> devices)
            throws ApiException, InterruptedException {
        var mine =
                RawDeviceStore.first(
                        devices.stream()
                                .filter(d -> d.volume().filter(volume::equals).isPresent())
                                .toList());
        var kept = Optional.<RawDevice>empty();
        for (var device : mine) {
            if (kept.isEmpty() && begun(device).state() != LogicalVolume.State.FAILED) {
                kept = Optional.of(device);
            } else {
                LOG.log(
                        INFO,
                        () ->
                                "raw device not taken name=%s volume=%s reason=%s"
                                        .formatted(
                                                device.name(),
                                                volume,
                                                device.refusal().orElse("it has another one")));
                store.giveBack(device);
            }
        }
        return kept;
    }

    private Progress<BegunVolume> ask(VolumeRequest request, List<RawDevice> devices)
            throws VolumeException, ApiException, InterruptedException {
        var choice = new DeviceChoice(request.name(), request.range(), devices);
        var groups = groups(request.placement());
        for (var nodes : groups.stream().map(space::open).toList()) {
            var device = choice.on(nodes);
            if (device.isPresent()) {
                var asked = store.ask(device.get(), request.name(), request.annotations());
                return new Progress.Pending<>(asked.name());
            }
        }
        for (var refused : choice.refused()) {
            store.forgetRefusal(refused); // the next try asks once more
        }
        throw new VolumeException(
                StatusCode.RESOURCE_EXHAUSTED,
                shortage(choice, groups.stream().flatMap(List::stream).toList()));
    }

    private String shortage(DeviceChoice choice, List<String> nodes) {
        var open = space.open(nodes);
        return open.isEmpty() && !nodes.isEmpty()
                ? "no new volumes on node %s (annotation %s)"
                        .formatted(String.join(", ", nodes), Names.NO_NEW_VOLUMES_ANNOTATION)
                : choice.shortage(open);
    }

    /** Returns the nodes that may have the volume: within a group the device decides. */
    private List<List<String>> groups(Placement placement) {
        return switch (placement) {
            case Placement.InOrder(var nodes) -> nodes.stream().map(List::of).toList();
            case Placement.Among(var nodes) ->
                    List.of(space.ready().stream().filter(nodes::contains).toList());
            case Placement.Anywhere() -> List.of(space.ready());
        };
    }

    @Override
    public void unmark(BegunVolume volume) throws ApiException, InterruptedException {
        store.unmark(volume.object());
    }

    @Override
    public Progress<Boolean> discard(BegunVolume volume)
            throws VolumeException, ApiException, InterruptedException {
        return deletion(
                volume.name(),
                () -> {
                    store.giveBack(RawDevice.of(volume.object()));
                    return new Progress.Converged<>(true);
                });
    }

    /** It ends when the device is given back; its node erases it later. */
    private Progress<Boolean> deletion(String subject, VolumeService.Pass<Boolean> pass)
            throws VolumeException, ApiException, InterruptedException {
        var progress = calls.pass(Method.DELETE_VOLUME, subject, pass);
        calls.gone(subject);
        return progress;
    }

    /**
     * The id of a volume is that of its device, which another volume may have by now: a deletion
     * that comes late must not take it away from that one.
     */
    @Override
    public Progress<Boolean> reclaim(KubeObject persistentVolume, boolean seen)
            throws VolumeException, ApiException, InterruptedException {
        var id = persistentVolume.text("spec", "csi", "volumeHandle").orElse("");
        return deletion(id, () -> reclaim(id, persistentVolume));
    }

    private Progress<Boolean> reclaim(String id, KubeObject persistentVolume)
            throws VolumeException, ApiException, InterruptedException {
        var found =
                lvms.k8s.object.Names.isDnsSubdomain(id)
                        ? store.read(id)
                        : Optional.<RawDevice>empty();
        requireKnown(persistentVolume, found);
        if (found.filter(device -> device.volumeId().equals(id) || device.restored()).isPresent()) {
            if (isOfAnother(found.get(), persistentVolume)) {
                LOG.log(
                        WARNING,
                        () ->
                                "raw device kept, since it is another volume's by now name=%s"
                                                .formatted(id)
                                        + " volume="
                                        + persistentVolume.name());
            } else {
                store.giveBack(found.get());
            }
        }
        return new Progress.Converged<>(true);
    }

    /**
     * The node makes an object again that somebody has deleted, as long as there is the volume;
     * without it nobody would know that the disk has to be erased.
     */
    private void requireKnown(KubeObject persistentVolume, Optional<RawDevice> device)
            throws VolumeException, ApiException, InterruptedException {
        var cached = new RawVolume(persistentVolume);
        if (cached.identity().isEmpty() || !cached.isUnknownTo(device)) {
            return;
        }
        var node =
                store.kube()
                        .find(Types.PV, persistentVolume.key()) // a cache keeps no node of it
                        .flatMap(volume -> new RawVolume(volume).node())
                        .flatMap(space.topology()::nodeOf);
        if (node.isPresent()) {
            throw new VolumeException(
                    StatusCode.ABORTED,
                    "RawDevice "
                            + cached.handle()
                            + " was deleted: its volume waits until the agent of node "
                            + node.get()
                            + " has made it again, so that the disk is erased");
        }
    }

    private boolean isOfAnother(RawDevice device, KubeObject persistentVolume)
            throws ApiException, InterruptedException {
        var owner = device.volume().filter(name -> !name.equals(persistentVolume.name()));
        if (owner.isEmpty()) {
            return false;
        }
        boolean provisioned =
                persistentVolume.annotation(Names.PROVISIONED_BY_ANNOTATION).isPresent();
        return provisioned // else a person made it, perhaps for a device that was retained
                || RawDeviceStore.mark(device.object()).isPresent()
                || store.kube().find(Types.PV, ObjectKey.cluster(owner.get())).isPresent();
    }

    @Override
    public NodeSpace space() {
        return space;
    }
}
