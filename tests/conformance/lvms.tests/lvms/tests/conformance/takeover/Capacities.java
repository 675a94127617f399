package lvms.tests.conformance.takeover;

import lvms.k8s.client.ApiException;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;
import lvms.tests.cluster.workload.Product;

import java.util.List;

/** What the scheduler is told about the room on nodes. */
record Capacities(Product product) {
    /** Returns all CSIStorageCapacities. */
    List<KubeObject> all() throws ApiException, InterruptedException {
        return product.all(Types.CSI_STORAGE_CAPACITY);
    }

    /** Waits until a class has one object, which says that there is room. */
    void awaitOneOf(String storageClass) throws Exception {
        product.patience()
                .untilNothingMissing(
                        "one CSIStorageCapacity of " + storageClass,
                        () -> {
                            var found =
                                    all().stream()
                                            .filter(c -> isOf(c, storageClass))
                                            .map(KubeObject::toJson)
                                            .toList();
                            boolean one = found.size() == 1 && !found.getFirst().contains("\"0\"");
                            return one ? "" : found.toString();
                        });
    }

    private static boolean isOf(KubeObject capacity, String storageClass) {
        return capacity.text("storageClassName").filter(storageClass::equals).isPresent();
    }
}
