package lvms.tests.e2e.thin;

import lvms.tests.cluster.workload.Product;
import lvms.tests.e2e.DriverDefinition;
import lvms.tests.e2e.ExternalStorage;
import lvms.tests.runner.Lasts;

/** Kubernetes finds nothing wrong with thin volumes. */
@Lasts(seconds = 1500)
class ExternalStorageTests extends ExternalStorage {
    ExternalStorageTests() {
        super(DriverDefinition.ofClass(Product.THIN_CLASS).withCopies(Product.THIN_CLASS));
    }
}
