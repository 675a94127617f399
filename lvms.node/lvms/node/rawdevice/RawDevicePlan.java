package lvms.node.rawdevice;

import lvms.api.nativestor.NodeObjects;
import lvms.api.nativestor.RawDevice;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.KubeObject;
import lvms.node.discovery.ListedDevice;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What has to be written so that there is one RawDevice for each device that is listed. */
final class RawDevicePlan {
    private static final String HELD = "a volume has the device, or had it";
    private static final String UNKNOWN =
            "has no serial number, world wide name or other mark of its own, and no link in"
                    + " /dev/disk/by-path, by which it would be known again";

    private final String node;
    private final List<RawDevice> objects;
    private final List<ListedDevice> listed;
    private final RawDeviceMatch match;

    /** One write. */
    sealed interface Change {
        record Create(KubeObject object) implements Change {}

        record Update(MergePatch patch) implements Change {}

        record Delete(RawDevice object) implements Change {}
    }

    /**
     * @param objects the RawDevices of the node
     * @param listed its devices
     */
    RawDevicePlan(String node, List<RawDevice> objects, List<ListedDevice> listed) {
        this.node = node;
        this.objects = List.copyOf(objects);
        this.listed = List.copyOf(listed);
        match =
                RawDeviceMatch.of(
                        objects, listed.stream().map(l -> PresentDevice.of(l.device())).toList());
    }

    /** Returns the writes in their order: a name may be given again. */
    List<Change> changes() {
        var changes = new ArrayList<Change>();
        var names = new HashSet<String>();
        for (var object : objects) {
            if (match.device(object).isEmpty() && !isKept(object)) {
                changes.add(new Change.Delete(object));
            } else {
                names.add(object.name());
                update(object, changes);
            }
        }
        for (var device : listed) {
            if (!match.isKnown(PresentDevice.of(device.device()))) {
                create(device, names, changes);
            }
        }
        return changes;
    }

    /** Returns whether a device has no object. */
    boolean findsMore() {
        return listed.stream().anyMatch(l -> !match.isKnown(PresentDevice.of(l.device())));
    }

    /** What a volume has or had, or waits for, is missed and not forgotten. */
    private static boolean isKept(RawDevice object) {
        return object.held() || object.volume().isPresent();
    }

    /** Returns the device of an object; empty if it is not there. */
    Optional<ListedDevice> device(RawDevice object) {
        return match.device(object)
                .flatMap(
                        device ->
                                listed.stream()
                                        .filter(
                                                l ->
                                                        l.device()
                                                                .kernelName()
                                                                .equals(device.kernelName()))
                                        .findFirst());
    }

    private void update(RawDevice object, List<Change> changes) {
        var device = device(object);
        var spec =
                device.isEmpty() ? object.spec().unavailable(RawDevice.GONE) : spec(device.get());
        if (spec.available() && object.held()) { // the list is older
            spec = spec.unavailable(HELD);
        }
        var identity = new LinkedHashMap<>(object.identity());
        device.ifPresent(d -> identity.putAll(identity(d)));
        var patch = MergePatch.of(object.object());
        boolean changed = false;
        if (!spec.equals(object.spec())) {
            patch = patch.set(spec.json(), "spec");
            patch = spec.reason().isEmpty() ? patch.without("spec", "reason") : patch;
            changed = true;
        }
        if (!identity.equals(object.identity())) {
            patch = patch.annotation(RawDevice.IDENTITY, RawDevice.text(identity));
            changed = true;
        }
        // by NativeStor, before an agent of ours saw it, or its object was made again
        if (object.allocated() && (!object.used() || object.restored())) {
            patch = patch.annotation(RawDevice.CONTENT, RawDevice.USED);
            changed = true;
        }
        if (object.allocated() && object.beingErased()) { // what was erased is written again
            patch = patch.withoutAnnotation(RawDevice.ERASED);
            patch = patch.withoutAnnotation(RawDevice.LEFT);
            patch = patch.withoutAnnotation(RawDevice.CONFIRMED);
            changed = true;
        }
        if (changed) {
            changes.add(new Change.Update(patch));
        }
    }

    private Map<String, String> identity(ListedDevice device) {
        return match.identity(PresentDevice.of(device.device()));
    }

    private void create(ListedDevice device, Set<String> names, List<Change> changes) {
        var identity = identity(device);
        var name = name(device, identity, names);
        if (names.add(name)) {
            changes.add(new Change.Create(RawDevice.create(name, spec(device), identity)));
        }
    }

    /** A device that is missed may have had the path, and so the name, of this one. */
    private String name(ListedDevice device, Map<String, String> identity, Set<String> names) {
        var path = device.device().name();
        var usual = RawDevice.nameOf(node, path);
        return names.contains(usual)
                ? NodeObjects.hash(node + path + "\n" + RawDevice.text(identity))
                : usual;
    }

    private RawDevice.Spec spec(ListedDevice listedDevice) {
        var device = listedDevice.device();
        var reasons = new ArrayList<>(listedDevice.reasons());
        if (identity(listedDevice).isEmpty()) {
            reasons.add(UNKNOWN);
        }
        var number = device.hardware().number();
        return new RawDevice.Spec(
                node,
                device.sizeBytes(),
                device.type(),
                device.name(),
                number.major(),
                number.minor(),
                "",
                reasons.isEmpty(),
                String.join("; ", reasons));
    }
}
