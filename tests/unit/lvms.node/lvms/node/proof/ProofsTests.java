package lvms.node.proof;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.nativestor.DeviceTenancy;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvAttributes;
import lvms.lvm2.LvDetails;
import lvms.lvm2.LvName;
import lvms.lvm2.label.DeviceData;
import lvms.node.disk.TestLvm;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;

/** What may be destroyed, and what not. DeviceContentTests has the cases of formatting. */
class ProofsTests {
    private static final String UID = "0e3b4c5d-1111-2222-3333-444455556666";
    private static final LvName VOLUME = new LvName("vg1", UID);

    private static VolumeRemoval removal(String name, String tag, boolean typeInUse) {
        return new VolumeRemoval(
                "pvc-1",
                Set.of(UID),
                Optional.of(new LvName("vg1", name)),
                Set.of(tag),
                Optional.empty(),
                typeInUse);
    }

    @Test
    void aVolumeOfItsObjectIsRemoved() {
        assertEquals(Optional.empty(), Proofs.remove(removal(UID, "lvms.volume=pvc-1", true)));
        assertEquals(Optional.empty(), Proofs.remove(removal(UID, "of.somebody", true)));
    }

    @Test
    void aVolumeWithTheTagOfAnotherObjectStays() {
        assertEquals(
                Optional.of(VOLUME + " has the tag of another volume: pvc-2"),
                Proofs.remove(removal(UID, "lvms.volume=pvc-2", true)));
    }

    @Test
    void aVolumeOfAnotherNameStays() {
        assertTrue(Proofs.remove(removal("data", "lvms.volume=pvc-1", true)).isPresent());
    }

    @Test
    void deletingTheTypeRemovesNoVolume() {
        assertTrue(Proofs.remove(removal(UID, "lvms.volume=pvc-1", false)).isPresent());
        var gone =
                new VolumeRemoval(
                        "pvc-1", Set.of(UID), Optional.empty(), Set.of(), Optional.empty(), false);
        assertTrue(Proofs.remove(gone).isPresent());
    }

    @Test
    void aClientOfLvmdRemovesNoPoolAndNoPlainNameOfAnUnknownClass() {
        assertTrue(Proofs.remove(named("data", false, false)).isPresent());
        assertTrue(Proofs.remove(named("pool", true, true)).isPresent());
        assertEquals(Optional.empty(), Proofs.remove(named("data", true, false)));
        assertEquals(Optional.empty(), Proofs.remove(named(UID, false, false)));
    }

    @Test
    @Safety(17)
    void onlyNewOrRemovedVolumesThatNobodyHasOpenAreErased() {
        assertEquals(Optional.empty(), Proofs.erase(new ContentRemoval(VOLUME, true, false, 0)));
        assertEquals(Optional.empty(), Proofs.erase(new ContentRemoval(VOLUME, false, true, 0)));
        assertTrue(Proofs.erase(new ContentRemoval(VOLUME, false, false, 0)).isPresent());
        assertTrue(Proofs.erase(new ContentRemoval(VOLUME, true, true, 1)).isPresent());
    }

    private static NamedRemoval named(String name, boolean classKnown, boolean pool) {
        return new NamedRemoval(new LvName("vg1", name), "ssd", classKnown, name.equals(UID), pool);
    }

    private static Optional<String> wipe(boolean unused, Duration age) {
        var now = Instant.parse("2026-01-02T03:04:05Z");
        return Proofs.wipe(new NewVolumeWipe(VOLUME, unused, Optional.of(now.minus(age)), now));
    }

    @Test
    @Safety(2)
    void onlyAVolumeThatWasJustMadeIsWiped() {
        assertEquals(Optional.empty(), wipe(true, Duration.ofMinutes(2)));
        assertTrue(wipe(true, Duration.ofMinutes(11)).isPresent());
        assertTrue(wipe(true, Duration.ofMinutes(-11)).isPresent(), "the clock was set back");
        assertTrue(wipe(false, Duration.ZERO).isPresent());
        var unknown = new NewVolumeWipe(VOLUME, true, Optional.empty(), Instant.EPOCH);
        assertTrue(Proofs.wipe(unknown).isPresent());
    }

    private static LogicalVolume lv(String uuid, Instant created, String tag) {
        return new LogicalVolume(
                VOLUME,
                uuid,
                Optional.empty(),
                1 << 22,
                LvAttributes.parse("-wi-a-----"),
                OptionalInt.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                0,
                Optional.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                0,
                Set.of(),
                "",
                "",
                new LvDetails.Plain(),
                Set.of(tag),
                Optional.of(created));
    }

    @Test
    @Safety(13)
    void onlyWhatTheCallItselfMadeIsTakenBack() {
        var begun = Instant.parse("2026-01-02T03:04:05Z");
        var tags = Set.of("t");
        var there = lv("u1", begun, "t");
        var made = Optional.of("u1");
        var none = Optional.<String>empty();
        assertEquals(Optional.empty(), Proofs.undo(new HalfMade(there, made, tags, begun)));
        assertEquals(Optional.empty(), Proofs.undo(new HalfMade(there, none, tags, begun)));
        var other = lv("u2", begun, "t");
        assertTrue(Proofs.undo(new HalfMade(other, made, tags, begun)).isPresent());
        var older = lv("u1", begun.minusSeconds(1), "t");
        assertTrue(Proofs.undo(new HalfMade(older, none, tags, begun)).isPresent());
        var tagged = lv("u1", begun, "x");
        assertTrue(Proofs.undo(new HalfMade(tagged, none, tags, begun)).isPresent());
    }

    @Test
    @Safety({13, 14})
    void aVolumeIsGivenBackToItsOwnObjectOnly() {
        var mine = Optional.of(lv("u1", Instant.EPOCH, "lvms.volume=pvc-1"));
        assertEquals(
                Optional.empty(),
                Proofs.adopt(new Adoption("pvc-1", VOLUME, mine, Optional.empty())));
        var tagged = new Adoption("pvc-2", VOLUME, mine, Optional.empty());
        assertTrue(Proofs.adopt(tagged).isPresent());
        var held = new Adoption("pvc-1", VOLUME, mine, Optional.of("pvc-3"));
        assertTrue(Proofs.adopt(held).isPresent());
    }

    @Test
    void aDeviceInUseIsNotWritten() {
        assertTrue(Proofs.write(new DeviceUse("/dev/dm-3", false)).isPresent());
        assertEquals(Optional.empty(), Proofs.write(new DeviceUse("/dev/dm-3", true)));
    }

    private static final DeviceTenancy HAD = new DeviceTenancy("b1", 7, 4096);
    private static final DeviceData.Start START = new DeviceData.Start("d1", false);

    private static boolean erased(RawDeviceErasure evidence) {
        return Proofs.erase(evidence).isEmpty();
    }

    private static RawDeviceErasure ofPlace(Optional<DeviceTenancy> had, DeviceTenancy now) {
        return new RawDeviceErasure(true, had, now, Optional.of("d1"), START, Optional.empty());
    }

    /** Two equal disks may have exchanged their slots while the machine was off. */
    @Test
    @Safety(51)
    void aDiskThatIsKnownByItsPlaceIsErasedOnlyInTheBootInWhichAVolumeGotIt() {
        assertTrue(erased(ofPlace(Optional.of(HAD), HAD)));
        var booted = new DeviceTenancy("b2", 7, 4096);
        assertFalse(erased(ofPlace(Optional.of(HAD), booted)));
        assertFalse(erased(ofPlace(Optional.of(HAD), new DeviceTenancy("b1", 8, 4096))));
        assertFalse(erased(ofPlace(Optional.empty(), HAD)), "by an agent that noted nothing");
        var unnumbered = new DeviceTenancy("b1", 0, 4096);
        assertFalse(erased(ofPlace(Optional.of(unnumbered), unnumbered)), "a kernel before 5.15");
    }

    private static RawDeviceErasure known(long sizeBytes, DeviceData.Start start) {
        var now = new DeviceTenancy("b2", 3, sizeBytes);
        return new RawDeviceErasure(
                false, Optional.of(HAD), now, Optional.of("d1"), start, Optional.empty());
    }

    @Test
    @Safety(51)
    void aDiskWithAMarkIsErasedIfItsSizeAndWhatAVolumeLeftAreTheSame() {
        assertTrue(erased(known(4096, START)));
        assertFalse(erased(known(8192, START)), "a partition that was made again");
        assertFalse(erased(known(4096, new DeviceData.Start("d2", false))));
        assertTrue(erased(known(4096, new DeviceData.Start("d0", true))), "its erasure has begun");
    }

    @Test
    @Safety(51)
    void aPersonConfirmsTheDiskThatIsThereAndNoOther() {
        var now = new DeviceTenancy("b2", 7, 4096);
        for (var told : List.of(now, HAD)) {
            var evidence =
                    new RawDeviceErasure(
                            true,
                            Optional.of(HAD),
                            now,
                            Optional.of("d2"),
                            START,
                            Optional.of(told.text()));
            assertEquals(told.equals(now), erased(evidence));
        }
    }

    @Test
    @Safety(8)
    void aDiskIsTakenOnlyIfItIsTheSameAndNobodyUsesIt() {
        assertEquals(
                Optional.empty(), Proofs.take(new DiskTaking("/dev/sdb", true, false, List.of())));
        assertEquals(
                Optional.of("/dev/sdb is gone, or another disk has its name by now"),
                Proofs.take(new DiskTaking("/dev/sdb", false, false, List.of())));
        assertEquals(
                Optional.of("/dev/sdb is locked by another program"),
                Proofs.take(new DiskTaking("/dev/sdb", true, true, List.of())));
        assertEquals(
                Optional.of("/dev/sdb is in use as swap"),
                Proofs.take(new DiskTaking("/dev/sdb", true, false, List.of("is in use as swap"))));
    }

    @Test
    @Safety(10)
    void theFileOfALoopDeviceGoesOnlyIfItsDiskIsFree() {
        assertEquals(Optional.empty(), Proofs.remove(file(true, List.of())));
        assertEquals(
                Optional.of("/f stays: /dev/loop3 is mounted at /mnt"),
                Proofs.remove(file(true, List.of("is mounted at /mnt"))));
        assertTrue(Proofs.remove(file(false, List.of())).isPresent());
        assertEquals(
                Optional.of("/f stays: it is no disk of this node, so nobody knows what is on it"),
                Proofs.remove(new LoopFileRemoval("/f", Optional.empty())));
    }

    private static LoopFileRemoval file(boolean same, List<String> obstacles) {
        var disk = new DiskTaking("/dev/loop3", same, false, obstacles);
        return new LoopFileRemoval("/f", Optional.of(disk));
    }

    @Test
    void aLabelGoesOnlyIfWeTookItOutOfItsGroup() {
        var orphan = TestLvm.pv("/dev/sdb", "", 1, 1);
        var uuid = orphan.uuid();
        assertEquals(Optional.empty(), Proofs.remove(new LabelRemoval(orphan, Set.of(uuid))));
        assertTrue(Proofs.remove(new LabelRemoval(orphan, Set.of())).isPresent());
        var member = TestLvm.pv("/dev/sdb", "vg1", 1, 1);
        assertTrue(Proofs.remove(new LabelRemoval(member, Set.of(uuid))).isPresent());
    }
}
