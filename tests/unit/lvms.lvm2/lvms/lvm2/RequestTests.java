package lvms.lvm2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/** A request that LVM could never fulfil is refused when it is made. */
class RequestTests {
    private static final LvName NAME = new LvName("vg", "lv");
    private static final LvName BAD = new LvName("vg", "snapshot1");
    private static final RaidLayout MIRROR = new RaidLayout.Raid1(2);
    private static final Path DISK = Path.of("/dev/sdb");

    static Stream<Executable> refused() {
        return Stream.of(
                () -> new RaidLayout.Raid1(1),
                () -> new RaidLayout.Raid1(11),
                () -> new RaidLayout.Raid4(1),
                () -> new RaidLayout.Raid5(64),
                () -> new RaidLayout.Raid6(2),
                () -> new RaidLayout.Raid10(1, 2),
                () -> new RaidLayout.Raid10(8, 9),
                () -> new NewRaidVolume(BAD, 512, MIRROR, Set.of()),
                () -> new NewRaidVolume(NAME, 513, MIRROR, Set.of()),
                () -> new NewRaidVolume(NAME, 512, MIRROR, Set.of("no tag")),
                () -> new NewRaidVolume(NAME, 512, MIRROR, OptionalLong.of(4096), Set.of()),
                () ->
                        new NewRaidVolume(
                                NAME,
                                512,
                                new RaidLayout.Raid5(2),
                                OptionalLong.of(5000),
                                Set.of()),
                () -> new NewThickSnapshot(NAME, "-x", 512, true, Set.of()),
                () -> new NewThickSnapshot(NAME, "x", 0, true, Set.of()),
                () -> new VolumeReduction(id(NAME), 0),
                () -> new VolumeReduction(id(BAD), 512),
                () -> new PoolSize.PercentOfFree(0),
                () -> new PoolSize.PercentOfFree(101),
                () -> new PoolSize.PercentOfGroup(-1),
                () -> new NewPhysicalVolume(Path.of("/etc/passwd")),
                () -> new NewPhysicalVolume(DISK, 1, false),
                () -> new PhysicalVolumeMove(id(DISK), List.of(Path.of("sdc"))),
                () -> new PhysicalVolumeMove(id(DISK), List.of(), Duration.ofMillis(999)),
                () -> new MissingReplacement(id("no/vg"), List.of(), false),
                () -> new MissingReplacement(id("vg"), List.of(Path.of("/dev/../etc")), false));
    }

    @ParameterizedTest
    @MethodSource
    void refused(Executable request) {
        assertThrows(IllegalArgumentException.class, request);
    }

    @Test
    void aLayoutSaysHowManyDevicesItNeeds() {
        assertEquals(3, new RaidLayout.Raid1(3).devices());
        assertEquals(3, new RaidLayout.Raid4(2).devices());
        assertEquals(4, new RaidLayout.Raid5(3).devices());
        assertEquals(5, new RaidLayout.Raid6(3).devices());
        assertEquals(6, new RaidLayout.Raid10(2, 3).devices());
    }

    private static <N> Identity<N> id(N name) {
        return new Identity<>(name, Now.NOBODY);
    }
}
