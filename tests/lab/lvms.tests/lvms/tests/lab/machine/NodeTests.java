package lvms.tests.lab.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.tests.runner.FullOnly;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A node is a real machine: its disks outlive its power, its commands end, its cable can be cut.
 */
@FullOnly("a lab that does not work fails every test in it")
class NodeTests {
    private static final long MIB = 1L << 20;

    @TempDir static Path folder;
    private static Lab lab;
    private static Node first;
    private static Node second;

    @BeforeAll
    static void boot() throws Exception {
        lab = Lab.inFolder(folder);
        first = lab.add(NodeOptions.named("node1", List.of(256 * MIB, 256 * MIB)));
        second = lab.add(NodeOptions.named("node2", List.of(256 * MIB)).withUdev());
        first.boot();
        second.boot();
    }

    @AfterAll
    static void end() {
        lab.close();
    }

    @Test
    void aGuestStaysOnAProcessorThatThisMachineMayUse() throws Exception {
        var status = List.of("Cpus_allowed:\t1d", "Cpus_allowed_list:\t0,2-4");
        assertEquals(List.of(0, 2, 3, 4), Processor.allowed(status));
        var own = Processor.allowed(Files.readAllLines(Path.of("/proc/self/status")));
        assertTrue(own.contains(Processor.of(own.size()).number()));
    }

    @Test
    void aCommandGivesItsStatusAndBothOutputs() throws Exception {
        var result = first.run("sh", "-c", "hostname; echo wrong >&2; exit 3");
        assertEquals(new CommandResult(3, "node1\n", "wrong\n"), result);
    }

    @Test
    void aCommandThatHangsIsKilledWithItsChildren() throws Exception {
        var hang = List.of("sh", "-c", "sleep 4711; true");
        assertThrows(IOException.class, () -> first.run(hang, Duration.ofMillis(500)));
        first.shell("while pgrep -fx 'sleep 4711' >/dev/null; do sleep 0.1; done");
    }

    @Test
    void aThinVolumeSurvivesAPowerCut() throws Exception {
        first.shell(
                """
                vgcreate -q -y cut /dev/ubdb && lvcreate -q -y -T -L 128M cut/pool -Zn &&
                lvcreate -q -y -V 64M -n data cut/pool && mkfs.ext4 -q /dev/cut/data &&
                mount /dev/cut/data /mnt && echo kept >/mnt/file && sync /mnt/file\
                """);
        first.powerCut();
        assertFalse(first.running());
        first.boot();
        var content = "vgchange -q -ay cut >/dev/null && mount /dev/cut/data /mnt && cat /mnt/file";
        assertEquals("kept", first.shell(content));
        first.shell("umount /mnt && vgremove -q -y -f cut");
    }

    @Test
    void aDiskCanBeAddedAndRemovedWhileTheNodeRuns() throws Exception {
        var disk = second.addDisk(64 * MIB);
        assertEquals("67108864", second.shell("blockdev --getsize64 " + disk.device()));
        second.removeDisk(disk);
        assertFalse(second.run("blockdev", "--getsize64", disk.device()).succeeded());
    }

    @Test
    void nodesReachEachOtherUntilACableIsPulled() throws Exception {
        var ask =
                "perl -MSocket -e 'socket(S,PF_INET,SOCK_STREAM,0); alarm 3;"
                        + " exit(connect(S,sockaddr_in(7,inet_aton(q("
                        + second.address()
                        + ")))) ? 0 : 1)'";
        assertTrue(first.run("sh", "-c", ask).succeeded());
        second.connect(false);
        assertFalse(first.run("sh", "-c", ask).succeeded());
        second.connect(true);
        assertTrue(first.run("sh", "-c", ask).succeeded());
    }

    @Test
    void filesGoBothWays() throws Exception {
        Files.writeString(first.share().resolve("there"), "to the node");
        first.shell("cat /run/lab/share/there >/run/lab/share/back");
        assertEquals("to the node", Files.readString(first.share().resolve("back")));
    }

    @Test
    void udevAnswersCookiesWhereItRuns() throws Exception {
        second.shell("vgcreate -q -y withudev /dev/ubdb && lvcreate -q -y -L 16M -n lv withudev");
        assertTrue(second.shell("ls -l /dev/withudev/lv").contains("-> ../dm-"));
        second.shell("vgremove -q -y -f withudev");
    }
}
