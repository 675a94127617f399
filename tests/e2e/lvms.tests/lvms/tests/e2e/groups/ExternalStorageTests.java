package lvms.tests.e2e.groups;

import lvms.tests.cluster.workload.Product;
import lvms.tests.e2e.DriverDefinition;
import lvms.tests.e2e.ExternalStorage;
import lvms.tests.runner.Lasts;

/** Kubernetes finds nothing wrong with snapshots of several thin volumes of one node. */
@Lasts(seconds = 400)
class ExternalStorageTests extends ExternalStorage {
    ExternalStorageTests() {
        super(DriverDefinition.ofClass(ONE_NODE).withCopies(Product.THIN_CLASS).groupsAlone());
    }
}
