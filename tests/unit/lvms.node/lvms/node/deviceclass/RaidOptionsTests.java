package lvms.node.deviceclass;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.RaidConfig;
import lvms.api.RaidType;
import lvms.k8s.object.Quantity;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** RAID options of lvcreate(8): written, read back, and the devices they need. */
class RaidOptionsTests {
    private static RaidGoal raid(RaidType type, int mirrors, int stripes) {
        return new RaidGoal(
                new RaidConfig(
                        type,
                        mirrors == 0 ? OptionalInt.empty() : OptionalInt.of(mirrors),
                        stripes == 0 ? OptionalInt.empty() : OptionalInt.of(stripes),
                        Optional.empty()));
    }

    @ParameterizedTest(name = "{0} mirrors={1} stripes={2}: {3}")
    @CsvSource({
        "RAID1, 0, 0, --type raid1 -m 1",
        "RAID1, 2, 0, --type raid1 -m 2",
        "RAID10, 1, 3, --type raid10 -m 1 --stripes 3",
        "RAID4, 0, 0, --type raid4",
        "RAID5, 0, 4, --type raid5 --stripes 4",
        "RAID6, 0, 3, --type raid6 --stripes 3"
    })
    void writesTheOptionsAndReadsTheirLayoutBack(
            RaidType type, int mirrors, int stripes, String options) {
        var goal = raid(type, mirrors, stripes);
        assertEquals(List.of(options.split(" ")), goal.lvcreateOptions());
        assertEquals(Optional.of(goal.shape()), RaidOptions.shapeOf(goal.lvcreateOptions()));
    }

    @Test
    void writesTheStripeSizeInKibibytes() {
        var config =
                new RaidConfig(
                        RaidType.RAID5,
                        OptionalInt.empty(),
                        OptionalInt.empty(),
                        Optional.of(Quantity.parse("64Ki")));
        assertEquals(
                List.of("--type", "raid5", "--stripesize", "64k"),
                new RaidGoal(config).lvcreateOptions());
    }

    @ParameterizedTest
    @CsvSource({"--type=raid1 -m1, 2, 1", "--type raid5 -i 3, 4, 3", "--type=raid1, 2, 1"})
    void readsEachSpelling(String options, int images, int dataImages) {
        assertEquals(
                Optional.of(new RaidShape(images, dataImages)),
                RaidOptions.shapeOf(List.of(options.split(" "))));
    }

    @ParameterizedTest
    @CsvSource({"--type striped", "--addtag raid1", "--type raid1 -m x"})
    void seesNoLayoutWhereThereIsNone(String options) {
        assertEquals(Optional.empty(), RaidOptions.shapeOf(List.of(options.split(" "))));
    }

    @ParameterizedTest(name = "{0} mirrors={1} stripes={2} on {3} devices: {4}")
    @CsvSource({
        "RAID1, 0, 0, 1, 'raid1 requires at least 2 devices, got 1'",
        "RAID1, 0, 0, 2, ''",
        "RAID1, 2, 0, 2, 'raid1 requires at least 3 devices, got 2'",
        "RAID5, 0, 0, 2, 'raid5 requires at least 3 devices, got 2'",
        "RAID5, 0, 3, 4, ''",
        "RAID6, 0, 0, 4, 'raid6 requires at least 5 devices, got 4'",
        "RAID10, 0, 0, 4, ''",
        "RAID10, 0, 3, 4, 'raid10 requires at least 6 devices, got 4'",
        "RAID10, 0, 0, 5, 'raid10 requires a number of devices divisible by 2, got 5'"
    })
    void countsDevices(RaidType type, int mirrors, int stripes, int devices, String problem) {
        assertEquals(problem, raid(type, mirrors, stripes).problemWith(devices).orElse(""));
    }
}
