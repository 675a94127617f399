package lvms.k8s.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.tests.server.DependsOnVersion;
import lvms.tests.server.OursAlone;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lists and watches: pages, resource versions, events, bookmarks, expiry. */
@DependsOnVersion("streaming lists came with 1.32, and continue tokens live longer since 1.34")
class WatchTests {
    private ApiServer server;
    private Client client;
    private String maps;

    @BeforeEach
    void start() throws Exception {
        server = Servers.start();
        client = Client.of(server);
        maps = "/api/v1/namespaces/" + client.namespace() + "/configmaps";
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    private String create(String name, String labels) {
        var reply =
                client.post(maps, "{'metadata':{'name':'" + name + "','labels':{" + labels + "}}}");
        assertEquals(201, reply.code());
        return reply.text("metadata", "resourceVersion");
    }

    @Test
    void pagesShowOneRevisionWhileObjectsComeAndGo() {
        for (int i = 0; i < 25; i++) {
            create("m%02d".formatted(i), "");
        }
        var first = client.get(maps + "?limit=10");
        client.delete(maps + "/m12", "");
        create("m005", "");
        var second = client.get(maps + "?limit=10&continue=" + first.text("metadata", "continue"));
        var third = client.get(maps + "?limit=10&continue=" + second.text("metadata", "continue"));
        assertEquals("15", first.text("metadata", "remainingItemCount"));
        assertEquals(
                first.text("metadata", "resourceVersion"),
                third.text("metadata", "resourceVersion"));
        assertEquals("m10", second.text("items", "0", "metadata", "name"));
        assertEquals("m12", second.text("items", "2", "metadata", "name"));
        assertEquals(5, third.body().getAsJsonArray("items").size());
        assertEquals("", third.text("metadata", "continue"));
    }

    @Test
    void anOldContinueTokenIsExpiredAndOffersAnother() throws Exception {
        assumeTrue(
                Servers.ours() || Servers.before(34),
                "servers since 1.34 go on from a snapshot in their cache");
        create("a", "");
        create("b", "");
        var first = client.get(maps + "?limit=1");
        server.faults().compact();
        create("c", "");
        var next = maps + "?limit=1&continue=" + first.text("metadata", "continue");
        Client.await(() -> client.get(next).code() == 410);
        var reply = client.get(next);
        assertEquals("Expired", reply.text("reason"));
        var rest = client.get(maps + "?continue=" + reply.text("metadata", "continue"));
        assertEquals("b", rest.text("items", "0", "metadata", "name"));
    }

    @Test
    void aRevisionAheadOfTheServerTimesOut() {
        var reply = client.get(maps + "?resourceVersion=999999");
        assertEquals(504, reply.code());
        assertEquals("ResourceVersionTooLarge", reply.text("details", "causes", "0", "reason"));
    }

    @Test
    void selectorsNarrowLists() {
        create("a", "'x':'1'");
        create("b", "'x':'2'");
        create("c", "");
        var list = client.get(maps + "?labelSelector=x%20notin%20(1)");
        assertEquals(2, list.body().getAsJsonArray("items").size());
        var named = client.get(maps + "?fieldSelector=metadata.name%3Db");
        assertEquals("b", named.text("items", "0", "metadata", "name"));
        var bad = client.get(maps + "?fieldSelector=data.x%3Db");
        assertEquals(
                "\"data.x\" is not a known field selector: only \"metadata.name\","
                        + " \"metadata.namespace\"",
                bad.text("message"));
        var worse = client.get("/api/v1/pods?fieldSelector=data.x%3Db");
        assertEquals("field label not supported: data.x", worse.text("message"));
    }

    @Test
    void aWatchShowsWhatHappensAfterItsRevision() throws Exception {
        var revision = create("a", "");
        create("b", "");
        try (var watch = new Watch(client, maps + "?watch=true&resourceVersion=" + revision)) {
            assertEquals("ADDED b", watch.line());
            client.merge(maps + "/b", "{'data':{'k':'v'}}");
            assertEquals("MODIFIED b", watch.line());
            client.delete(maps + "/b", "");
            var deleted = watch.next();
            assertEquals("DELETED", deleted.get("type").getAsString());
            var shown = deleted.getAsJsonObject("object").getAsJsonObject("metadata");
            assertTrue(shown.get("resourceVersion").getAsLong() > Long.parseLong(revision) + 2);
        }
    }

    @Test
    void aWatchWithoutRevisionStartsWithWhatIsThere() throws Exception {
        create("a", "");
        try (var watch = new Watch(client, maps + "?watch=1")) {
            assertEquals("ADDED a", watch.line());
            create("b", "");
            assertEquals("ADDED b", watch.line());
        }
    }

    @Test
    void enteringAndLeavingASelectionIsAddedAndDeleted() throws Exception {
        var revision = create("a", "");
        var path = maps + "?watch=true&labelSelector=x%3D1&resourceVersion=" + revision;
        try (var watch = new Watch(client, path)) {
            client.merge(maps + "/a", "{'metadata':{'labels':{'x':'1'}}}");
            assertEquals("ADDED a", watch.line());
            client.merge(maps + "/a", "{'metadata':{'labels':{'x':'2'}}}");
            var deleted = watch.next();
            assertEquals("DELETED", deleted.get("type").getAsString());
            var labels =
                    deleted.getAsJsonObject("object")
                            .getAsJsonObject("metadata")
                            .getAsJsonObject("labels");
            assertEquals("1", labels.get("x").getAsString());
        }
    }

    @Test
    @OursAlone("a real server sends bookmarks when it likes, about once a minute")
    void bookmarksComeWhenAskedForAndOnlyToThoseWhoAllowThem() throws Exception {
        var revision = create("a", "");
        var path = maps + "?watch=true&resourceVersion=" + revision;
        try (var with = new Watch(client, path + "&allowWatchBookmarks=true");
                var without = new Watch(client, path)) {
            client.namespace();
            server.faults().bookmark();
            var bookmark = with.next();
            assertEquals("BOOKMARK", bookmark.get("type").getAsString());
            var metadata = bookmark.getAsJsonObject("object").getAsJsonObject("metadata");
            assertTrue(metadata.get("resourceVersion").getAsLong() > Long.parseLong(revision));
            assertTrue(without.silent());
        }
    }

    @Test
    void aStreamingListEndsItsStartWithAMarkedBookmark() throws Exception {
        create("a", "");
        var path =
                maps
                        + "?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
                        + "&allowWatchBookmarks=true&resourceVersion=";
        if (Servers.before(32)) {
            assertEquals(422, client.get(path).code(), "they came with 1.32");
            return;
        }
        try (var watch = new Watch(client, path)) {
            assertEquals("ADDED a", watch.line());
            var bookmark = watch.next().toString();
            assertTrue(bookmark.contains("\"k8s.io/initial-events-end\":\"true\""), bookmark);
            create("b", "");
            assertEquals("ADDED b", watch.line());
        }
    }

    @Test
    void aRefusedStreamingListIsInvalid() {
        server.faults().streamingLists(false);
        var path = maps + "?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
        assertEquals(422, client.get(path).code());
    }

    @Test
    void aMatchRuleWithoutInitialEventsIsRefused() {
        var reply = client.get(maps + "?watch=true&resourceVersionMatch=NotOlderThan");
        assertEquals(422, reply.code());
    }

    @Test
    void anExpiredRevisionIsGoneInEitherForm() throws Exception {
        var revision = create("a", "");
        create("b", "");
        server.faults().compact();
        var path = maps + "?watch=true&resourceVersion=" + revision;
        var reply = client.get(path);
        assertEquals(410, reply.code());
        assertTrue(reply.text("message").startsWith("too old resource version: " + revision));
        server.faults().expiryAsEvent(true);
        try (var watch = new Watch(client, path)) {
            assertEquals(200, watch.code());
            var event = watch.next();
            assertEquals("ERROR", event.get("type").getAsString());
            assertEquals(410, event.getAsJsonObject("object").get("code").getAsInt());
            assertEquals("END", watch.line());
        }
    }

    @Test
    void aWatchEndsAtItsTimeoutAfterABookmark() throws Exception {
        create("a", "");
        var path =
                maps + "?watch=true&timeoutSeconds=%d&allowWatchBookmarks=true&resourceVersion=%s";
        var revision = client.get(maps).text("metadata", "resourceVersion");
        try (var watch = new Watch(client, path.formatted(5, revision))) {
            client.post("/api/v1/namespaces/default/configmaps", "{'metadata':{'name':'other'}}");
            assertEquals("BOOKMARK", watch.line());
            var last = watch.line();
            while (last.equals("BOOKMARK")) {
                last = watch.line();
            }
            assertEquals("END", last);
        }
        try (var brief = new Watch(client, path.formatted(1, revision))) {
            assertEquals("END", brief.line(), "the bookmark would come two seconds before");
        }
    }

    @Test
    void watchesCanBeCutInTheMiddleOfALine() throws Exception {
        var revision = create("a", "");
        server.faults().cutWatchesAfter(40);
        try (var watch = new Watch(client, maps + "?watch=true&resourceVersion=" + revision)) {
            create("b", "");
            assertFalse(watch.line().startsWith("ADDED"));
        }
    }

    @Test
    void stalledWatchesStayOpenAndSilent() throws Exception {
        var revision = create("a", "");
        try (var watch = new Watch(client, maps + "?watch=true&resourceVersion=" + revision)) {
            server.faults().stallWatches(true);
            create("b", "");
            assertTrue(watch.silent());
            server.faults().stallWatches(false);
            create("c", "");
            assertTrue(watch.silent(), "nothing may follow what was lost");
        }
        try (var watch = new Watch(client, maps + "?watch=true&resourceVersion=" + revision)) {
            assertEquals("ADDED b", watch.line());
            assertEquals("ADDED c", watch.line());
        }
    }

    @Test
    void slowWatchesSendTheSame() throws Exception {
        var revision = create("a", "");
        server.faults().slowWatches(true);
        try (var watch = new Watch(client, maps + "?watch=true&resourceVersion=" + revision)) {
            create("b", "");
            create("c", "");
            assertEquals("ADDED b", watch.line());
            assertEquals("ADDED c", watch.line());
        }
    }

    @Test
    @OursAlone("no real server does that")
    void eventsThatAreSentTogetherChangePlaces() throws Exception {
        var revision = create("a", "");
        server.faults().reorderEvents(true);
        create("b", "");
        create("c", "");
        client.delete(maps + "/c", "");
        try (var watch = new Watch(client, maps + "?watch=true&resourceVersion=" + revision)) {
            assertEquals("ADDED c", watch.line());
            assertEquals("ADDED b", watch.line());
            assertEquals("DELETED c", watch.line());
        }
    }
}
