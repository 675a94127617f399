package lvms.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import lvms.launcher.flag.Flags;
import lvms.launcher.flag.UsageException;
import lvms.operator.ProvisionerSettings;

import org.junit.jupiter.api.Test;

import java.util.List;

/** The operator takes external-provisioner's flags, and refuses what no node could do. */
class ProvisionerFlagsTests {
    private static ProvisionerSettings read(String... words) throws UsageException {
        return ProvisionerFlags.read(Flags.parse(ProvisionerFlags.ALL, List.of(words)));
    }

    @Test
    void readsTheFlags() throws Exception {
        assertEquals(ProvisionerSettings.DEFAULT, read());
        assertEquals(
                new ProvisionerSettings("xfs", true, true),
                read(
                        "--default-fstype=xfs",
                        "--capacity-for-immediate-binding",
                        "--cross-namespace-volume-data-source"));
    }

    @Test
    void aFilesystemThatNoNodeCanMakeIsRefusedByName() {
        var failure = assertThrows(UsageException.class, () -> read("--default-fstype=ntfs"));
        assertEquals(
                "--default-fstype needs one of ext4, xfs, btrfs, not ntfs", failure.getMessage());
    }
}
