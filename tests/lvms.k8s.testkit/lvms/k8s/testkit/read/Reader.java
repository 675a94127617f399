package lvms.k8s.testkit.read;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;

import lvms.k8s.testkit.call.Call;
import lvms.k8s.testkit.call.Intake;
import lvms.k8s.testkit.call.Refusal;
import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.kinds.Cluster;
import lvms.k8s.testkit.kinds.Resource;
import lvms.k8s.testkit.schema.Cause;
import lvms.k8s.testkit.store.Expired;
import lvms.k8s.testkit.store.Key;
import lvms.k8s.testkit.store.Store;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/** GET of objects and collections. */
public final class Reader {
    private static final long WAIT_SECONDS = 3;

    /** A page of objects, and what a list says about itself. */
    public record Page(List<JsonObject> items, JsonObject metadata) {
        public JsonObject list(Resource resource) {
            var array = new JsonArray();
            items.forEach(item -> array.add(Intake.shown(resource, item)));
            return Json.of(
                    "kind",
                    resource.listKind(),
                    "apiVersion",
                    resource.apiVersion(),
                    "metadata",
                    metadata,
                    "items",
                    array);
        }
    }

    private final Cluster cluster;

    public Reader(Cluster cluster) {
        this.cluster = cluster;
    }

    public JsonObject get(Call call) {
        var revision = call.http().parameter("resourceVersion");
        if (!revision.isEmpty()) {
            awaitRevision(number(revision));
        }
        return cluster.get(call.resource(), call.key())
                .orElseThrow(() -> Refusal.notFound(call.resource(), call.name()));
    }

    public Page list(Call call) {
        var token = call.http().parameter("continue");
        if (!token.isEmpty()) {
            return continued(call, token);
        }
        checkMatch(call);
        var revision = call.http().parameter("resourceVersion");
        var match = call.http().parameter("resourceVersionMatch");
        boolean any = revision.isEmpty() || revision.equals("0");
        boolean exact =
                match.equals("Exact")
                        || match.isEmpty() && !any && !call.http().parameter("limit").isEmpty();
        if (!any) {
            awaitRevision(number(revision));
        }
        long limit = revision.equals("0") ? 0 : limit(call);
        var snapshot =
                exact
                        ? at(call.resource(), number(revision))
                        : cluster.store().list(call.resource().storage());
        return page(call, snapshot, "", limit);
    }

    private static void checkMatch(Call call) {
        var revision = call.http().parameter("resourceVersion");
        var match = call.http().parameter("resourceVersionMatch");
        if (!call.http().parameter("sendInitialEvents").isEmpty()) {
            throw badOptions(
                    Cause.forbidden(
                            "sendInitialEvents", "sendInitialEvents is forbidden for list"));
        }
        if (match.isEmpty()) {
            return;
        }
        if (revision.isEmpty()) {
            throw badOptions(
                    Cause.forbidden(
                            "resourceVersionMatch",
                            "resourceVersionMatch is forbidden unless resourceVersion is"
                                    + " provided"));
        }
        if (!List.of("Exact", "NotOlderThan").contains(match)) {
            throw badOptions(
                    Cause.notSupported(
                            "resourceVersionMatch",
                            new JsonPrimitive(match),
                            List.of("Exact", "NotOlderThan", "")));
        }
        if (match.equals("Exact") && revision.equals("0")) {
            throw badOptions(
                    Cause.forbidden(
                            "resourceVersionMatch",
                            "resourceVersionMatch \"exact\" is forbidden for resourceVersion"
                                    + " \"0\""));
        }
    }

    static Refusal badOptions(Cause cause) {
        return Refusal.invalid("meta.k8s.io", "ListOptions", "", List.of(cause));
    }

    private Page continued(Call call, String token) {
        var given = call.http().parameter("resourceVersion");
        if (!given.isEmpty() && !given.equals("0")) {
            throw Refusal.badRequest(
                    "specifying resource version is not allowed when using continue");
        }
        var content = decodeToken(token);
        long revision = Json.number(content, -1, "rv");
        var start = Json.text(content, "start");
        if (revision < 0) {
            return page(call, cluster.store().list(call.resource().storage()), start, limit(call));
        }
        try {
            var snapshot = cluster.store().listAt(call.resource().storage(), revision);
            return page(call, snapshot, start, limit(call));
        } catch (Expired _) {
            var refusal =
                    Refusal.expired(
                            "The provided continue parameter is too old to display a consistent"
                                    + " list result. You can start a new list without the continue"
                                    + " parameter, or use the continue token in this response to"
                                    + " retrieve the remainder of the results.");
            refusal.status().getAsJsonObject("metadata").addProperty("continue", token(-1, start));
            throw refusal;
        }
    }

    private Store.Snapshot at(Resource resource, long revision) {
        try {
            return cluster.store().listAt(resource.storage(), revision);
        } catch (Expired _) {
            throw Refusal.expired("The resourceVersion for the provided list is too old.");
        }
    }

    private static Page page(Call call, Store.Snapshot snapshot, String start, long limit) {
        var selection = Selection.of(call);
        var from = position(start);
        var matching =
                snapshot.objects().stream()
                        .filter(o -> from == null || Key.of(o).compareTo(from) > 0)
                        .filter(selection::matches)
                        .toList();
        var metadata = Json.of("resourceVersion", Long.toString(snapshot.revision()));
        if (limit <= 0 || matching.size() <= limit) {
            return new Page(matching, metadata);
        }
        var items = matching.subList(0, (int) limit);
        var last = Key.of(items.getLast());
        metadata.addProperty(
                "continue",
                token(snapshot.revision(), last.namespace() + "/" + last.name() + "\u0000"));
        if (selection.everything()) {
            metadata.addProperty("remainingItemCount", matching.size() - limit);
        }
        return new Page(items, metadata);
    }

    private static Key position(String start) {
        if (start.isEmpty()) {
            return null;
        }
        int slash = start.indexOf('/');
        return new Key(start.substring(0, slash), start.substring(slash + 1, start.length() - 1));
    }

    private static String token(long revision, String start) {
        var json = Json.of("v", "meta.k8s.io/v1", "rv", revision, "start", start);
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(json.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static JsonObject decodeToken(String token) {
        try {
            var bytes = Base64.getUrlDecoder().decode(token);
            var json = Json.parse(new String(bytes, StandardCharsets.UTF_8)).root();
            var start = Json.text(json.getAsJsonObject(), "start");
            if (start.indexOf('/') >= 0 && start.endsWith("\u0000")) {
                return json.getAsJsonObject();
            }
        } catch (IllegalArgumentException | JsonParseException | IllegalStateException e) {
            throw Refusal.badRequest("continue key is not valid: " + e.getMessage());
        }
        throw Refusal.badRequest("continue key is not valid: no start key");
    }

    private static long limit(Call call) {
        var text = call.http().parameter("limit");
        return text.isEmpty() ? 0 : number(text);
    }

    static long number(String text) {
        try {
            long number = Long.parseLong(text);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException _) {
            // Falls through to the same refusal as a negative number.
        }
        throw Refusal.badRequest(
                "Invalid value: \""
                        + text
                        + "\": strconv.ParseUint: parsing \""
                        + text
                        + "\": invalid syntax");
    }

    private void awaitRevision(long revision) {
        try {
            if (!cluster.store().awaitRevision(revision, Store.seconds(WAIT_SECONDS))) {
                throw Refusal.revisionAhead(revision, cluster.store().revision());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw Refusal.internal("interrupted");
        }
    }
}
