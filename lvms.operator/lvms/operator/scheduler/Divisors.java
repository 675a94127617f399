package lvms.operator.scheduler;

import java.util.Map;

/**
 * What free GiB are divided by before they become a score; each is more than 0.
 *
 * @param fallback for classes without one of their own
 * @param byClass by device class; {@code 00default} is the default class
 */
public record Divisors(double fallback, Map<String, Double> byClass) {
    public static final Divisors ONE = new Divisors(1, Map.of());

    public Divisors {
        byClass = Map.copyOf(byClass);
    }

    double of(String deviceClass) {
        return byClass.getOrDefault(deviceClass, fallback);
    }
}
