package lvms.tests.e2e.modify;

import lvms.tests.e2e.DriverDefinition;
import lvms.tests.e2e.ExternalStorage;
import lvms.tests.runner.Lasts;

/** Kubernetes finds nothing wrong with many volumes that are modified. */
@Lasts(seconds = 200)
class ExternalStorageTests extends ExternalStorage {
    ExternalStorageTests() {
        super(DriverDefinition.ofClass(AT_ONCE).modificationsAlone());
    }
}
