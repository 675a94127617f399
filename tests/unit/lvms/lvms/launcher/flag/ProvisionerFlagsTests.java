package lvms.launcher.flag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import lvms.operator.ProvisionerSettings;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    @Test
    void volumesAreNamedAsExternalProvisionerNamesThem() throws Exception {
        assertEquals("pvc", read().volumeNamePrefix());
        assertEquals(-1, read().volumeNameUuidLength());
        assertEquals(
                ProvisionerSettings.DEFAULT.named("disk", 12),
                read("--volume-name-prefix=disk", "--volume-name-uuid-length=12"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "--volume-name-prefix=Disk | names of volumes: \"Disk\" cannot begin a name of"
                        + " Kubernetes: use a-z, 0-9 and -",
                "--volume-name-prefix= | names of volumes: \"\" cannot begin a name of Kubernetes:"
                        + " use a-z, 0-9 and -",
                "--volume-name-uuid-length=0 | names of volumes: 0 is neither -1, for the whole"
                        + " UID, nor from 1 to 32",
                "--volume-name-uuid-length=33 | names of volumes: 33 is neither -1, for the whole"
                        + " UID, nor from 1 to 32",
                "--volume-name-uuid-length=all | --volume-name-uuid-length=all: must be a number",
            })
    void aNameThatNobodyCouldHaveIsRefusedInOneLine(String flag, String line) {
        assertEquals(line, assertThrows(UsageException.class, () -> read(flag)).getMessage());
    }
}
