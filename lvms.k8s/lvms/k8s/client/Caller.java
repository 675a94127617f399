package lvms.k8s.client;

import lvms.k8s.client.body.Expected;
import lvms.k8s.client.body.FeedStream;
import lvms.k8s.client.wire.Call;
import lvms.k8s.client.wire.Deadline;
import lvms.k8s.client.wire.Excerpt;
import lvms.k8s.client.wire.Urls;
import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.JsonException;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.websocket.WebSocket;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Who calls, and what holds for all calls of theirs: it sends them and takes only an answer that is
 * what was asked for. Clients that share their connections differ in this alone.
 *
 * @param fieldManager name of the writer; empty for what the server makes of the user agent
 * @param dryRun whether writes are only checked
 * @param callDeadline of each call, with all requests that it consists of
 * @param end of all calls together, while they are parts of one
 */
record Caller(
        Transport transport,
        String fieldManager,
        WriteGuard guard,
        boolean dryRun,
        Duration callDeadline,
        Optional<Deadline> end) {
    private static final int LIST_DEADLINES = 10;

    static Caller over(Transport transport, Duration callDeadline) {
        return new Caller(transport, "", WriteGuard.NONE, false, callDeadline, Optional.empty());
    }

    /** Returns this caller with other connections, and no part of another call. */
    Caller movedTo(Transport other, Duration deadline) {
        return new Caller(other, fieldManager, guard, dryRun, deadline, Optional.empty());
    }

    Caller withFieldManager(String manager) {
        return new Caller(transport, manager, guard, dryRun, callDeadline, end);
    }

    Caller guardedBy(WriteGuard other) {
        return new Caller(transport, fieldManager, other, dryRun, callDeadline, end);
    }

    Caller withDeadline(Duration deadline) {
        return new Caller(transport, fieldManager, guard, dryRun, deadline, end);
    }

    Caller inADryRun() {
        return new Caller(transport, fieldManager, guard, true, callDeadline, end);
    }

    /** Returns this caller for the parts of one call, which have one deadline together. */
    Caller begun() {
        return within(callDeadline);
    }

    /** Returns this caller for the pages of one list. */
    Caller listing() {
        return within(callDeadline.multipliedBy(LIST_DEADLINES));
    }

    /** Returns this caller for parts that have so long together, unless they have an end. */
    Caller within(Duration time) {
        var all = end.orElseGet(() -> Deadline.in(time));
        return new Caller(transport, fieldManager, guard, dryRun, callDeadline, Optional.of(all));
    }

    /** Returns when a call that begins now has to be over. */
    Deadline callEnd() {
        return end.map(all -> all.atMost(callDeadline)).orElseGet(() -> Deadline.in(callDeadline));
    }

    /** Returns when a list that is read at once has to be over. */
    private Deadline listEnd() {
        return end.orElseGet(() -> Deadline.in(callDeadline.multipliedBy(LIST_DEADLINES)));
    }

    /** Returns the name that the server notes for what is written. */
    String manager() {
        return fieldManager.isEmpty()
                ? transport.userAgent().replaceFirst("/.*", "")
                : fieldManager;
    }

    /**
     * Returns the query of every write but a deletion: whose it is, and whether it is in earnest.
     */
    Urls.Query written() {
        return new Urls.Query()
                .with("fieldManager", fieldManager)
                .with("dryRun", dryRun ? "All" : "");
    }

    KubeObject object(Call call, Expected expected) throws ApiException, InterruptedException {
        return KubeObject.of(tree(call, expected));
    }

    /** Reads what is checked elsewhere. */
    ObjectTree tree(Call call) throws ApiException, InterruptedException {
        return tree(call, _ -> {});
    }

    ObjectTree tree(Call call, Expected expected) throws ApiException, InterruptedException {
        var body = bytes(call);
        try {
            if (Json.parse(text(body)) instanceof ObjectTree tree) {
                var failure = transport.failureIn(call, tree);
                if (failure.isPresent()) {
                    throw failure.get();
                }
                expected.check(tree);
                return tree;
            }
            throw new JsonException("the answer is not an object");
        } catch (JsonException e) {
            throw ApiException.unreachable(call.action(), call.writes(), e);
        }
    }

    byte[] bytes(Call call) throws ApiException, InterruptedException {
        return transport.send(call, guard, callEnd());
    }

    /** Decodes a body, and says what it is if it is a page of a proxy. */
    private static String text(byte[] body) {
        try {
            var utf8 = StandardCharsets.UTF_8.newDecoder();
            var text = utf8.decode(ByteBuffer.wrap(body)).toString();
            if (text.startsWith("<")) {
                throw new JsonException("the answer is not JSON: " + Excerpt.ofBody(text));
            }
            return text;
        } catch (CharacterCodingException _) {
            throw new JsonException("the answer is not UTF-8");
        }
    }

    /**
     * Reads a list.
     *
     * @param whole whether it is all of it, which may take as long as all pages together
     */
    ListReader.Page page(Call call, ListReader reader, boolean whole)
            throws ApiException, InterruptedException {
        return transport.read(call, reader, callEnd(), whole ? listEnd() : callEnd());
    }

    /** Opens a body that may go on for ever; the deadline covers the opening alone. */
    FeedStream stream(Call call) throws ApiException, InterruptedException {
        return FeedStream.endless(transport.stream(call, callEnd()));
    }

    /** Opens a WebSocket as a write, which has no dry run. */
    WebSocket socket(Call call, List<String> protocols) throws ApiException, InterruptedException {
        if (dryRun) {
            throw ApiException.notInADryRun(call.action());
        }
        return transport.socket(call, guard, protocols, callEnd());
    }
}
