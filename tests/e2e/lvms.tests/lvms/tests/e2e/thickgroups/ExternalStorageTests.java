package lvms.tests.e2e.thickgroups;

import lvms.tests.cluster.workload.Product;
import lvms.tests.e2e.DriverDefinition;
import lvms.tests.e2e.ExternalStorage;
import lvms.tests.runner.Lasts;

/** Kubernetes finds nothing wrong with snapshots of several thick volumes of one node. */
@Lasts(seconds = 400)
class ExternalStorageTests extends ExternalStorage {
    ExternalStorageTests() {
        super(
                DriverDefinition.ofClass(ONE_NODE_THICK)
                        .withCopies(Product.THICK_CLASS)
                        .groupsAlone());
    }
}
