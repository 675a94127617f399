package lvms.lvm2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.device.Signatures;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** RAID volumes of every level are made and synchronized; a linear one gets copies and back. */
record LabRaid(Lvm lvm) {
    private static final long MIB = OperationsGuest.MIB;
    private static final int CONTENT = 4 << 20;
    private static final List<RaidLayout> LAYOUTS =
            List.of(
                    new RaidLayout.Raid1(2),
                    new RaidLayout.Raid4(2),
                    new RaidLayout.Raid5(2),
                    new RaidLayout.Raid6(3),
                    new RaidLayout.Raid10(2, 2));

    void run() throws Exception {
        var mine = new LabRaid(OperationsGuest.group(lvm, 5));
        for (var layout : LAYOUTS) {
            mine.level(layout);
        }
        mine.failures();
        mine.copies();
        mine.lvm.groups().remove(Now.group(mine.lvm, OperationsGuest.VG));
    }

    private void level(RaidLayout layout) throws Exception {
        var name = OperationsGuest.name("r");
        var request = new NewRaidVolume(name, 24 * MIB, layout, Set.of("owner"));
        var made = lvm.raid().create(request);
        assertTrue(made.active() && made.sizeBytes() >= 24 * MIB, made.toString());
        var again = lvm.raid().create(request);
        assertEquals(made.uuid(), again.uuid());
        assertEquals(new Signatures.Blank(), Signatures.probe(OperationsGuest.device("r")));
        OperationsGuest.write("r", 1, CONTENT);
        synced(name);
        var raid = lvm.raid().find(name).orElseThrow();
        assertEquals(layout.devices(), raid.images().size());
        assertTrue(raid.images().stream().allMatch(i -> i.synced() && !i.missing()), "" + raid);
        assertEquals(
                layout.devices(),
                raid.images().stream().map(RaidImage::devices).distinct().count());
        assertTrue(raid.type().startsWith(layout.getClass().getSimpleName().toLowerCase()));
        assertEquals(
                raid,
                lvm.raid().repair(Now.volume(lvm, name), List.of()),
                "there is nothing to repair");
        checked(name);
        assertTrue(lvm.volumes().extend(Now.volume(lvm, name), 48 * MIB).sizeBytes() >= 48 * MIB);
        synced(name);
        OperationsGuest.assertContent("r", 1, CONTENT);
        var other = new NewRaidVolume(name, 24 * MIB, layout, Set.of("other"));
        assertThrows(LvmException.AlreadyExists.class, () -> lvm.raid().create(other));
        lvm.volumes().remove(Now.volume(lvm, name));
        assertEquals(Optional.empty(), lvm.raid().find(name));
    }

    private void synced(LvName name) throws Exception {
        OperationsGuest.await("synchronization", () -> health(name) == RaidHealth.HEALTHY);
    }

    private RaidHealth health(LvName name) throws Exception {
        return lvm.raid().find(name).orElseThrow().health();
    }

    private void checked(LvName name) throws Exception {
        lvm.raid().check(Now.volume(lvm, name));
        OperationsGuest.await(
                "the end of a check",
                () -> lvm.volumes().find(name).orElseThrow().syncAction().equals("idle"));
        var details = lvm.volumes().find(name).orElseThrow().raid().orElseThrow();
        assertEquals(OptionalLong.of(0), details.mismatches());
    }

    private void failures() throws Exception {
        var name = OperationsGuest.name("r");
        var wide = new NewRaidVolume(name, 8 * MIB, new RaidLayout.Raid1(6), Set.of());
        assertThrows(LvmException.OutOfSpace.class, () -> lvm.raid().create(wide));
        var large = new NewRaidVolume(name, 1L << 40, new RaidLayout.Raid5(2), Set.of());
        assertThrows(LvmException.OutOfSpace.class, () -> lvm.raid().create(large));
        assertEquals(List.of(), lvm.volumes().all(OperationsGuest.VG));
        assertThrows(
                LvmException.NotFound.class,
                () -> lvm.raid().repair(Now.volume(lvm, name), List.of()));
        assertThrows(
                LvmException.NotFound.class,
                () -> lvm.raid().changeCopies(Now.volume(lvm, name), 2));
    }

    private void copies() throws Exception {
        var name = OperationsGuest.name("data");
        OperationsGuest.thick(lvm, "data", 32 * MIB);
        OperationsGuest.write("data", 2, CONTENT);
        for (int copies : new int[] {2, 3, 2, 1}) {
            var changed = lvm.raid().changeCopies(Now.volume(lvm, name), copies);
            assertEquals(copies > 1, changed.raid().isPresent(), changed.toString());
            if (copies > 1) {
                synced(name);
            }
            assertEquals(
                    changed.uuid(), lvm.raid().changeCopies(Now.volume(lvm, name), copies).uuid());
            int images = lvm.raid().find(name).map(raid -> raid.images().size()).orElse(1);
            assertEquals(copies, images);
            OperationsGuest.assertContent("data", 2, CONTENT);
        }
        lvm.volumes().remove(Now.volume(lvm, name));
        var five = new NewRaidVolume(name, 24 * MIB, new RaidLayout.Raid5(2), Set.of());
        lvm.raid().create(five);
        assertThrows(
                LvmException.InvalidArgument.class,
                () -> lvm.raid().changeCopies(Now.volume(lvm, name), 2));
        lvm.volumes().remove(Now.volume(lvm, name));
    }
}
