package lvms.tests.lab.kubelet;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The CSI drivers that are registered on a node: name to the path of the CSI socket. */
final class Drivers {
    private final Map<String, String> endpoints = new ConcurrentHashMap<>();

    Optional<String> endpoint(String driver) {
        return Optional.ofNullable(endpoints.get(driver));
    }

    void put(String driver, String endpoint) {
        endpoints.put(driver, endpoint);
    }

    void remove(String driver) {
        endpoints.remove(driver);
    }
}
