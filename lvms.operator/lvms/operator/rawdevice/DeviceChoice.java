package lvms.operator.rawdevice;

import lvms.api.nativestor.RawDevice;
import lvms.operator.volume.CapacityRange;
import lvms.operator.volume.SizeRules;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Chooses the device for a volume: the smallest that fits, so that larger ones are left for larger
 * claims. One that its node has refused is passed over. Pure functions.
 *
 * @param volume name of the volume
 * @param range sizes that will do
 * @param devices the RawDevices
 */
record DeviceChoice(String volume, CapacityRange range, List<RawDevice> devices) {
    private static final int REFUSALS_IN_MESSAGE = 3;

    DeviceChoice {
        devices = List.copyOf(devices);
    }

    /** Returns the device on one of these nodes, empty if none fits. */
    Optional<RawDevice> on(Collection<String> nodes) {
        return free(nodes)
                .filter(device -> device.refusal(volume).isEmpty())
                .filter(device -> range.accepts(device.spec().sizeBytes()))
                .min(
                        Comparator.comparingLong((RawDevice device) -> device.spec().sizeBytes())
                                .thenComparing(RawDevice::name));
    }

    private Stream<RawDevice> free(Collection<String> nodes) {
        return devices.stream()
                .filter(RawDevice::free)
                .filter(device -> nodes.contains(device.spec().nodeName()));
    }

    /** Returns the devices that their nodes have refused to the volume. */
    List<RawDevice> refused() {
        return devices.stream().filter(device -> device.refusal(volume).isPresent()).toList();
    }

    /** Returns why there is none. */
    String shortage(Collection<String> nodes) {
        var largest = free(nodes).mapToLong(device -> device.spec().sizeBytes()).max();
        var where =
                nodes.size() == 1
                        ? "node " + nodes.iterator().next()
                        : "the nodes that may have the volume";
        var found =
                largest.isPresent()
                        ? "the largest free raw device of "
                                + where
                                + " has "
                                + SizeRules.text(largest.getAsLong())
                        : "there is no free raw device on " + where;
        return SizeRules.text(range.requiredBytes()) + " requested, but " + found + refusals();
    }

    private String refusals() {
        var refused = refused();
        return refused.isEmpty()
                ? ""
                : refused.stream()
                        .limit(REFUSALS_IN_MESSAGE)
                        .map(
                                device ->
                                        "node %s refused %s: %s"
                                                .formatted(
                                                        device.spec().nodeName(),
                                                        device.spec().realPath(),
                                                        device.refusal(volume).orElseThrow()))
                        .collect(Collectors.joining("; ", "; ", ""));
    }
}
