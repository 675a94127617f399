package lvms.k8s.client;

import lvms.k8s.client.body.Expected;
import lvms.k8s.client.wire.Call;
import lvms.k8s.client.wire.Urls;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectList;
import lvms.k8s.object.ResourceType;
import lvms.k8s.tree.Json;

import java.util.ArrayList;
import java.util.function.UnaryOperator;

/** The objects of a type that options choose: listed, watched, or deleted together. */
record Selection(Caller caller, ResourceType type, ListOptions options) {
    /**
     * Reads all of it, as of one point in time. If a token expires between two pages, the whole
     * list is read again without pages.
     */
    ObjectList list(UnaryOperator<KubeObject> trim) throws ApiException, InterruptedException {
        var parts = new Selection(caller.listing(), type, options);
        var pages = new Pages(parts, trim);
        var items = new ArrayList<KubeObject>();
        while (pages.hasNext()) {
            try {
                items.addAll(pages.next());
            } catch (ApiException.Gone e) {
                if (pages.atStart() || options.pageSize() == 0) {
                    throw e; // the second: the server pages although it was not asked to
                }
                return parts.inPagesOf(0).list(trim);
            }
        }
        return new ObjectList(items, pages.resourceVersion());
    }

    private Selection inPagesOf(int size) {
        return new Selection(caller, type, options.pageSize(size));
    }

    ListReader reader(UnaryOperator<KubeObject> trim) {
        return new ListReader(type, options, trim);
    }

    /**
     * Reads one page.
     *
     * @param continueToken where it begins, empty for the first one
     */
    ListReader.Page page(String continueToken, ListReader reader)
            throws ApiException, InterruptedException {
        boolean whole = options.pageSize() <= 0;
        var version = continueToken.isEmpty() ? options.resourceVersion() : "";
        var query =
                selectors()
                        .with("limit", whole ? "" : Integer.toString(options.pageSize()))
                        .with("continue", continueToken)
                        .with("resourceVersion", version)
                        .with("resourceVersionMatch", version.isEmpty() ? "" : "NotOlderThan");
        var call = Call.list(path() + query, subject());
        return caller.page(
                options.metadataOnly() ? call.onlyMetadata("PartialObjectMetadataList") : call,
                reader,
                whole);
    }

    /** Returns the present version of the collection. It reads at most one object. */
    String version() throws ApiException, InterruptedException {
        return inPagesOf(1).page("", reader(UnaryOperator.identity())).resourceVersion();
    }

    WatchStream watch(WatchOptions watch) throws ApiException, InterruptedException {
        var query =
                selectors()
                        .with("watch", "true")
                        .with("allowWatchBookmarks", "true")
                        .with("resourceVersion", watch.resourceVersion())
                        .with("sendInitialEvents", watch.initialEvents() ? "true" : "")
                        .with("resourceVersionMatch", watch.initialEvents() ? "NotOlderThan" : "")
                        .with("timeoutSeconds", Long.toString(watch.timeout().toSeconds()));
        var call = Call.read("watch", path() + query, subject());
        var transport = caller.transport();
        var stream =
                options.metadataOnly()
                        ? transport
                                .watch(call.onlyMetadata("PartialObjectMetadata"))
                                .reading(object -> object.metadataOf(type))
                        : transport.watch(call);
        return stream.without(options.omission());
    }

    void delete(DeleteOptions deletion) throws ApiException, InterruptedException {
        if (!deletion.uid().isEmpty() || !deletion.resourceVersion().isEmpty()) {
            throw new IllegalArgumentException("a collection has no UID and no version to demand");
        }
        if (type.namespaced() && options.namespace().isEmpty()) {
            throw new IllegalArgumentException(type + " are deleted in one namespace, not in all");
        }
        var path = path() + selectors();
        var json = Json.write(deletion.json(caller.dryRun()));
        var repeat = Call.Repeat.NEVER; // objects that came since the first try were not meant
        caller.tree(
                Call.write("deletecollection", "DELETE", path, json, repeat, subject()),
                Expected.deletionOfAll(type));
    }

    private String path() {
        return Urls.collection(type, options.namespace());
    }

    private Urls.Query selectors() {
        return new Urls.Query()
                .with("labelSelector", options.labelSelector())
                .with("fieldSelector", options.fieldSelector());
    }

    private String subject() {
        return options.namespace().isEmpty() ? type.toString() : type + " " + options.namespace();
    }
}
