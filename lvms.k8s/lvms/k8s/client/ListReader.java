package lvms.k8s.client;

import lvms.k8s.client.body.Expected;
import lvms.k8s.client.body.ItemStream;
import lvms.k8s.client.wire.Call;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ResourceType;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.JsonException;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** Reads one page of a list, item by item, so that no tree of the whole page exists. */
final class ListReader implements Transport.BodyReader<ListReader.Page> {
    /**
     * One page.
     *
     * @param items its objects, already trimmed
     * @param resourceVersion version of the list
     * @param continueToken where the next page begins, empty for the last one
     */
    record Page(List<KubeObject> items, String resourceVersion, String continueToken) {}

    /** As for single objects; compressed bodies may grow a thousandfold. */
    private static final long MAX_ITEM_BYTES = 16L << 20;

    /**
     * Then others have their turn: virtual threads are not preempted, and a list that comes faster
     * than it is read never waits. What renews a lease or answers a probe cannot wait for its end.
     */
    private static final int ITEMS_AT_ONCE = 64;

    private final ResourceType type;
    private final ListOptions options;
    private final UnaryOperator<KubeObject> trim;
    private final Tree apiVersion; // one for all items
    private final Tree kind;
    private final Expected list;
    private final Expected item;

    ListReader(ResourceType type, ListOptions options, UnaryOperator<KubeObject> trim) {
        this.type = type;
        this.options = options;
        this.trim = trim;
        this.apiVersion = Tree.of(type.apiVersion());
        this.kind = Tree.of(type.kind());
        this.list = Expected.list(type, options.metadataOnly());
        this.item = Expected.item(type, options.metadataOnly());
    }

    /** A body that makes no sense is not asked for again: it would not make more. */
    @Override
    public Page read(Call call, InputStream body, boolean gzip, ErrorBody errors)
            throws IOException, ApiException {
        try {
            var items =
                    new ItemStream(gzip ? new GZIPInputStream(body, 8192) : body, MAX_ITEM_BYTES);
            return readPage(call, items, errors);
        } catch (EOFException | ZipException e) {
            throw ApiException.unreachable(call.action(), false, new JsonException(e.toString()));
        } catch (JsonException e) {
            throw ApiException.unreachable(call.action(), false, e);
        }
    }

    private Page readPage(Call call, ItemStream stream, ErrorBody errors)
            throws IOException, ApiException {
        var items = new ArrayList<KubeObject>();
        var head =
                Json.parse(
                        stream,
                        "items",
                        options.omission(),
                        item -> {
                            stream.itemEnded();
                            items.add(read(item));
                            if (items.size() % ITEMS_AT_ONCE == 0) {
                                Thread.yield();
                            }
                        });
        var failure = errors.failureIn(call, head);
        if (failure.isPresent()) {
            throw failure.get();
        }
        list.check(head);
        return new Page(
                items,
                head.text("metadata", "resourceVersion").orElse(""),
                head.text("metadata", "continue").orElse(""));
    }

    private KubeObject read(Tree element) {
        if (!(element instanceof ObjectTree object)) {
            throw new JsonException("a list item is not an object");
        }
        var filled = fill(fill(object, "apiVersion", apiVersion), "kind", kind);
        item.check(filled);
        var whole = KubeObject.of(filled);
        return trim.apply(options.metadataOnly() ? whole.metadataOf(type) : whole);
    }

    /** Built-in types leave apiVersion and kind out of list items. */
    private static ObjectTree fill(ObjectTree object, String field, Tree value) {
        return object.text(field).isPresent() ? object : object.with(value, field);
    }
}
