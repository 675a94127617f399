package lvms.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.node.deviceclass.DeviceClassStore;
import lvms.node.deviceclass.LiveDeviceClasses;
import lvms.node.deviceclass.LvmdConfigFile;
import lvms.node.deviceclass.NodeDeviceClass;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** A node takes people's classes from its own file or the one of all, and never half of a file. */
class UserClassWatchTests {
    private static final String SSD = "device-classes: [{name: ssd, volume-group: data}]";
    private static final String HDD = "device-classes: [{name: hdd, volume-group: slow}]";

    @TempDir Path folder;
    private Path place;
    private UserClassFile source;
    private LiveDeviceClasses live;
    private UserClassWatch watch;
    private Map<String, String> missing = Map.of();
    private final AtomicInteger came = new AtomicInteger();

    @BeforeEach
    void prepare() throws Exception {
        place = Files.createDirectory(folder.resolve("classes"));
        source = new UserClassFile(place, "n1.example");
        live = new LiveDeviceClasses();
        var own = new LvmdConfigFile(folder.resolve("lvmd.yaml"));
        var store = new DeviceClassStore(own, live, true);
        store.complete();
        watch =
                new UserClassWatch(
                        source, store, new MissingGroups(_ -> missing, came::incrementAndGet));
    }

    private void write(String name, String yaml) throws Exception {
        Files.writeString(place.resolve(name), yaml);
    }

    private List<String> served() {
        return live.current().classes().stream().map(NodeDeviceClass::name).toList();
    }

    @Test
    void aNodeGoesByItsOwnFileElseByTheDefault() throws Exception {
        write("default.yaml", HDD);
        write("n2.yaml", SSD);
        watch.look();
        assertEquals(List.of("hdd"), served());
        write("n1.example.yaml", SSD);
        watch.look();
        assertEquals(List.of("ssd"), served());
    }

    @Test
    void aFolderWithoutAFileForTheNodeIsNoClassAndNoFault() throws Exception {
        write("n2.yaml", SSD);
        watch.look();
        assertTrue(live.known());
        assertEquals(List.of(), served());
    }

    @Test
    void aWrongOrLostFileLeavesTheFormerOneInForce() throws Exception {
        write("default.yaml", SSD);
        watch.look();
        write("default.yaml", SSD.replace("data}", "data, type: thin}"));
        watch.look();
        assertEquals(List.of("ssd"), served());
        Files.delete(place.resolve("default.yaml"));
        watch.look();
        assertEquals(List.of("ssd"), served());
        write("default.yaml", HDD);
        watch.look();
        assertEquals(List.of("hdd"), served());
    }

    @Test
    void aFileThatIsWrongFromTheBeginningKeepsNobodyWaiting() throws Exception {
        write("default.yaml", "device-classes: [{name: ssd}]");
        watch.look();
        assertTrue(live.known());
        var thrown = assertThrows(LvmdConfigException.class, source::read);
        assertEquals(
                place.resolve("default.yaml") + ": device class \"ssd\": volume-group is not set",
                thrown.getMessage());
    }

    @Test
    void aFileThatIsNamedMustExist() {
        var absent = new UserClassFile(folder.resolve("absent.yaml"), "n1");
        var thrown = assertThrows(LvmdConfigException.class, absent::read);
        assertEquals(
                folder.resolve("absent.yaml")
                        + " does not exist: write the device classes there, or name another file"
                        + " or folder",
                thrown.getMessage());
    }

    /** Nothing tells of a group that comes, so LVM is asked again while one is missing. */
    @Test
    void tellsWhenGroupsComeAndGo() throws Exception {
        write("default.yaml", SSD);
        missing = Map.of("ssd", "there is no volume group data");
        watch.look();
        assertEquals(1, came.get());
        missing = Map.of();
        for (int i = 0; i < 30; i++) {
            watch.look();
        }
        assertEquals(2, came.get());
        missing = Map.of("ssd", "there is no volume group data");
        watch.groupsChanged();
        watch.look();
        assertEquals(3, came.get());
    }

    @Test
    void filesThatDisagreeAreNamedInOneLineForEachMatter() throws Exception {
        write("default.yaml", SSD.replace("data}", "data, default: true}"));
        write("n2.yaml", HDD.replace("slow}", "slow, default: true}"));
        write(
                "n3.yaml",
                SSD.replace(
                        "data}",
                        "data, default: true, type: thin, thin-pool: {name: p,"
                                + " overprovision-ratio: 2}}"));
        write("n4.yaml", "device-classes: [");
        assertEquals(
                List.of(
                        "the default device class is hdd in n2.yaml but ssd in default.yaml,"
                                + " n3.yaml: a volume without a class depends on its node",
                        "device class ssd is thick in default.yaml but thin in n3.yaml: only thin"
                                + " volumes have snapshots"),
                source.disagreements());
        assertEquals(List.of(), new UserClassFile(Path.of("/etc/f"), "n1").disagreements());
        assertEquals(
                Optional.of(Path.of("/etc/f")), new UserClassFile(Path.of("/etc/f"), "n1").file());
    }
}
