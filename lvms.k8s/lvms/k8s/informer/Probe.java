package lvms.k8s.informer;

import static java.lang.System.Logger.Level.WARNING;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.client.WatchStream;
import lvms.k8s.object.FieldSelector;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.ResourceVersions;

/**
 * Asks the server for the version of a collection while a watch runs. A server whose history went
 * back, as after a restore from a backup, stays silent on a watch from a later version.
 */
final class Probe implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Probe.class.getName());

    /** No object has this name: it begins with no letter and no digit. */
    private static final String NO_NAME = "-";

    private final KubeClient client;
    private final ResourceType type;
    private final ListOptions options;
    private final WatchStream stream;
    private volatile boolean wentBack;
    private volatile boolean closed;
    private Thread thread;

    Probe(KubeClient client, ResourceType type, ListOptions options, WatchStream stream) {
        this.client = client;
        this.type = type;
        this.options = options.pageSize(1);
        this.stream = stream;
    }

    /** Asks on its own thread, and closes the watch if history went back. */
    void start(String version) {
        thread =
                Thread.ofVirtual()
                        .name("informer-probe-" + type)
                        .start(
                                () -> {
                                    ask(version);
                                    if (wentBack) {
                                        stream.close();
                                    }
                                });
    }

    /** Asks now; returns whether the watch at {@code version} has missed nothing. */
    boolean agrees(String version) {
        return ask(version).equals(version);
    }

    /**
     * Where the version of a collection is read without a look at its objects: with the same
     * selectors, for rights may depend on them, but in a namespace that cannot exist, or for a name
     * that no object has. The server answers the first with an empty range, the second with one
     * key.
     */
    static ListOptions nowhere(ResourceType type, ListOptions options) {
        if (type.namespaced() && options.namespace().isEmpty()) {
            return options.namespace(NO_NAME);
        }
        var selector = FieldSelector.parse(options.fieldSelector());
        if (selector.terms().stream().anyMatch(term -> term.field().equals("metadata.name"))) {
            return options;
        }
        var nothing = FieldSelector.equal("metadata.name", NO_NAME).toString();
        return options.fields(selector.terms().isEmpty() ? nothing : selector + "," + nothing);
    }

    private String present() throws ApiException, InterruptedException {
        try {
            return client.collectionVersion(type, nowhere(type, options));
        } catch (ApiException.Forbidden
                | ApiException.BadRequest
                | ApiException.Invalid
                | ApiException.Misdirected _) {
            return client.collectionVersion(type, options); // what may be listed in any case
        }
    }

    /** Returns the server's version, empty if it does not answer. */
    private String ask(String version) {
        try {
            var present = present();
            if (ResourceVersions.newer(version, present)) {
                wentBack = true;
                LOG.log(
                        WARNING,
                        () ->
                                "the server's history went back type="
                                        + type
                                        + " from="
                                        + version
                                        + " to="
                                        + present);
            }
            return present;
        } catch (ApiException e) {
            LOG.log(
                    WARNING,
                    () ->
                            "watch is silent and the server does not answer the probe error="
                                    + e.getMessage());
            return "";
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return "";
        } catch (IllegalStateException e) {
            if (!closed) {
                throw e;
            }
            return ""; // the client was closed after this probe, before it asked
        }
    }

    boolean wentBack() {
        return wentBack;
    }

    @Override
    public void close() {
        closed = true;
        if (thread != null) {
            thread.interrupt();
        }
    }
}
