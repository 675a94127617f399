package lvms.api.filesystem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.StatusCode;
import lvms.api.VolumeException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

/** A StorageClass may shape a filesystem, and nothing else than the filesystem of its volume. */
class MkfsOptionsTests {
    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "ext4  | -b 1024 -i 65536 -I 256 -m 1",
                "''    | -m 0.5 -N 100000",
                "ext4  | -E lazy_itable_init=0,nodiscard,stride=16,stripe-width=64",
                "ext4  | -O ^has_journal,bigalloc -C 16k",
                "ext4  | -J size=64 -e remount-ro",
                "xfs   | -K -m reflink=0,rmapbt=1 -i size=1024,maxpct=50",
                "xfs   | -d su=64k,sw=4 -l size=64m -b size=4k -n size=8192 -s size=4096",
                "btrfs | -K -m single -d dup -n 32k -O ^no-holes,raid56",
            })
    void whatShapesTheFilesystemIsAllowed(String type, String text) throws Exception {
        assertEquals(List.of(text.split(" ")), MkfsOptions.of(type, text).words());
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "ext4  | -J device=/dev/sdb",
                "ext4  | -O journal_dev",
                "ext4  | -O extent,journal_dev",
                "ext4  | -d /etc",
                "ext4  | -n",
                "ext4  | -S",
                "ext4  | -e panic",
                "ext4  | -E offset=1048576",
                "ext4  | -E assume_storage_prezeroed=1",
                "ext4  | -L data",
                "ext4  | -b 65536",
                "ext4  | -m 51",
                "ext4  | -z /tmp/undo",
                "ext4  | /dev/sdb",
                "ext4  | -b 4096 100",
                "ext4  | -b4096",
                "ext4  | -O extent;reboot",
                "ext4  | -O $(reboot)",
                "xfs   | -l logdev=/dev/sdb",
                "xfs   | -r rtdev=/dev/sdb",
                "xfs   | -d name=/dev/sdb",
                "xfs   | -d agcount=4,file",
                "xfs   | -d size=1g",
                "xfs   | -c options=/etc/passwd",
                "xfs   | -p /etc/passwd",
                "xfs   | -m uuid=c1b9d5a2-f162-11cf-9ece-0020afc76f16",
                "xfs   | -N",
                "xfs   | -b 4096",
                "btrfs | -r /etc",
                "btrfs | /dev/sdb",
                "btrfs | -m raid1",
                "btrfs | -O list-all",
                "btrfs | -O zoned",
                "btrfs | -b 1g",
                "btrfs | -K yes",
                "vfat  | -F 32",
            })
    void whatReachesFurtherIsRefused(String type, String text) {
        var failure = assertThrows(VolumeException.class, () -> MkfsOptions.of(type, text));
        assertEquals(StatusCode.INVALID_ARGUMENT, failure.code());
    }

    @Test
    void aRefusalSaysWhatIsWrongAndWhereToChangeIt() {
        assertEquals(
                "-L is not one of the options -K, -b, -d, -i, -l, -m, -n, -s of xfs; change"
                        + " lvms.topolvm.io/mkfs-options of the StorageClass",
                refusal("xfs", "-L x"));
        assertEquals(
                "panic cannot be -e of ext4; change lvms.topolvm.io/mkfs-options of the"
                        + " StorageClass",
                refusal("", "-e panic"));
        assertEquals(
                "-b needs a value; change lvms.topolvm.io/mkfs-options of the StorageClass",
                refusal("ext4", "-b"));
        assertEquals(1, refusal("ext4", "-b\n-O\n" + "x".repeat(600)).lines().count());
    }

    private static String refusal(String type, String text) {
        return assertThrows(VolumeException.class, () -> MkfsOptions.of(type, text)).getMessage();
    }

    @Test
    void blanksAloneAreNoOptions() throws Exception {
        assertTrue(MkfsOptions.of("xfs", "  ").words().isEmpty());
        assertEquals(List.of("-K"), MkfsOptions.of("xfs", "  -K ").words());
    }
}
