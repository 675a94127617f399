package lvms.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.api.Names;
import lvms.api.StatusCode;
import lvms.api.attribute.AttributeChange;
import lvms.deploy.Patience;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.client.MergePatch;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.testkit.Faults;
import lvms.node.client.FakeLvmd;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;
import lvms.tests.server.Definitions;
import lvms.tests.server.Servers;
import lvms.tests.support.Nodes;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A node beside the lvmd of another process makes each volume once, whatever becomes of lvmd
 * meanwhile, and lets an object go only if lvmd can say that its volume is gone.
 */
@Timeout(120)
@Lasts(seconds = 30)
class LvmdNodeTests {
    private static final long MIB = 1L << 20;
    private static final String NODE = "n1";

    @TempDir Path folder;
    private ApiServer server;
    private KubeClient kube;
    private EventRecorder events;
    private MetricsRegistry metrics;
    private FakeLvmd lvmd;
    private LvmdNode node;

    @BeforeEach
    void prepare() throws Exception {
        server = Servers.start();
        kube = KubeClient.open(server.config(), "test").withFieldManager("test");
        Definitions.install(kube, List.of("topolvm.io_logicalvolumes"));
        Nodes.create(kube, KubeObject.create(Types.NODE, ObjectKey.cluster(NODE)));
        lvmd =
                new FakeLvmd(folder.resolve("lvmd.sock"))
                        .with("ssd", false)
                        .with("thin", true)
                        .with("other", true);
        Files.createDirectories(folder.resolve("plugins/topolvm.io/node"));
        events = EventRecorder.open(kube, "topolvm-node", NODE);
        restart();
    }

    @AfterEach
    void end() throws Exception {
        node.close();
        lvmd.close();
        events.close();
        kube.close();
        server.close();
    }

    private void create(String name, String deviceClass, String size, String source, String access)
            throws Exception {
        kube.create(
                LogicalVolume.TYPE,
                LogicalVolume.create(
                                Driver.TOPOLVM,
                                new LogicalVolume.Spec(
                                        name,
                                        NODE,
                                        Quantity.parse(size),
                                        deviceClass,
                                        "",
                                        source,
                                        access),
                                Map.of())
                        .without("metadata", "finalizers")
                        .without("metadata", "labels"));
    }

    private LogicalVolume get(String name) throws Exception {
        return LogicalVolume.of(kube.get(LogicalVolume.TYPE, ObjectKey.cluster(name)));
    }

    private LogicalVolume await(String name, Predicate<LogicalVolume> state) throws Exception {
        Patience.until(name, () -> state.test(get(name)));
        return get(name);
    }

    private LogicalVolume made(String name) throws Exception {
        return await(name, volume -> volume.status().currentSize().isPresent());
    }

    private void delete(String name) throws Exception {
        kube.delete(LogicalVolume.TYPE, ObjectKey.cluster(name), DeleteOptions.any());
    }

    private void awaitGone(String name) throws Exception {
        Patience.until(
                name + " is gone",
                () -> kube.find(LogicalVolume.TYPE, ObjectKey.cluster(name)).isEmpty());
    }

    private void resize(String name, String size) throws Exception {
        kube.mergePatch(
                LogicalVolume.TYPE, MergePatch.of(get(name).object()).set(size, "spec", "size"));
    }

    private void awaitCapacity(String deviceClass, long bytes) throws Exception {
        var key = Driver.TOPOLVM.capacityAnnotation(deviceClass);
        Patience.until(
                key + " is " + bytes,
                () ->
                        kube.get(Types.NODE, ObjectKey.cluster(NODE))
                                .annotation(key)
                                .filter(Long.toString(bytes)::equals)
                                .isPresent());
    }

    @Test
    void makesGrowsCopiesAndRemovesVolumesAndTellsTheRoom() throws Exception {
        lvmd.start();
        awaitCapacity("ssd", 1024 * MIB);
        awaitCapacity("thin", 5 * 1024 * MIB);
        awaitCapacity("", 1024 * MIB);
        assertTrue(
                kube.get(Types.NODE, ObjectKey.cluster(NODE))
                        .finalizers()
                        .contains(Driver.TOPOLVM.nodeFinalizer()));
        create("pvc-1", "thin", "10Mi", "", "");
        var made = made("pvc-1");
        assertEquals(made.uid(), made.status().volumeId());
        assertEquals(12 * MIB, made.bytes(), "what lvmd says, not what was asked for");
        assertTrue(
                lvmd.volume(made.uid())
                        .orElseThrow()
                        .getTagsList()
                        .contains(Names.VOLUME_NAME_TAG + "pvc-1"));
        awaitCapacity("ssd", 1012 * MIB);
        resize("pvc-1", "30Mi");
        await("pvc-1", volume -> volume.bytes() == 32 * MIB);
        create("snap-1", "thin", "32Mi", "pvc-1", "ro");
        assertEquals("Vri-a-tz--", lvmd.volume(made("snap-1").uid()).orElseThrow().getAttr());
        create("far", "other", "32Mi", "pvc-1", "rw");
        var far = await("far", volume -> volume.status().code() != StatusCode.OK).status();
        assertEquals(StatusCode.INVALID_ARGUMENT, far.code(), far.message());
        for (var name : List.of("snap-1", "pvc-1", "far")) {
            delete(name);
            awaitGone(name);
        }
        awaitCapacity("ssd", 1024 * MIB);
        var page = metrics.text();
        assertTrue(
                page.contains(
                        "topolvm_thinpool_data_percent{node=\"n1\",device_class=\"thin\"} 12.5"),
                page);
        assertTrue(
                page.contains("topolvm_volumegroup_size_bytes{node=\"n1\",device_class=\"ssd\"}"),
                page);
    }

    @Test
    void whatLvmdRefusesIsInTheStatus() throws Exception {
        lvmd.start();
        create("large", "ssd", "2Gi", "", "");
        var status = await("large", v -> v.status().code() != StatusCode.OK).status();
        assertEquals(StatusCode.RESOURCE_EXHAUSTED, status.code());
        assertEquals("lvmd: no enough space", status.message());
        create("nowhere", "absent", "1Mi", "", "");
        status = await("nowhere", v -> v.status().code() != StatusCode.OK).status();
        assertEquals(StatusCode.NOT_FOUND, status.code());
        assertEquals("lvmd has no device class absent", status.message());
        delete("nowhere");
        awaitGone("nowhere");
    }

    /** INVALID_ARGUMENT alone makes the change of a claim infeasible; others are tried for ever. */
    @Test
    void attributesAreRefusedForGoodAndANewVolumeThatNeedsThemIsNotHandedOut() throws Exception {
        lvmd.start();
        var key = Driver.TOPOLVM.attributesAnnotation();
        create("pvc-1", "ssd", "10Mi", "", "");
        kube.mergePatch(
                LogicalVolume.TYPE,
                MergePatch.of(made("pvc-1").object()).annotation(key, "read-ahead=1Mi"));
        var refused =
                await("pvc-1", v -> AttributeChange.of(v).state() == AttributeChange.State.REFUSED);
        assertEquals(
                StatusCode.INVALID_ARGUMENT,
                AttributeChange.of(refused).refusal().orElseThrow().code());

        var spec = new LogicalVolume.Spec("new", NODE, Quantity.parse("8Mi"), "ssd", "", "", "");
        var wanted = Map.of(key, "read-ahead=1Mi");
        kube.create(LogicalVolume.TYPE, LogicalVolume.create(Driver.TOPOLVM, spec, wanted));
        var failed = await("new", v -> v.status().code() != StatusCode.OK);
        assertEquals(StatusCode.INVALID_ARGUMENT, failed.status().code());
        assertEquals(LogicalVolume.State.FAILED, failed.state());
        delete("new");
        awaitGone("new");
        assertTrue(lvmd.volume(failed.uid()).isEmpty());
    }

    /** An answer that was lost must not cost a second volume, nor the first. */
    @Test
    void aVolumeWhoseAnswerWasLostIsFoundAndNotMadeAgain() throws Exception {
        lvmd.start();
        lvmd.failAfterChange(Optional.of(Status.UNAVAILABLE));
        create("pvc-1", "ssd", "10Mi", "", "");
        var made = made("pvc-1");
        assertEquals(12 * MIB, made.bytes());
        assertEquals(1, lvmd.changes());
    }

    @Test
    void aVolumeThatIsAskedForWhileLvmdIsAwayIsMadeWhenItComes() throws Exception {
        create("pvc-1", "ssd", "10Mi", "", "");
        lvmd.start();
        made("pvc-1");
        lvmd.stop();
        create("pvc-2", "ssd", "10Mi", "", "");
        lvmd.start();
        made("pvc-2");
        lvmd.with("late", false);
        awaitCapacity("late", 1000 * MIB);
    }

    /** TopoLVM says NOT_FOUND of it, and the volume would stay for ever. */
    @Test
    void anObjectStaysWhileLvmdDoesNotKnowItsClass() throws Exception {
        lvmd.start();
        create("pvc-1", "ssd", "10Mi", "", "");
        var made = made("pvc-1");
        lvmd.without("ssd");
        delete("pvc-1");
        var kept = await("pvc-1", v -> v.status().code() != StatusCode.OK).status();
        assertEquals(StatusCode.FAILED_PRECONDITION, kept.code());
        assertTrue(
                kept.message().startsWith("lvmd does not know device class ssd"), kept.message());
        assertTrue(lvmd.volume(made.uid()).isPresent());
        lvmd.with("ssd", false);
        awaitGone("pvc-1");
        assertEquals(Optional.empty(), lvmd.volume(made.uid()));
    }

    /** It was not there when it was looked for, but its class came before the object went. */
    @Test
    void aVolumeWhoseClassComesBackMeanwhileIsRemovedBeforeItsObject() throws Exception {
        lvmd.start();
        create("pvc-1", "ssd", "10Mi", "", "");
        var made = made("pvc-1");
        lvmd.without("ssd");
        server.faults().answer(this::bringsClassBack, 1, 500, "");
        delete("pvc-1");
        awaitGone("pvc-1");
        assertEquals(Optional.empty(), lvmd.volume(made.uid()));
    }

    /** The agent asks for the definition after it has looked for the volume. */
    private boolean bringsClassBack(Faults.Seen request) {
        if (request.method().equals("GET") && request.target().contains("customresourcedef")) {
            lvmd.with("ssd", false);
        }
        return false;
    }

    @Test
    void aVolumeInUseIsKeptAndSaysSo() throws Exception {
        lvmd.start();
        create("pvc-1", "ssd", "10Mi", "", "");
        var id = made("pvc-1").uid();
        lvmd.put("ssd", FakeLvmd.volume(id, 12 * MIB, "-wi-ao----", List.of()));
        delete("pvc-1");
        var kept = await("pvc-1", v -> v.status().code() != StatusCode.OK).status();
        assertEquals(StatusCode.FAILED_PRECONDITION, kept.code());
        assertTrue(kept.message().startsWith("data/" + id + " is in use"), kept.message());
    }

    /** The name is free again, but the volume there has somebody else's tag. */
    @Test
    void anotherVolumesTagIsNeverRemoved() throws Exception {
        lvmd.start();
        create("pvc-1", "ssd", "10Mi", "", "");
        var id = made("pvc-1").uid();
        lvmd.put(
                "ssd",
                FakeLvmd.volume(
                        id, 12 * MIB, "-wi-a-----", List.of(Names.VOLUME_NAME_TAG + "pvc-9")));
        int before = lvmd.changes();
        delete("pvc-1");
        create("pvc-2", "ssd", "10Mi", "", "");
        made("pvc-2"); // a pass later than the deletion
        assertTrue(lvmd.volume(id).isPresent());
        assertEquals(before + 1, lvmd.changes());
    }

    /** Nobody can tell over the wire whether a copy that was cut short is whole. */
    @Test
    void aCopyThatWasMadeOnlyInPartIsGivenUp() throws Exception {
        lvmd.start();
        create("pvc-1", "thin", "10Mi", "", "");
        made("pvc-1");
        lvmd.failAfterChange(Optional.of(Status.UNAVAILABLE));
        node.close();
        create("snap-1", "thin", "12Mi", "pvc-1", "ro");
        var id = get("snap-1").uid();
        lvmd.put("thin", FakeLvmd.volume(id, 12 * MIB, "Vwi-a-tz--", List.of()));
        restart();
        var given = await("snap-1", v -> v.status().code() != StatusCode.OK).status();
        assertEquals(StatusCode.INTERNAL, given.code());
        assertTrue(given.message().contains("was made only in part"), given.message());
        lvmd.failAfterChange(Optional.empty());
        delete("snap-1");
        awaitGone("snap-1");
        assertEquals(Optional.empty(), lvmd.volume(id));
    }

    /** An agent that was killed while mkfs ran leaves the note. */
    @Test
    @Safety(43)
    void aVolumeWhoseFilesystemWasCutShortIsNotCopied() throws Exception {
        lvmd.start();
        create("pvc-1", "thin", "10Mi", "", "");
        var id = made("pvc-1").status().volumeId();
        node.close();
        var notes = Files.createDirectory(folder.resolve("plugins/topolvm.io/node/formats"));
        var note = Files.createFile(notes.resolve(id + ".begun"));
        restart();
        create("snap-1", "thin", "12Mi", "pvc-1", "ro");
        Patience.until("it is said", () -> said("snap-1").contains("SourceBeingFormatted"));
        assertEquals(StatusCode.OK, get("snap-1").status().code());
        assertEquals(Optional.empty(), lvmd.volume(get("snap-1").uid()));
        for (var name : List.of("snap-1", "pvc-1")) {
            delete(name);
            awaitGone(name);
        }
        assertFalse(Files.exists(note), "it goes with its volume");
    }

    /** Returns the reasons of the Events about a volume. */
    private List<String> said(String name) throws Exception {
        return kube.list(Types.EVENT, ListOptions.all()).items().stream()
                .filter(event -> event.text("regarding", "name").filter(name::equals).isPresent())
                .map(event -> event.text("reason").orElseThrow())
                .toList();
    }

    private void restart() throws Exception {
        metrics = new MetricsRegistry();
        node =
                new LvmdNode(
                        new TopolvmNode.Settings(
                                Driver.TOPOLVM,
                                NODE,
                                "test",
                                folder.resolve("plugins/topolvm.io/node/csi-topolvm.sock"),
                                false),
                        folder.resolve("lvmd.sock"),
                        kube,
                        events,
                        metrics);
        node.start();
    }
}
