package lvms.k8s.client;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ResourceType;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.JsonException;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
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

    private final ResourceType type;
    private final UnaryOperator<KubeObject> trim;

    ListReader(ResourceType type, UnaryOperator<KubeObject> trim) {
        this.type = type;
        this.trim = trim;
    }

    /** A body that makes no sense is not asked for again: it would not make more. */
    @Override
    public Page read(Call call, InputStream body, boolean gzip) throws IOException, ApiException {
        try {
            var plain = gzip ? new GZIPInputStream(body, 8192) : body;
            return readPage(call, new InputStreamReader(plain, StandardCharsets.UTF_8));
        } catch (EOFException | ZipException e) {
            throw ApiException.unreachable(call.action(), false, new JsonException(e.toString()));
        } catch (JsonException e) {
            throw ApiException.unreachable(call.action(), false, e);
        }
    }

    private Page readPage(Call call, Reader json) throws IOException, ApiException {
        var items = new ArrayList<KubeObject>();
        var head = Json.parse(json, "items", item -> items.add(read(item)));
        var failure = ErrorBody.failureIn(call, head);
        if (failure.isPresent()) {
            throw failure.get();
        }
        if (!head.text("kind").orElse("").endsWith("List")) {
            throw new JsonException("the answer is not a list");
        }
        return new Page(
                items,
                head.text("metadata", "resourceVersion").orElse(""),
                head.text("metadata", "continue").orElse(""));
    }

    private KubeObject read(Tree element) {
        if (!(element instanceof ObjectTree item)) {
            throw new JsonException("a list item is not an object");
        }
        var filled = fill(fill(item, "apiVersion", type.apiVersion()), "kind", type.kind());
        return trim.apply(KubeObject.of(filled));
    }

    /** Built-in types leave apiVersion and kind out of list items. */
    private static ObjectTree fill(ObjectTree item, String field, String value) {
        return item.text(field).isPresent() ? item : item.with(Tree.of(value), field);
    }
}
