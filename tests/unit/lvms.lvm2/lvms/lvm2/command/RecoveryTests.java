package lvms.lvm2.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.LvName;
import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.system.DeviceNumber;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A device-mapper name leads back to the volume that a refresh must be asked for. */
class RecoveryTests {
    @ParameterizedTest
    @CsvSource({
        "vg-lv, vg, lv",
        "my--vg-a--b, my-vg, a-b",
        "vg-pool-tpool, vg, pool",
        "vg-pool_tdata, vg, pool",
        "vg-pool_tmeta, vg, pool",
        "vg-r_rimage_0, vg, r",
        "vg-lv-real, vg, lv",
        "vg-pool_tdata_rimage_1, vg, pool",
        "vg-fast_cpool_cdata, vg, fast_cpool",
        "vg-lv_corig, vg, lv",
        "vg-pvmove0, vg, pvmove0",
        "vg-r_rimage_0_extracted, vg, r",
        "vg-data_extracted, vg, data_extracted",
        "vg-vm1--cow, vg, vm1-cow",
    })
    void namesOfDevicesLeadToVolumes(String device, String vg, String lv) {
        assertEquals(Optional.of(new LvName(vg, lv)), Recovery.volumeOf(device));
    }

    @Test
    void aDeviceOfSomethingElseLeadsNowhere() {
        assertEquals(Optional.empty(), Recovery.volumeOf("cryptroot"));
    }

    /** A class may be called thin, and its group with it. */
    @Safety(11)
    @ParameterizedTest
    @CsvSource({
        "lvcreate -y --type thin --thinpool pool -V 1b -n new vg, vg",
        "lvcreate -y -s -n vg2 --addtag tag vg/source, vg",
        "lvremove -y -S lv_uuid=x vg/lv, vg",
        "lvextend -y -L 512b vg/lv /dev/sdb:0-9, vg",
        "suspend vg/a vg/b, vg",
        "vgcreate --metadatasize 1b --addtag tag vg /dev/sdb, vg",
        "vgck --updatemetadata vg, vg",
        "thin_check --metadata-snap vg/pool, vg",
    })
    void aCommandIsAboutTheGroupsThatItNamesAndNotAboutItsOptions(String command, String vg) {
        var words = List.of(command.split(" "));
        assertTrue(Recovery.names(words, vg));
        for (var word : List.of("thin", "pool", "new", "vg2", "tag", "suspend", "512b", "1b")) {
            assertFalse(Recovery.names(words, word), word);
        }
    }

    private static final String UUID = "abcdef-0123-4567-89ab-cdef-0123-456789";

    private static DeviceMapper.State device(
            String name, boolean suspended, int open, int targets) {
        var parts = name.replace("--", "").split("-");
        return device(name, parts.length > 2 ? "-" + parts[2] : "", suspended, open, targets);
    }

    private static DeviceMapper.State device(
            String name, String layer, boolean suspended, int open, int targets) {
        var target = new DeviceMapper.Target(0, 512, "linear", "");
        return new DeviceMapper.State(
                name,
                "LVM-" + "g".repeat(32) + UUID.replace("-", "") + layer,
                new DeviceNumber(254, 0),
                suspended,
                false,
                false,
                open,
                0,
                Collections.nCopies(targets, target));
    }

    private static List<List<String>> cures(DeviceMapper.State device, boolean cut) {
        return Recovery.cures(device, Recovery.volumeOf(device.name()).orElseThrow(), _ -> cut);
    }

    @Test
    void aSuspendedDeviceIsRefreshed() {
        assertEquals(
                List.of(List.of("lvchange", "-y", "--refresh", "vg/lv")),
                cures(device("vg-lv", true, 1, 1), true));
    }

    /** A thick snapshot would take its source and all others with it. */
    @Safety(11)
    @Test
    void oneWithoutTableIsDeactivatedUnlessItIsAThickSnapshot() {
        var only = "lv_uuid=" + UUID + "&&lv_role";
        assertEquals(
                List.of(
                        List.of(
                                "lvchange",
                                "-y",
                                "--refresh",
                                "-S",
                                only + "=thicksnapshot",
                                "vg/lv"),
                        List.of("lvchange", "-y", "-an", "-S", only + "!=thicksnapshot", "vg/lv")),
                cures(device("vg-lv", false, 0, 0), true));
    }

    /** LVM gives the UUID of its device a suffix, too, although people see it. */
    @Test
    void soIsAPoolWithoutTable() {
        assertEquals(
                cures(device("vg-pool", "", false, 0, 0), true),
                cures(device("vg-pool", "-pool", false, 0, 0), true));
        assertEquals(2, cures(device("vg-pool", "-pool", false, 0, 0), true).size());
    }

    @Safety(11)
    @Test
    void whatAnAdministratorSuspendedStaysSuspended() {
        assertEquals(List.of(), cures(device("vg-lv", true, 1, 1), false));
    }

    @Safety(11)
    @Test
    void aHiddenDeviceWithoutTableDoesNotDeactivateItsVolume() {
        assertEquals(List.of(), cures(device("vg-lv_rimage_0", false, 0, 0), true));
        assertEquals(List.of(), cures(device("vg-lv-real", false, 0, 0), true));
    }

    @Test
    void aMoveIsRefreshedWithItsGroup() {
        assertEquals(
                List.of(List.of("vgchange", "-y", "--refresh", "vg")),
                cures(device("vg-pvmove0", true, 1, 1), true));
    }

    @Test
    void aDeviceThatWorksIsLeftAlone() {
        assertEquals(List.of(), cures(device("vg-lv", false, 0, 1), true));
        assertEquals(List.of(), cures(device("vg-lv", false, 1, 0), true));
    }

    @ParameterizedTest
    @ValueSource(strings = {"_tmeta", "_tdata"})
    @Safety(26)
    void aPoolWhoseCheckWasCutIsNotKeptInactive(String part) throws Exception {
        var closed = device("my--vg-pool" + part, false, 0, 1);
        var cure = List.of("lvchange", "-y", "-an", "my-vg/pool" + part);
        assertEquals(Set.of(cure), cures(closed));
        assertTrue(unfinished(closed));
        var checked = device("my--vg-pool" + part, false, 1, 1);
        assertEquals(Set.of(), cures(checked));
        assertFalse(unfinished(checked));
        for (var used : List.of("my--vg-pool", "my--vg-pool-tpool")) {
            assertEquals(Set.of(), cures(closed, device(used, false, 0, 1)));
        }
    }

    private static DeviceMapper kernel(DeviceMapper.State... devices) {
        return new ListedDevices(
                Stream.of(devices).collect(Collectors.toMap(DeviceMapper.State::name, d -> d)));
    }

    private static Set<List<String>> cures(DeviceMapper.State... devices) throws Exception {
        return Recovery.commands("my-vg"::equals, kernel(devices), _ -> false);
    }

    private static boolean unfinished(DeviceMapper.State... devices) throws Exception {
        return Recovery.unfinished("my-vg", kernel(devices), _ -> false);
    }
}
