package lvms.k8s.testkit.read;

import com.google.gson.JsonObject;

import lvms.k8s.testkit.call.Call;
import lvms.k8s.testkit.call.Refusal;
import lvms.k8s.testkit.fault.WatchControl;
import lvms.k8s.testkit.http.Exchange;
import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.kinds.Cluster;
import lvms.k8s.testkit.schema.Cause;
import lvms.k8s.testkit.store.Change;
import lvms.k8s.testkit.store.Expired;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** One watch: the changes of a selection, as they happen. */
public final class Watcher {
    private static final long BOOKMARK_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final long BEFORE_END_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long DEFAULT_TIMEOUT_SECONDS = 1800;

    private final Cluster cluster;
    private final WatchControl control;
    private final Call call;
    private final Selection selection;
    private final Presentation form;
    private final WatchStream stream;
    private final long started = System.nanoTime();
    private final long timeoutNanos;
    private final long generation;
    private final long ends;
    private final long cuts;
    private long bookmarks;
    private long position;
    private long began;
    private long lastBookmark = System.nanoTime();
    private boolean lastBookmarkSent;

    private Watcher(Cluster cluster, WatchControl control, Call call, Exchange exchange) {
        this.cluster = cluster;
        this.control = control;
        this.call = call;
        selection = Selection.of(call);
        form = Presentation.of(call.http());
        stream = new WatchStream(exchange, control, cluster.store());
        var timeout = call.http().parameter("timeoutSeconds");
        long seconds =
                timeout.isEmpty() || timeout.equals("0")
                        ? ThreadLocalRandom.current()
                                .nextLong(DEFAULT_TIMEOUT_SECONDS, 2 * DEFAULT_TIMEOUT_SECONDS)
                        : Reader.number(timeout);
        timeoutNanos = TimeUnit.SECONDS.toNanos(seconds);
        generation = cluster.registry().generation();
        ends = control.endCount();
        cuts = control.cutCount();
        bookmarks = control.bookmarkCount();
    }

    /** Serves a watch until it ends; refuses it before the first byte if it cannot start. */
    public static void serve(Cluster cluster, WatchControl control, Call call, Exchange exchange)
            throws IOException, InterruptedException {
        checkOptions(control, call);
        new Watcher(cluster, control, call, exchange).run();
    }

    private static void checkOptions(WatchControl control, Call call) {
        var initial = call.http().parameter("sendInitialEvents");
        var match = call.http().parameter("resourceVersionMatch");
        if (initial.isEmpty() && !match.isEmpty()) {
            throw Reader.badOptions(
                    Cause.forbidden(
                            "resourceVersionMatch",
                            "resourceVersionMatch is forbidden for watch unless sendInitialEvents"
                                    + " is provided"));
        }
        if (initial.isEmpty()) {
            return;
        }
        if (!control.streamingLists()) {
            control.hits().count("streamingLists");
            throw Refusal.noStreamingLists();
        }
        if (!match.equals("NotOlderThan")) {
            throw Reader.badOptions(
                    Cause.forbidden(
                            "resourceVersionMatch",
                            "sendInitialEvents requires setting resourceVersionMatch to"
                                    + " NotOlderThan"));
        }
    }

    private void run() throws IOException, InterruptedException {
        try {
            start();
            while (!over()) {
                step();
            }
            close();
        } catch (Expired e) {
            expired(e);
        }
    }

    private void close() throws IOException {
        if (stream.gone()) {
            return;
        }
        if (control.cutCount() != cuts) {
            control.hits().count("cutWatches");
            stream.cut();
        } else {
            if (control.endCount() != ends) {
                control.hits().count("endWatches");
            } else if (left() <= 0) {
                control.hits().count("timeoutSeconds");
            }
            stream.end();
        }
    }

    private void start() throws IOException, Expired {
        var revision = call.http().parameter("resourceVersion");
        boolean fromNow = revision.isEmpty() || revision.equals("0");
        var initial = call.http().parameter("sendInitialEvents");
        if (initial.isEmpty() ? fromNow : call.http().flag("sendInitialEvents")) {
            var snapshot = cluster.store().list(call.resource().storage());
            position = snapshot.revision();
            stream.open();
            for (var object : snapshot.objects()) {
                if (selection.matches(object)) {
                    send("ADDED", object);
                }
            }
            if (!initial.isEmpty() && allowsBookmarks()) {
                stream.send("BOOKMARK", form.bookmark(call, position, true));
            }
            return;
        }
        position = fromNow ? cluster.store().revision() : Reader.number(revision);
        began = position;
        if (position < cluster.store().revision()) {
            cluster.store().changesAfter(call.resource().storage(), position);
        } else if (position > cluster.store().revision()) {
            control.hits().count("restart"); // with a history that went back
        }
        stream.open();
    }

    private void step() throws IOException, Expired, InterruptedException {
        long wait = stream.lost() ? BOOKMARK_NANOS : Math.min(left(), BOOKMARK_NANOS);
        if (!lastBookmarkSent && left() > BEFORE_END_NANOS) {
            wait = Math.min(wait, left() - BEFORE_END_NANOS);
        }
        var changes =
                cluster.store()
                        .awaitChanges(call.resource().storage(), position, wait, this::mustLookUp);
        deliver(changes);
        sendDueBookmark();
    }

    private void deliver(List<Change> changes) throws IOException {
        for (var change : control.reorders() ? reordered(changes) : changes) {
            deliver(change);
        }
        if (!changes.isEmpty()) {
            position = changes.getLast().revision();
        }
    }

    /** Neighbours of different objects change places. */
    private List<Change> reordered(List<Change> changes) {
        var other = new ArrayList<>(changes);
        for (int i = 1; i < other.size(); i += 2) {
            if (!other.get(i).key().equals(other.get(i - 1).key())) {
                Collections.swap(other, i, i - 1);
                control.hits().count("reorderEvents");
            }
        }
        return other;
    }

    /** Sends the events up to now, so that a bookmark may name the present. */
    private void catchUp() throws IOException, Expired {
        long now = cluster.store().revision();
        deliver(cluster.store().changesAfter(call.resource().storage(), position));
        position = Math.max(position, now);
    }

    private void deliver(Change change) throws IOException {
        boolean was = change.before().filter(selection::matches).isPresent();
        boolean is = !change.deleted() && selection.matches(change.after());
        if (is) {
            send(was ? "MODIFIED" : "ADDED", change.after());
        } else if (was) {
            send("DELETED", lastState(change));
        }
    }

    /** An object that left the selection is shown as it was, with the revision at which it left. */
    private static JsonObject lastState(Change change) {
        if (change.deleted()) {
            return change.after();
        }
        var last = change.before().orElseThrow().deepCopy();
        last.getAsJsonObject("metadata")
                .addProperty("resourceVersion", Long.toString(change.revision()));
        return last;
    }

    private void send(String type, JsonObject object) throws IOException {
        stream.send(type, form.event(call, object, stream.first()));
        if (control.duplicates()) {
            stream.send(type, form.event(call, object, false));
            control.hits().count("duplicateEvents");
        }
    }

    private void sendDueBookmark() throws IOException, Expired {
        if (!allowsBookmarks()) {
            return;
        }
        long now = System.nanoTime();
        boolean asked = control.bookmarkCount() != bookmarks;
        boolean ending =
                !lastBookmarkSent && timeoutNanos > BEFORE_END_NANOS && left() <= BEFORE_END_NANOS;
        if (asked || ending || now - lastBookmark >= BOOKMARK_NANOS) {
            bookmarks = control.bookmarkCount();
            lastBookmark = now;
            lastBookmarkSent |= ending;
            catchUp();
            if (position > began && !stream.lost()) {
                stream.send("BOOKMARK", form.bookmark(call, position, false));
                control.hits().count("bookmark");
            }
        }
    }

    private boolean allowsBookmarks() {
        return call.http().flag("allowWatchBookmarks");
    }

    private long left() {
        return timeoutNanos - elapsed();
    }

    private long elapsed() {
        return System.nanoTime() - started;
    }

    private boolean mustLookUp() {
        return stream.gone() || over() || control.bookmarkCount() != bookmarks;
    }

    private boolean over() {
        return stream.gone()
                || left() <= 0 && !stream.lost()
                || control.endCount() != ends
                || control.cutCount() != cuts
                || redefined();
    }

    /** A changed definition ends the watches of its resource. */
    private boolean redefined() {
        if (call.resource().builtin() || cluster.registry().generation() == generation) {
            return false;
        }
        var now =
                cluster.registry()
                        .find(
                                call.resource().group(),
                                call.resource().version(),
                                call.resource().plural());
        return now.isEmpty() || now.get() != call.resource();
    }

    private void expired(Expired e) throws IOException {
        var refusal = Refusal.expired(e.getMessage());
        control.hits().count("compact");
        if (!stream.opened() && !control.expiryAsEvent()) {
            throw refusal;
        }
        stream.open();
        stream.send("ERROR", refusal.status());
        stream.end();
    }

    /** The line of one event. */
    static String line(String type, JsonObject object) {
        return Json.of("type", type, "object", object) + "\n";
    }
}
