package lvms.lvm2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;

/** A disk under RAID volumes vanishes: it comes back, or others take its place. */
record LabVanished(Lvm all, Lvm lvm) {
    private static final long MIB = OperationsGuest.MIB;
    private static final int CONTENT = 4 << 20;
    private static final LvName MIRROR = OperationsGuest.name("mirror");
    private static final LvName FIVE = OperationsGuest.name("five");
    private static final LvName SIX = OperationsGuest.name("six");
    private static final LvName TEN = OperationsGuest.name("ten");
    private static final List<LvName> VOLUMES = List.of(MIRROR, FIVE, SIX, TEN);

    LabVanished(Lvm all) throws Exception {
        this(all, OperationsGuest.group(all, 5));
    }

    void run() throws Exception {
        create(MIRROR, new RaidLayout.Raid1(2), 1);
        create(FIVE, new RaidLayout.Raid5(2), 2);
        create(SIX, new RaidLayout.Raid6(3), 3);
        create(TEN, new RaidLayout.Raid10(2, 2), 4);
        comesBack();
        isReplaced();
        rebuildsOnWhatIsLeft();
        refusesToLoseData();
        for (var name : VOLUMES) {
            lvm.volumes().remove(Now.volume(lvm, name));
        }
        all.groups().remove(Now.group(all, OperationsGuest.VG));
        for (var slice : List.of(0, 1)) {
            Slices.comeBack(slice);
            LabGuest.program("wipefs", "--all", Slices.device(slice).toString());
        }
    }

    private void create(LvName name, RaidLayout layout, int seed) throws Exception {
        lvm.raid().create(new NewRaidVolume(name, 16 * MIB, layout, Set.of()));
        OperationsGuest.write(name.lv(), seed, CONTENT);
        healthy(name);
    }

    private RaidHealth health(LvName name) throws Exception {
        return all.raid().find(name).orElseThrow().health();
    }

    private void healthy(LvName name) throws Exception {
        OperationsGuest.await(name + " is healthy", () -> health(name) == RaidHealth.HEALTHY);
    }

    private void assertContents() throws Exception {
        for (var name : VOLUMES) {
            OperationsGuest.assertContent(name.lv(), VOLUMES.indexOf(name) + 1, CONTENT);
        }
    }

    private void vanish(int slice) throws Exception {
        Slices.vanish(slice);
        for (var name : VOLUMES) { // the kernel notices a dead device when it writes to it
            OperationsGuest.write(name.lv(), VOLUMES.indexOf(name) + 1, CONTENT);
        }
        assertContents();
    }

    private void comesBack() throws Exception {
        vanish(0);
        var group = all.groups().find(OperationsGuest.VG).orElseThrow();
        assertEquals(1, group.missingPhysicalVolumes());
        assertTrue(group.partial());
        assertEquals(RaidHealth.DEGRADED, health(MIRROR));
        assertTrue(all.volumes().find(MIRROR).orElseThrow().attributes().health().isPresent());
        Slices.comeBack(0);
        for (var name : VOLUMES) {
            lvm.volumes().refresh(Now.volume(lvm, name));
            lvm.volumes().refresh(Now.volume(lvm, name));
            healthy(name);
        }
        assertEquals(
                0, all.groups().find(OperationsGuest.VG).orElseThrow().missingPhysicalVolumes());
        assertContents();
    }

    private void isReplaced() throws Exception {
        vanish(0);
        var request =
                new MissingReplacement(
                        Now.group(lvm, OperationsGuest.VG), Slices.devices(5, 6), false);
        var group = lvm.raid().replaceMissing(request);
        assertEquals(0, group.missingPhysicalVolumes());
        assertEquals(5, group.physicalVolumes());
        for (var name : VOLUMES) {
            healthy(name);
        }
        assertContents();
        assertEquals(group, lvm.raid().replaceMissing(request), "the same call again");
    }

    private void rebuildsOnWhatIsLeft() throws Exception {
        vanish(1);
        assertThrows(
                LvmException.OutOfSpace.class,
                () -> all.raid().repair(Now.volume(all, SIX), List.of()));
        var repaired = all.raid().repair(Now.volume(all, MIRROR), Slices.devices(2, 6));
        assertTrue(!repaired.degraded(), repaired.toString());
        healthy(MIRROR);
        assertEquals(
                places(repaired), places(all.raid().repair(Now.volume(all, MIRROR), List.of())));
        assertContents();
        var more =
                new MissingReplacement(
                        Now.group(all, OperationsGuest.VG), Slices.devices(6, 7), false);
        all.raid().replaceMissing(more);
        for (var name : VOLUMES) {
            healthy(name);
        }
    }

    private static List<Set<String>> places(RaidVolume raid) {
        return raid.images().stream().map(RaidImage::devices).toList();
    }

    private void refusesToLoseData() throws Exception {
        var only = OperationsGuest.name("only");
        var on = Slices.device(7);
        all.groups().extend(Now.group(all, OperationsGuest.VG), List.of(on), false);
        LabGuest.program(
                "lvm", "lvcreate", "-y", "-L", "8m", "-n", "only", "ops-vg", on.toString());
        Slices.vanish(7);
        var request = new MissingReplacement(Now.group(all, OperationsGuest.VG), List.of(), false);
        assertThrows(LvmException.MissingDevice.class, () -> all.raid().replaceMissing(request));
        Slices.comeBack(7);
        assertTrue(all.volumes().find(only).isPresent());
        all.volumes().remove(Now.volume(all, only));
    }
}
