package lvms.tests.e2e.thick;

import lvms.tests.cluster.workload.Product;
import lvms.tests.e2e.DriverDefinition;
import lvms.tests.e2e.ExternalStorage;
import lvms.tests.runner.Lasts;

/** Kubernetes finds nothing wrong with thick volumes. */
@Lasts(seconds = 1500)
class ExternalStorageTests extends ExternalStorage {
    ExternalStorageTests() {
        super(DriverDefinition.ofClass(Product.THICK_CLASS).withCopies(Product.THICK_CLASS));
    }
}
