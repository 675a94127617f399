package lvms.node.deviceclass;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.object.ObjectKey;
import lvms.node.deviceclass.DeviceClassStore.Change;
import lvms.node.vgmanager.plan.Situations;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;

/** lvmd.yaml is replaced as a whole, and followed by the live device classes. */
class LvmdConfigFileTests {
    @TempDir Path folder;
    private LvmdConfigFile file;
    private LiveDeviceClasses live;
    private DeviceClassStore store;

    @BeforeEach
    void prepare() {
        file = new LvmdConfigFile(folder.resolve("etc/lvmd.yaml"));
        live = new LiveDeviceClasses();
        store = new DeviceClassStore(file, live);
    }

    @Test
    void isMadeForTheFirstClassAndGoesWithTheLast() throws Exception {
        store.complete();
        assertEquals(Change.CREATED, store.put(Situations.THICK));
        assertTrue(live.current().find("vg1").isPresent());
        assertEquals(Change.NONE, store.put(Situations.THICK));
        assertEquals(Change.UPDATED, store.put(Situations.THIN));
        assertTrue(live.current().find("vg1").orElseThrow().thin().isPresent());
        assertEquals(Change.DELETED, store.remove("vg1"));
        assertEquals(DeviceClasses.none(), live.current());
        assertEquals(Optional.empty(), file.read());
        assertEquals(Change.NONE, store.remove("vg1"));
    }

    @Test
    void isForItsOwnerOnly() throws Exception {
        store.put(Situations.THICK);
        assertEquals(
                "rw-------",
                PosixFilePermissions.toString(Files.getPosixFilePermissions(file.path())));
    }

    @Test
    void isWrittenOverALeftoverOfAKilledProcess() throws Exception {
        Files.createDirectories(file.path().getParent());
        Files.writeString(file.path().resolveSibling("lvmd.yaml.new"), "half");
        store.put(Situations.THICK);
        assertTrue(file.read().orElseThrow().has("vg1"));
    }

    @Test
    void tellsOfEachReplacement() throws Exception {
        var none = file.fingerprint();
        store.put(Situations.THICK);
        var first = file.fingerprint();
        store.put(Situations.THIN);
        assertNotEquals(none, first);
        assertNotEquals(first, file.fingerprint());
    }

    @Test
    void isNotOverwrittenIfItCannotBeRead() throws Exception {
        Files.createDirectories(file.path().getParent());
        Files.writeString(file.path(), "- not: [a mapping");
        assertThrows(IOException.class, () -> store.put(Situations.THICK));
        assertEquals("- not: [a mapping", Files.readString(file.path()));
    }

    @Test
    void whatTheFileNamesIsKnownAtOnce() throws Exception {
        store.put(Situations.THICK);
        assertFalse(live.known());
        store.load();
        assertTrue(live.current().find("vg1").isPresent());
    }

    @Test
    void withoutTheFileNothingIsKnownBeforeEachGroupWasLookedAt() throws Exception {
        var one = ObjectKey.of("ns", "vg1");
        var two = ObjectKey.of("ns", "vg2");
        var round = new FirstRound(() -> List.of(one, two), store);
        store.load();
        store.put(Situations.THICK);
        round.passed(one);
        assertFalse(live.known(), "a volume of the other class would fail");
        round.passed(two);
        assertTrue(live.known());
        assertTrue(live.current().find("vg1").isPresent());
    }

    @Test
    void aNodeWithoutGroupsKnowsThatItServesNothing() throws Exception {
        store.load();
        new FirstRound(List::of, store).passed(ObjectKey.of("", ""));
        assertTrue(live.known());
        assertEquals(DeviceClasses.none(), live.current());
    }
}
