package lvms.lvm2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/** What an administrator adds to lvcreate shapes the volume and does nothing else. */
class LvcreateOptionsTests {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "--type raid1 -m 1",
                "--type=raid5 --stripes 2 --stripesize 64k",
                "-i2 -I64",
                "--nosync --alloc anywhere",
                "--addtag team=a --addtag=b",
                "-c 64k --chunksize=128k",
                "--profile thin-performance --metadataprofile=a.b",
                "-kn -k n --setactivationskip n"
            })
    void acceptsWhatShapesAVolume(String words) {
        assertEquals(words, LvcreateOptions.of(List.of(words.split(" "))).toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-n other",
                "--name=other",
                "--config global/umask=0",
                "--devices /dev/sda",
                "--addtag lvms.volume=x",
                "--addtag=lvms",
                "--addtag a@b",
                "--profile ../x",
                "-ky",
                "--setactivationskip=y",
                "-T vg/pool",
                "--type raid1 /dev/sda",
                "othervg",
                "-S all",
                "--nolocking",
                "-ff",
                "-L 1g",
                "-L1g",
                "--stripes",
                "--type -m",
                "--permission=r"
            })
    void refusesEverythingElse(String words) {
        var list = List.of(words.split(" "));
        assertThrows(IllegalArgumentException.class, () -> LvcreateOptions.of(list));
    }

    /** LVM wipes anyway, and refuses an option that it gets twice. */
    @Test
    void wipingIsNotAskedForTwice() {
        var options = List.of("-Wy", "-i2", "-Z", "y", "--zero=y", "--wipesignatures", "y");
        assertEquals("-i2", LvcreateOptions.of(options).toString());
    }

    @Safety(17)
    @ParameterizedTest
    @ValueSource(strings = {"-Zn", "-Z n", "--zero n", "--zero=n", "-Wn", "--wipesignatures=n"})
    void refusesToLeaveOldContentInANewVolume(String words) {
        var list = List.of(words.split(" "));
        assertThrows(IllegalArgumentException.class, () -> LvcreateOptions.of(list));
    }

    @Test
    void refusesWordsThatWouldBeReadAsSeveral() {
        assertThrows(
                IllegalArgumentException.class,
                () -> LvcreateOptions.of(List.of("--type", "raid1 --nolocking")));
    }
}
