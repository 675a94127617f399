package lvms.k8s.client;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;

import lvms.k8s.object.Json;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ResourceType;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPInputStream;

/** Reads one page of a list, item by item, so that no tree of the whole page exists. */
final class ListReader {
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

    Page read(Call call, Transport.Reply reply) throws ApiException {
        try (var json = Json.reader(new InputStreamReader(stream(reply), StandardCharsets.UTF_8))) {
            return readPage(call, json);
        } catch (IOException | IllegalStateException | JsonParseException e) {
            throw ApiException.unreachable(call.action(), false, e);
        }
    }

    private static InputStream stream(Transport.Reply reply) throws IOException {
        var bytes = new ByteArrayInputStream(reply.body());
        return reply.gzip() ? new GZIPInputStream(bytes, 8192) : bytes;
    }

    private Page readPage(Call call, JsonReader json) throws IOException, ApiException {
        var items = new ArrayList<KubeObject>();
        var head = new JsonObject();
        json.beginObject();
        while (json.hasNext()) {
            var name = json.nextName();
            if (name.equals("items") && json.peek() == JsonToken.BEGIN_ARRAY) {
                readItems(json, items);
            } else {
                head.add(name, Json.read(json));
            }
        }
        json.endObject();
        if (json.peek() != JsonToken.END_DOCUMENT) {
            throw new IOException("text after the list");
        }
        var failure = ErrorBody.failureIn(call, head);
        if (failure.isPresent()) {
            throw failure.get();
        }
        if (!Json.text(head.get("kind")).orElse("").endsWith("List")) {
            throw new IOException("the answer is not a list");
        }
        var metadata = head.get("metadata") instanceof JsonObject m ? m : new JsonObject();
        return new Page(
                items,
                Json.text(metadata.get("resourceVersion")).orElse(""),
                Json.text(metadata.get("continue")).orElse(""));
    }

    private void readItems(JsonReader json, List<KubeObject> items) throws IOException {
        json.beginArray();
        while (json.hasNext()) {
            if (!(Json.read(json) instanceof JsonObject item)) {
                throw new IOException("a list item is not an object");
            }
            fill(item, "apiVersion", type.apiVersion());
            fill(item, "kind", type.kind());
            items.add(trim.apply(KubeObject.owning(item)));
        }
        json.endArray();
    }

    /** Built-in types leave apiVersion and kind out of list items. */
    private static void fill(JsonObject item, String field, String value) {
        if (Json.text(item.get(field)).isEmpty()) {
            item.add(field, new JsonPrimitive(value));
        }
    }
}
