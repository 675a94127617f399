package lvms.node.proof;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.LvName;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
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

    @Test
    void aDeviceInUseIsNotWritten() {
        assertTrue(Proofs.write(new DeviceUse("/dev/dm-3", false)).isPresent());
        assertEquals(Optional.empty(), Proofs.write(new DeviceUse("/dev/dm-3", true)));
    }
}
