package lvms.operator.provision;

import lvms.k8s.object.ObjectKey;
import lvms.operator.backend.NodeSpace;
import lvms.operator.backend.VolumeBackend;
import lvms.operator.claim.Claim;
import lvms.operator.claim.StorageClass;
import lvms.operator.informer.OperatorInformers;

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
    List<ObjectKey> fitting(String node, VolumeBackend backend) {
        var fitting = new ArrayList<ObjectKey>();
        for (var claim : claims.values()) {
            if (fits(claim, node, backend)) {
                claims.remove(claim.key());
                fitting.add(claim.key());
            }
        }
        return fitting;
    }

    private boolean fits(Claim claim, String node, VolumeBackend backend) {
        return StorageClass.find(informers.storageClasses(), claim.className())
                .filter(c -> c.provisioner().equals(backend.driver().name()))
                .flatMap(c -> backend.space().free(node, c))
                .map(NodeSpace.Free::largestBytes)
                .filter(largest -> largest >= claim.requestedBytes())
                .isPresent();
    }
}
