package lvms.launcher.flag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import lvms.operator.volume.SizeRules;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/** The smallest volumes are those that the flags say; a negative size is none. */
class AllocationFlagsTests {
    private static final long MIB = 1L << 20;

    private static SizeRules read(String... words) throws UsageException {
        return AllocationFlags.read(Flags.parse(AllocationFlags.flags(), List.of(words)));
    }

    @Test
    void aNegativeSizeMeansNone() throws Exception {
        var rules = read("--minimum-allocation-block=-1", "--minimum-allocation-xfs=-4Mi");
        assertEquals(0, rules.minimumBlockBytes());
        assertEquals(
                Map.of("ext4", 32 * MIB, "xfs", 0L, "btrfs", 200 * MIB),
                rules.minimumFilesystemBytes());
    }

    @Test
    void aSizeThatIsNoneIsRefused() {
        var refusal =
                assertThrows(UsageException.class, () -> read("--minimum-allocation-ext4=much"));
        assertEquals(
                "flag --minimum-allocation-ext4=much: must be a size such as 32Mi",
                refusal.getMessage());
    }
}
