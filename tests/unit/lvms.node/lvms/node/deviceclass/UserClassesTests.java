package lvms.node.deviceclass;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.listing.GroupListing;
import lvms.api.listing.GroupNames;
import lvms.node.vgmanager.plan.Situations;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * People's device classes are served beside those of LVMVolumeGroups. They share nothing, and what
 * is served is never displaced by what comes later.
 */
class UserClassesTests {
    private static final Path FILE = Path.of("/etc/classes/default.yaml");

    @TempDir Path folder;
    private Path own;
    private LiveDeviceClasses live;
    private DeviceClassStore store;

    @BeforeEach
    void prepare() {
        own = folder.resolve("lvmd.yaml");
        live = new LiveDeviceClasses();
        store = new DeviceClassStore(new LvmdConfigFile(own), live, true);
    }

    private static UserClasses classes(String... entries) {
        var yaml = "device-classes:\n  - " + String.join("\n  - ", entries) + "\n";
        return new UserClasses(FILE, LvmdConfig.parse(yaml).read().classes());
    }

    private List<String> names() {
        return live.current().classes().stream().map(NodeDeviceClass::name).toList();
    }

    @Test
    void areServedBesideTheOthersAndOutliveThem() throws Exception {
        store.complete();
        store.put(Situations.THICK);
        assertEquals(Optional.empty(), store.join(classes("{name: ssd, volume-group: data}")));
        assertEquals(List.of("ssd", "vg1"), names());
        assertFalse(Files.readString(own).contains("ssd"), "they stay in their own file");
        store.remove("vg1");
        assertEquals(List.of("ssd"), names());
        assertFalse(store.servesOwn());
    }

    /** A volume of a class that is not known yet would be refused for good. */
    @Test
    void nothingIsPublishedBeforeBothAreKnown() throws Exception {
        store.complete();
        store.put(Situations.THICK);
        assertFalse(live.known());
        store.joinNone();
        assertTrue(live.known());
        assertEquals(List.of("vg1"), names());
    }

    @Test
    void oneThatSharesANameAGroupOrTheDefaultIsRefusedWithAllOfItsFile() throws Exception {
        store.complete();
        store.put(
                new VolumeGroupGoal(
                        GroupNames.of("vg1"), true, Situations.THICK.group(), GroupListing.NONE));
        assertEquals(
                Optional.of(
                        FILE
                                + ": device class vg1 is that of an LVMVolumeGroup, too: give one"
                                + " of them another name"),
                store.join(
                        classes(
                                "{name: ssd, volume-group: data}",
                                "{name: vg1, volume-group: other}")));
        assertEquals(
                Optional.of(
                        FILE
                                + ": device class ssd: volume group vg1 is that of device class vg1"
                                + " of an LVMVolumeGroup: name a group that you made"),
                store.join(classes("{name: ssd, volume-group: vg1}")));
        assertEquals(
                Optional.of(
                        FILE
                                + ": device class ssd and class vg1 of an LVMVolumeGroup are both"
                                + " the default: only one can be"),
                store.join(classes("{name: ssd, volume-group: data, default: true}")));
        assertEquals(List.of("vg1"), names());
    }

    @Test
    void aRefusedFileLeavesTheFormerOneInForce() throws Exception {
        store.complete();
        store.put(Situations.THICK);
        store.join(classes("{name: ssd, volume-group: data}"));
        assertTrue(store.join(classes("{name: vg1, volume-group: data}")).isPresent());
        assertEquals(List.of("ssd", "vg1"), names());
    }

    @Test
    void anLvmVolumeGroupThatComesLaterIsRefusedBeforeAnythingIsWritten() throws Exception {
        store.complete();
        store.join(classes("{name: vg1, volume-group: data}"));
        var said = FILE + ": device class vg1 is that of an LVMVolumeGroup";
        assertTrue(store.refusal(Situations.THICK).orElseThrow().startsWith(said));
        var thrown = assertThrows(IOException.class, () -> store.put(Situations.THICK));
        assertTrue(thrown.getMessage().startsWith(said), thrown.getMessage());
        assertFalse(Files.exists(own));
        assertEquals("data", live.current().find("vg1").orElseThrow().volumeGroup());
        store.join(classes("{name: ssd, volume-group: data}"));
        assertEquals(Optional.empty(), store.refusal(Situations.THICK));
    }

    /** Whoever edits the agent's own file by hand does not displace a class that is in use. */
    @Test
    void anEntryOfTheAgentsFileDoesNotDisplaceThem() throws Exception {
        store.complete();
        store.put(Situations.THICK);
        store.join(classes("{name: ssd, volume-group: data}"));
        var text = Files.readString(own);
        Files.writeString(
                own,
                text.replace(
                        "device-classes:\n",
                        "device-classes:\n- {name: ssd, volume-group: elsewhere}\n"));
        store.put(Situations.THICK);
        assertEquals(List.of("ssd", "vg1"), names());
        assertEquals("data", live.current().find("ssd").orElseThrow().volumeGroup());
    }
}
