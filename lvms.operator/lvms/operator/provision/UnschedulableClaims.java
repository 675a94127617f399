package lvms.operator.provision;

import lvms.api.Driver;
import lvms.k8s.object.ObjectKey;
import lvms.operator.claim.Claim;
import lvms.operator.informer.Caches;
import lvms.operator.volume.NodeCapacities;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The claims for which there was no room, so that more room can wake them. */
final class UnschedulableClaims {
    private final Map<ObjectKey, Claim> claims = new ConcurrentHashMap<>();
    private final Caches caches;
    private final Driver driver;

    UnschedulableClaims(Caches caches, Driver driver) {
        this.caches = caches;
        this.driver = driver;
    }

    void add(Claim claim) {
        claims.put(claim.key(), claim);
    }

    void remove(ObjectKey claim) {
        claims.remove(claim);
    }

    /** Takes out the claims that would fit the node now. */
    List<ObjectKey> fitting(String node, NodeCapacities capacities) {
        var fitting = new ArrayList<ObjectKey>();
        for (var claim : claims.values()) {
            if (capacities.free(node, deviceClass(claim)).orElse(-1) >= claim.requestedBytes()) {
                claims.remove(claim.key());
                fitting.add(claim.key());
            }
        }
        return fitting;
    }

    private String deviceClass(Claim claim) {
        return caches.storageClass(claim.className())
                .map(c -> c.parameters().getOrDefault(driver.deviceClassParameter(), ""))
                .orElse("");
    }
}
