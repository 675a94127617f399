package lvms.operator.provision;

import lvms.k8s.object.ObjectKey;
import lvms.operator.claim.Claim;
import lvms.operator.claim.StorageClass;
import lvms.operator.informer.OperatorInformers;
import lvms.operator.volume.VolumeService;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The unschedulable claims: no node had room for them, so more room wakes them. */
final class UnschedulableClaims {
    private final Map<ObjectKey, Claim> claims = new ConcurrentHashMap<>();
    private final OperatorInformers informers;

    UnschedulableClaims(OperatorInformers informers) {
        this.informers = informers;
    }

    void add(Claim claim) {
        claims.put(claim.key(), claim);
    }

    void remove(ObjectKey claim) {
        claims.remove(claim);
    }

    /** Takes out the claims that would fit the node now. */
    List<ObjectKey> fitting(String node, VolumeService service) {
        var fitting = new ArrayList<ObjectKey>();
        for (var claim : claims.values()) {
            if (fits(claim, node, service)) {
                claims.remove(claim.key());
                fitting.add(claim.key());
            }
        }
        return fitting;
    }

    private boolean fits(Claim claim, String node, VolumeService service) {
        return StorageClass.find(informers.storageClasses(), claim.className())
                .filter(c -> c.provisioner().equals(service.driver().name()))
                .map(c -> service.capacities().free(node, c.deviceClass(service.driver())))
                .filter(free -> free.orElse(-1) >= claim.requestedBytes())
                .isPresent();
    }
}
