package lvms.node.rawdevice;

import lvms.api.nativestor.RawDevice;
import lvms.api.nativestor.RawVolume;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What the cluster says of the raw devices of a node: its RawDevices, those that somebody has
 * deleted although a volume has or had them, and the PersistentVolumes, which prove the same after
 * a restart.
 *
 * @param node the node
 * @param objects its RawDevices
 * @param deleted what they said that are missing, by an agent that has seen them
 * @param volumes PersistentVolumes of raw devices; none if nobody has asked for them
 */
record RawLedger(
        String node, List<RawDevice> objects, List<RawDevice> deleted, List<RawVolume> volumes) {
    RawLedger {
        objects = List.copyOf(objects);
        deleted = List.copyOf(deleted);
        volumes = List.copyOf(volumes);
    }

    /**
     * Returns the objects that have to be made again, as they have to be.
     *
     * @param present the devices of the node
     */
    List<RawDevice> lost(List<PresentDevice> present) {
        var lost = new LinkedHashMap<String, RawDevice>();
        var missed =
                Stream.concat(
                        deleted.stream(),
                        unknown().flatMap(volume -> proven(volume, present).stream()));
        for (var device : missed.toList()) {
            boolean there = object(device.name()).filter(RawDevice::held).isPresent();
            // of two volumes of one disk, one had it before the other
            var others = Stream.concat(held(), lost.values().stream());
            if (!there && others.noneMatch(other -> isSameDisk(device, other))) {
                lost.putIfAbsent(device.name(), device);
            }
        }
        return List.copyOf(lost.values());
    }

    /** Returns whether two objects are proven to be of one disk. */
    static boolean isSameDisk(RawDevice one, RawDevice other) {
        return !one.identity().isEmpty()
                && RawDeviceMatch.identity(one.identity())
                        .sameAs(RawDeviceMatch.identity(other.identity()));
    }

    private Stream<RawDevice> held() {
        return objects.stream().filter(RawDevice::held);
    }

    /**
     * Returns the objects whose devices nobody else may have.
     *
     * @param present the devices of the node
     */
    List<RawDevice> held(List<PresentDevice> present) {
        return Stream.concat(held(), lost(present).stream()).toList();
    }

    /** Returns the PersistentVolumes of which nothing proves which device they are. */
    List<RawVolume> inDoubt(List<PresentDevice> present) {
        return unknown()
                .filter(volume -> volume.node().isPresent())
                .filter(volume -> proven(volume, present).isEmpty())
                .toList();
    }

    /**
     * Returns the volume that may have a device, although nothing proves it: nobody has known the
     * device for as long as there is the volume, and it is large enough.
     *
     * @param present the devices of the node
     */
    Optional<RawVolume> mayHave(PresentDevice device, List<PresentDevice> present) {
        return inDoubt(present).stream().filter(v -> isCandidate(device, v, present)).findFirst();
    }

    /** Returns whether the objects know of all volumes of which somebody knows here. */
    boolean complete() {
        return deleted.isEmpty() && unknown().findAny().isEmpty();
    }

    /**
     * Returns the PersistentVolumes of this node whose objects know nothing of them; those with a
     * claim come first, then the newest.
     */
    private Stream<RawVolume> unknown() {
        return volumes.stream()
                .sorted(
                        Comparator.comparing(RawVolume::released)
                                .thenComparing(RawVolume::created, Comparator.reverseOrder()))
                .filter(volume -> volume.node().map(node::equals).orElse(true))
                .filter(volume -> volume.isUnknownTo(object(volume.handle())));
    }

    private Optional<RawDevice> object(String name) {
        return objects.stream().filter(object -> object.name().equals(name)).findFirst();
    }

    /** By what the operator has noted, by the object of that name, or by NativeStor's name. */
    private Optional<RawDevice> proven(RawVolume volume, List<PresentDevice> present) {
        var object = object(volume.handle());
        if (!volume.identity().isEmpty()) {
            return volume.node().map(_ -> identified(volume, present));
        }
        if (object.isPresent()) {
            return Optional.of(of(volume, object.get().spec(), object.get().identity()));
        }
        return present.stream()
                .filter(device -> hasName(device, volume.handle()))
                .filter(device -> isCandidate(device, volume, present))
                .findFirst()
                .map(device -> of(volume, spec(device), Map.of()));
    }

    private boolean hasName(PresentDevice device, String name) {
        return Stream.of(device.name(), device.kernelName())
                .anyMatch(path -> RawDevice.nameOf(node, path).equals(name));
    }

    private RawDevice identified(RawVolume volume, List<PresentDevice> present) {
        var identity = RawDeviceMatch.identity(volume.identity());
        var spec =
                present.stream()
                        .filter(device -> device.identity().sameAs(identity))
                        .filter(device -> device.sizeBytes() >= volume.sizeBytes())
                        .findFirst()
                        .map(this::spec)
                        .orElseGet(() -> spec("", "disk", volume.sizeBytes()));
        return of(volume, spec, volume.identity());
    }

    private boolean isCandidate(
            PresentDevice device, RawVolume volume, List<PresentDevice> present) {
        var match = RawDeviceMatch.of(objects, present);
        Predicate<RawDevice> knew = object -> object.held() || volume.isNewerThan(object);
        return device.sizeBytes() >= volume.sizeBytes()
                && objects.stream()
                        .filter(object -> match.device(object).filter(device::equals).isPresent())
                        .noneMatch(knew);
    }

    private RawDevice.Spec spec(PresentDevice device) {
        return spec(device.name(), device.type(), device.sizeBytes());
    }

    /** The next look at the devices knows the numbers. */
    private RawDevice.Spec spec(String path, String type, long bytes) {
        return new RawDevice.Spec(node, bytes, type, path, 0, 0, "", false, RawDevice.GONE);
    }

    private static RawDevice of(
            RawVolume volume, RawDevice.Spec spec, Map<String, String> identity) {
        var object =
                RawDevice.create(volume.handle(), spec, identity)
                        .with(volume.name(), "metadata", "annotations", RawDevice.VOLUME)
                        .with(volume.handle(), "status", "name");
        return RawDevice.of(object);
    }
}
