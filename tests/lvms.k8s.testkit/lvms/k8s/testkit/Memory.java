package lvms.k8s.testkit;

import lvms.k8s.testkit.http.Exchange;
import lvms.k8s.testkit.http.HttpRequest;
import lvms.k8s.testkit.rest.Services;
import lvms.k8s.testkit.store.Store;

import java.io.IOException;
import java.util.function.Function;

/** A cluster that lives in this process. */
final class Memory implements Backend {
    /** How many changes of each type are kept for watches to resume from. */
    private static final int KEPT_CHANGES = 5000;

    private final Function<Store, Services> serving;
    private final Store store;
    private final Services services;

    private Memory(Function<Store, Services> serving, Store store) {
        this.serving = serving;
        this.store = store;
        services = serving.apply(store);
    }

    /** An empty cluster. */
    static Memory empty(Function<Store, Services> serving) {
        return new Memory(serving, new Store(KEPT_CHANGES));
    }

    @Override
    public void handle(HttpRequest request, Exchange exchange) throws IOException {
        services.handle(request, exchange);
    }

    @Override
    public void wakeWatches() {
        store.wakeAll();
    }

    @Override
    public void compact() {
        store.compact();
    }

    @Override
    public void advance(long distance) {
        store.advance(distance);
    }

    @Override
    public Backend emptied() {
        close();
        return empty(serving);
    }

    @Override
    public Backend restoredAt(long revision) {
        close();
        return new Memory(serving, store.copy(revision));
    }

    @Override
    public Backup backup() {
        return new Backup(store.copy());
    }

    @Override
    public Backend restored(Backup backup) {
        close();
        return new Memory(serving, backup.store().copy());
    }

    @Override
    public void close() {
        services.close();
        store.wakeAll();
    }
}
