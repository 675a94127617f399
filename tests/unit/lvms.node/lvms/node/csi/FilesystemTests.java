package lvms.node.csi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.Names;
import lvms.api.filesystem.MkfsOptions;
import lvms.node.format.XfsFeatures;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Arrays;

/** What the operator lets a claim ask for is what a node can make. */
class FilesystemTests {
    @Test
    void theOperatorKnowsThemAll() throws Exception {
        assertEquals(
                Names.FILESYSTEMS,
                Arrays.stream(Filesystem.values()).map(Filesystem::type).toList());
        assertEquals(Names.FILESYSTEMS.getFirst(), Filesystem.requested("").type());
    }

    /** RHEL 8 and 9, Ubuntu 20.04 and 22.04, Amazon Linux 2, Debian 13, and one that is unknown. */
    @ParameterizedTest(name = "Linux {0}")
    @CsvSource({
        "4.18.0-372.9.1.el8.x86_64, -i nrext64=0 -m rmapbt=0 -m bigtime=0 -m inobtcount=0",
        "5.4.0-216-generic, -i nrext64=0 -m rmapbt=0 -m bigtime=0 -m inobtcount=0",
        "5.10.226-214.880.amzn2.x86_64, -i nrext64=0 -m rmapbt=0 -m bigtime=0 -m inobtcount=0",
        "5.14.0-362.8.1.el9_3.aarch64, -i nrext64=0 -m rmapbt=0",
        "5.15.0-1, -i nrext64=0 -m rmapbt=0",
        "6.12.48+deb13-amd64, -i nrext64=0 -m rmapbt=0",
        "unknown, -i nrext64=0 -m rmapbt=0 -m bigtime=0 -m inobtcount=0",
    })
    void anXfsHasOnlyWhatTheKernelMounts(String kernel, String options) {
        assertEquals(options, String.join(" ", new XfsFeatures(kernel).words(MkfsOptions.NONE)));
    }

    @Test
    void whatTheClassSaysOfAFeatureCounts() throws Exception {
        var asked = MkfsOptions.of("xfs", "-m reflink=0,rmapbt=1 -i size=1024,nrext64=1");
        var old = new XfsFeatures("4.18.0");
        assertEquals("-m bigtime=0 -m inobtcount=0", String.join(" ", old.words(asked)));
        assertEquals("", String.join(" ", new XfsFeatures("6.12.48").words(asked)));
    }
}
