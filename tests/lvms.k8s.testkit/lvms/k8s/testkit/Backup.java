package lvms.k8s.testkit;

import lvms.k8s.testkit.store.Store;

/** The objects of a server at one moment, and its counter of resource versions. */
public final class Backup {
    private final Store store;

    Backup(Store store) {
        this.store = store;
    }

    Store store() {
        return store;
    }
}
