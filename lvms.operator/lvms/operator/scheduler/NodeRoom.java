package lvms.operator.scheduler;

import lvms.api.Driver;
import lvms.k8s.object.KubeObject;
import lvms.operator.volume.ClosedClasses;

import java.util.Optional;

/**
 * What a Node reports of its device classes.
 *
 * @param driver whose annotations count
 */
record NodeRoom(Driver driver, KubeObject node) {
    private static final int MOST_SCORE = 10;
    private static final int GIB_BITS = 30;

    /** Says why a pod does not fit, in TopoLVM's words, which users know from events. */
    Optional<String> refusal(Demand demand) {
        return demand.bytes().entrySet().stream()
                .flatMap(wanted -> refusal(wanted.getKey(), wanted.getValue()).stream())
                .findFirst();
    }

    private Optional<String> refusal(String deviceClass, long wanted) {
        var text = annotation(deviceClass);
        if (text.isEmpty()) {
            return Optional.of("no capacity annotation");
        }
        if (ClosedClasses.closed(node, deviceClass)) {
            return Optional.of("no new volumes of " + deviceClass + " are wanted here");
        }
        var bytes = unsigned(text.get());
        if (bytes.isEmpty()) {
            return Optional.of("bad capacity annotation: " + text.get());
        }
        return wanted < 0 || Long.compareUnsigned(bytes.get(), wanted) < 0
                ? Optional.of("out of VG free space")
                : Optional.empty();
    }

    /** The score of the class with the least room, from 0 to 10; 0 if the node has none of them. */
    int score(Demand demand, Divisors divisors) {
        return demand.classes().stream()
                .filter(name -> annotation(name).isPresent())
                .mapToInt(name -> score(name, divisors))
                .min()
                .orElse(0);
    }

    private int score(String deviceClass, Divisors divisors) {
        long bytes = annotation(deviceClass).flatMap(NodeRoom::unsigned).orElse(0L);
        long gib = bytes >>> GIB_BITS;
        if (gib == 0) {
            return bytes == 0 ? 0 : 1;
        }
        int logarithm = Math.getExponent(gib / divisors.of(deviceClass)); // to base 2, exactly
        return Math.clamp(logarithm, 1, MOST_SCORE);
    }

    private Optional<String> annotation(String deviceClass) {
        return node.annotation(driver.capacityPrefix() + deviceClass);
    }

    private static Optional<Long> unsigned(String text) {
        try {
            return text.startsWith("+")
                    ? Optional.empty()
                    : Optional.of(Long.parseUnsignedLong(text));
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }
}
