package lvms.k8s;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.Await;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.testkit.Kubectl;
import lvms.tests.runner.Behaviour;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** An API server takes the events, and people see them where they look. */
@Timeout(60)
class EventTests {
    private static final int MOST_BYTES = 1024;
    private static final String REPORTER = "example.com/operator";

    @TempDir private Path folder;
    private ApiServer server;
    private KubeClient client;
    private EventRecorder recorder;

    @BeforeEach
    void open() throws Exception {
        server = Servers.start();
        client =
                KubeClient.open(KubeConfig.load(Optional.of(server.kubeconfig(folder))), "tests/1")
                        .withFieldManager("tests");
        recorder = EventRecorder.open(client, REPORTER, "pod");
    }

    @AfterEach
    void close() throws Exception {
        recorder.close();
        client.close();
        server.close();
    }

    /** A real API server records events of its own, about addresses of Services for example. */
    private List<KubeObject> events(String namespace) {
        try {
            return client.list(Types.EVENT, ListOptions.all().namespace(namespace)).items().stream()
                    .filter(e -> e.text("reportingController").equals(Optional.of(REPORTER)))
                    .toList();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private KubeObject awaitEvent(String namespace) {
        Await.until("an event in " + namespace, () -> !events(namespace).isEmpty());
        return events(namespace).getFirst();
    }

    private KubeObject settings() throws Exception {
        var settings =
                KubeObject.create(Types.CONFIG_MAP, ObjectKey.of("default", "settings"))
                        .with("1", "data", "v");
        return client.create(Types.CONFIG_MAP, settings);
    }

    private void record(KubeObject regarding, String note) {
        recorder.record(regarding, EventRecorder.Type.WARNING, "TooSmall", "Growing", note);
    }

    @ParameterizedTest(name = "{0} letters and {1}")
    @CsvSource({"1024, '', 1024", "1025, '', 1024", "1023, é, 1023", "1022, é, 1024"})
    @Behaviour(89)
    void aLongNoteIsCutBetweenCharactersAndTaken(int letters, String last, int expectedBytes)
            throws Exception {
        var note = "x".repeat(letters) + last;
        record(settings(), note);
        var taken = awaitEvent("default").text("note").orElseThrow();
        assertTrue(note.startsWith(taken), taken);
        assertEquals(expectedBytes, taken.getBytes(StandardCharsets.UTF_8).length);
    }

    @Test
    @Behaviour(89)
    void aCharacterOfFourBytesIsNotCutInside() throws Exception {
        record(settings(), "\uD83D\uDCBE".repeat(MOST_BYTES));
        assertEquals(
                "\uD83D\uDCBE".repeat(MOST_BYTES / 4),
                awaitEvent("default").text("note").orElseThrow());
    }

    @Test
    void eventsOfObjectsWithoutANamespaceLandInDefault() throws Exception {
        var node = client.create(Types.NODE, node("n1"));
        record(node, "the disk is full");
        var event = awaitEvent("default");
        assertEquals("Node", event.text("regarding", "kind").orElseThrow());
        assertEquals(Optional.empty(), event.text("regarding", "namespace"));
        assertEquals(node.uid(), event.text("regarding", "uid").orElseThrow());
    }

    private static KubeObject node(String name) {
        return KubeObject.create(Types.NODE, ObjectKey.cluster(name));
    }

    @Test
    void equalEventsAreOneObjectWithASeries() throws Exception {
        var settings = settings();
        record(settings, "the disk is full");
        awaitEvent("default");
        record(settings, "the disk is full");
        Await.until(
                "the series", () -> awaitEvent("default").number("series", "count").orElse(0) == 2);
        assertEquals(1, events("default").size());
    }

    @Test
    void anotherNoteIsAnotherEventSoThatThePresentCauseIsShown() throws Exception {
        var settings = settings();
        record(settings, "the driver is not registered");
        record(settings, "no node has room");
        Await.until("both events", () -> events("default").size() == 2);
        assertEquals(
                Set.of("the driver is not registered", "no node has room"),
                events("default").stream()
                        .map(event -> event.text("note").orElseThrow())
                        .collect(Collectors.toSet()));
    }

    @Test
    void kubectlDescribeShowsThem() throws Exception {
        Assumptions.assumeTrue(Kubectl.onPath(), "kubectl is not on the path");
        var kubectl = new Kubectl(server, folder);
        record(settings(), "settings are too small");
        record(storageClass(), "nobody can grow this");
        Await.until("both events", () -> events("default").size() == 2);
        assertDescribed(kubectl, Types.CONFIG_MAP, "settings", "settings are too small");
        assertDescribed(kubectl, Types.STORAGE_CLASS, "fast", "nobody can grow this");
    }

    private KubeObject storageClass() throws Exception {
        var storageClass =
                KubeObject.create(Types.STORAGE_CLASS, ObjectKey.cluster("fast"))
                        .with("example.com", "provisioner");
        return client.create(Types.STORAGE_CLASS, storageClass);
    }

    private static void assertDescribed(
            Kubectl kubectl, ResourceType type, String name, String note) throws Exception {
        var described = kubectl.succeed("describe", type.plural(), name);
        var events = described.substring(described.indexOf("\nEvents:"));
        for (var part : List.of("Warning", "TooSmall", "example.com/operator", note)) {
            assertTrue(events.contains(part), described);
        }
    }
}
