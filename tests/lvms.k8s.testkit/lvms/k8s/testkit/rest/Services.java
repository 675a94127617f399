package lvms.k8s.testkit.rest;

import lvms.k8s.testkit.admission.WebhookCall;
import lvms.k8s.testkit.call.Call;
import lvms.k8s.testkit.call.Intake;
import lvms.k8s.testkit.call.Tokens;
import lvms.k8s.testkit.control.Background;
import lvms.k8s.testkit.control.Collector;
import lvms.k8s.testkit.control.Janitor;
import lvms.k8s.testkit.fault.RequestFaults;
import lvms.k8s.testkit.fault.WatchControl;
import lvms.k8s.testkit.http.Exchange;
import lvms.k8s.testkit.http.HttpRequest;
import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.kinds.Cluster;
import lvms.k8s.testkit.kinds.Registry;
import lvms.k8s.testkit.store.Key;
import lvms.k8s.testkit.store.Store;
import lvms.k8s.testkit.write.Admission;
import lvms.k8s.testkit.write.Deleter;
import lvms.k8s.testkit.write.Writer;

import java.io.IOException;
import java.util.List;

/** The server without its network: a cluster, the operations on it, and its controllers. */
public final class Services implements AutoCloseable {
    private static final List<String> NAMESPACES =
            List.of("default", "kube-system", "kube-public", "kube-node-lease");

    private final Cluster cluster;
    private final Background background = new Background();
    private final Router router;

    /** A cluster over a store, which may hold objects already. */
    public Services(
            Store store,
            boolean storageProtection,
            Tokens tokens,
            RequestFaults faults,
            WatchControl watches,
            WebhookCall calls) {
        cluster = new Cluster(store, new Registry());
        var admission = new Admission(cluster, storageProtection, calls);
        var writer = new Writer(cluster, admission);
        var deleter = new Deleter(cluster, admission);
        var handler =
                new ResourceHandler(
                        cluster, writer, deleter, new Reviews(tokens, cluster), watches);
        router = new Router(cluster, tokens, faults, handler);
        background.add(new Janitor(cluster, writer, deleter)::react);
        background.add(new Collector(cluster, writer, deleter)::react);
        cluster.store().listen(background::changed);
        background.start();
        createNamespaces(writer);
        adopt();
    }

    private void createNamespaces(Writer writer) {
        var resource = cluster.registry().find("", "v1", "namespaces").orElseThrow();
        for (var name : NAMESPACES) {
            if (cluster.namespace(name).isEmpty()) {
                var body = Json.of("metadata", Json.of("name", name));
                writer.create(
                        Call.internal(resource, new Key("", name)),
                        new Intake.Body(body, List.of()));
            }
        }
    }

    /** Serves the definitions that the store holds already. */
    private void adopt() {
        cluster.store()
                .list("apiextensions.k8s.io/customresourcedefinitions")
                .objects()
                .forEach(cluster.registry()::define);
    }

    /** Answers one request. */
    public void handle(HttpRequest request, Exchange exchange) throws IOException {
        router.handle(request, exchange);
    }

    @Override
    public void close() {
        background.close();
    }
}
