package lvms.lvm2;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Nothing reaches a command that LVM's own grammar would refuse or read as something else. */
class GrammarTests {
    @ParameterizedTest
    @ValueSource(strings = {"vg1", "my.vg", "_x", "+a", "a-b", "0"})
    void acceptsNamesOfGroups(String name) {
        assertDoesNotThrow(() -> Grammar.requireVgName(name));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "-a", ".", "..", "a b", "a/b", "a\n", "ä", "@tag", "a;b", "a'b", "#a"})
    void refusesWhatIsNoNameOfAGroup(String name) {
        assertThrows(IllegalArgumentException.class, () -> Grammar.requireVgName(name));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "snapshot0",
                "pvmove1",
                "x_tdata",
                "x_tmeta_0",
                "a_rimage_1",
                "lvol0_pmspare"
            })
    void refusesNamesThatLvmKeepsForItself(String name) {
        var reserved = new LvName("vg", name);
        assertThrows(IllegalArgumentException.class, () -> Grammar.requireLvName(reserved));
    }

    @Test
    void countsDoubledHyphensAgainstTheLimitOfTheDeviceMapper() {
        var fits = new LvName("v".repeat(60), "l".repeat(60));
        var tooLong = new LvName("v".repeat(60), "l-".repeat(29) + "l");
        assertDoesNotThrow(() -> Grammar.requireLvName(fits));
        assertThrows(IllegalArgumentException.class, () -> Grammar.requireLvName(tooLong));
        assertEquals("my--vg-a--b", Grammar.deviceMapperName(new LvName("my-vg", "a-b")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"lvms", "a=b", "topolvm.io/x:y", "a&b", "a!b#c"})
    void acceptsTags(String tag) {
        assertDoesNotThrow(() -> Grammar.requireTag(tag));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-x", "@x", "a b", "a,b", "a\"b", "ü"})
    void refusesWhatIsNoTag(String tag) {
        assertThrows(IllegalArgumentException.class, () -> Grammar.requireTag(tag));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -512, 1, 513})
    void refusesSizesThatAreNoSectors(long bytes) {
        assertThrows(IllegalArgumentException.class, () -> Grammar.requireSize("size", bytes));
    }

    @ParameterizedTest
    @ValueSource(strings = {"sdb", "/tmp/disk", "/dev/../etc/passwd", "/dev/a,b", "/dev/a b"})
    void refusesDevicesOutsideOfDevAndWithCommas(String path) {
        var devices = List.of(Path.of(path));
        assertThrows(IllegalArgumentException.class, () -> Grammar.requireDevices(devices));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/dev/sdb",
                "/dev/mapper/mpath-a",
                "/dev/disk/by-id/nvme-eui.0025385b01",
                "/dev/disk/by-path/pci-0000:00:1f.2-ata-1",
                "/dev/disk/by-partlabel/my\\x20data"
            })
    void acceptsDevices(String path) {
        assertDoesNotThrow(() -> Grammar.requireDevices(List.of(Path.of(path))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/dev",
                "/dev/",
                "/dev/a|b",
                "/dev/a*",
                "/dev/a[b]",
                "/dev/a\nb",
                "/dev/a\\:b"
            })
    void refusesDevicesThatAFilterOrAListWouldReadOtherwise(String path) {
        var devices = List.of(Path.of(path));
        assertThrows(IllegalArgumentException.class, () -> Grammar.requireDevices(devices));
    }

    @Test
    void aColonWouldBeARangeOfExtents() {
        var path = Path.of("/dev/disk/by-path/pci-0000:00:1f.2-ata-1");
        assertThrows(IllegalArgumentException.class, () -> Grammar.requireWholeDevice(path));
        assertThrows(
                IllegalArgumentException.class,
                () ->
                        new PhysicalVolumeMove(
                                new Identity<>(Path.of("/dev/sda"), Now.NOBODY), List.of(path)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-a", ".", "..", "a b", "a/b", "@a", "'", "a\"b", "\u00e9", ""})
    void noVolumeHasSuchAName(String name) {
        assertThrows(IllegalArgumentException.class, () -> new LvName("vg", name));
        assertThrows(IllegalArgumentException.class, () -> new LvName(name, "lv"));
    }

    @Test
    void aUuidOfAPhysicalVolumeHasItsForm() {
        assertDoesNotThrow(() -> Grammar.requirePvUuid("AbCdE1-0000-1111-2222-3333-4444-zzzzzz"));
        assertDoesNotThrow(() -> Grammar.requirePvUuid("0123456789abcdef0123456789abcdef"));
        for (var wrong : List.of("", "--all", "abc", "AbCdE1-0000-1111-2222-3333-4444-zzzzz\n")) {
            assertThrows(IllegalArgumentException.class, () -> Grammar.requirePvUuid(wrong));
        }
    }

    @Test
    void refusesStripesAndChunksThatLvmDoesNotKnow() {
        assertThrows(
                IllegalArgumentException.class,
                () -> Grammar.requireStripes(OptionalInt.of(0), OptionalLong.empty()));
        assertThrows(
                IllegalArgumentException.class,
                () -> Grammar.requireStripes(OptionalInt.of(2), OptionalLong.of(5000)));
        assertThrows(
                IllegalArgumentException.class,
                () -> Grammar.requireChunkSize(OptionalLong.of(100_000)));
        assertDoesNotThrow(() -> Grammar.requireChunkSize(OptionalLong.of(128 << 10)));
    }
}
