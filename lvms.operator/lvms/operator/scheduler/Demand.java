package lvms.operator.scheduler;

import lvms.api.Driver;
import lvms.k8s.object.KubeObject;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a pod wants of each device class, by its annotations {@code capacity.topolvm.io/CLASS}.
 *
 * @param classes all the classes that it names
 * @param bytes what it wants of those with a number
 */
record Demand(Set<String> classes, Map<String, Long> bytes) {
    static Demand of(Driver driver, KubeObject pod) {
        var prefix = driver.capacityPrefix();
        var classes = new TreeSet<String>();
        var bytes = new TreeMap<String, Long>();
        pod.annotations()
                .forEach(
                        (key, value) -> {
                            if (key.startsWith(prefix)) {
                                var name = key.substring(prefix.length());
                                classes.add(name);
                                number(value).ifPresent(number -> bytes.put(name, number));
                            }
                        });
        return new Demand(classes, bytes);
    }

    /** Anyone can annotate a pod, so a text that is no number only counts for nothing. */
    private static Optional<Long> number(String text) {
        try {
            return Optional.of(Long.parseLong(text));
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }
}
