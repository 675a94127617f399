package lvms.api.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.disk.DeviceClaims.Claimant;
import lvms.api.disk.DeviceSelection.SelectedPath;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Of two classes that want one disk, every pass of every class finds the same winner. */
class DeviceClaimsTests {
    private static final List<String> SDB = List.of("/dev/sdb");
    private static final Instant OLD = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant YOUNG = Instant.parse("2026-02-01T00:00:00Z");

    private static Claimant naming(String name, Instant created, String kernelName) {
        var path = new SelectedPath("/dev/disk/by-id/x", Optional.of(kernelName));
        return new Claimant(name, created, new DeviceSelection(List.of(path), List.of()), false);
    }

    private static Claimant taking(String name, Instant created) {
        return new Claimant(name, created, DeviceSelection.EVERYTHING, true);
    }

    private static Optional<String> winner(Claimant... claimants) {
        var forwards = new ArrayList<>(List.of(claimants));
        var winner = DeviceClaims.of(forwards, SDB).ownerOf("/dev/sdb");
        Collections.reverse(forwards);
        assertEquals(winner, DeviceClaims.of(forwards, SDB).ownerOf("/dev/sdb"));
        return winner;
    }

    @Test
    void aNamedDeviceGoesToTheClassThatNamesIt() {
        assertEquals(
                Optional.of("young"),
                winner(taking("old", OLD), naming("young", YOUNG, "/dev/sdb")));
    }

    @Test
    void theOlderClassWins() {
        assertEquals(Optional.of("z"), winner(taking("a", YOUNG), taking("z", OLD)));
    }

    @Test
    void theNameDecidesBetweenClassesOfOneAge() {
        assertEquals(
                Optional.of("a"),
                winner(naming("b", OLD, "/dev/sdb"), naming("a", OLD, "/dev/sdb")));
    }

    @Test
    void aClassThatIsCompleteClaimsNothingMore() {
        var complete = new Claimant("a", OLD, DeviceSelection.EVERYTHING, false);
        assertEquals(Optional.of("b"), winner(complete, taking("b", YOUNG)));
    }

    @Test
    void nobodyOwnsWhatNobodyWants() {
        assertEquals(Optional.empty(), winner(naming("a", OLD, "/dev/sdc")));
    }
}
