package lvms.node.doctor;

import static lvms.node.GuestShell.sh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;
import lvms.lvm2.system.Program;
import lvms.tests.lab.machine.LabJvm;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The commands for people, as processes on a machine with real volumes and real damage. */
class DoctorGuest {
    private static final long MIB = 1L << 20;

    @BeforeAll
    static void makeVolumes() throws Exception {
        sh("vgcreate -q -y sick /dev/ubdb && lvcreate -q -y -T -L 64M sick/pool");
        sh("lvcreate -q -y -T sick/pool -V 64M -n thin && lvcreate -q -y -L 8M -n thick sick");
    }

    @AfterAll
    static void removeThem() throws Exception {
        sh("vgremove -q -y -f sick");
    }

    private static Program.Result lvms(List<String> prefix, String... arguments) throws Exception {
        var jvm = LabJvm.heap(64).by(prefix.toArray(String[]::new));
        var command = jvm.command("lvms.launcher.Main", arguments);
        return Program.of(Duration.ofMinutes(1), command.toArray(String[]::new)).run();
    }

    /** Runs the doctor; returns the severity and the subject of what needs somebody to act. */
    private static List<String> doctor(int status) throws Exception {
        var result = lvms(List.of(), "doctor", "--local", "-o", "json");
        assertEquals(status, result.status(), result.toString());
        return StreamSupport.stream(
                        Json.parse(result.stdout())
                                .asObject()
                                .at("findings")
                                .asList()
                                .spliterator(),
                        false)
                .map(Tree::asObject)
                .map(
                        f ->
                                text(f, "severity")
                                        + " "
                                        + text(f, "subject")
                                        + ": "
                                        + text(f, "finding"))
                .filter(line -> !line.startsWith("note "))
                .toList();
    }

    private static String text(ObjectTree json, String key) {
        return json.at(key).asText();
    }

    private static String state() throws Exception {
        return sh(
                "vgs --noheadings -o vg_name,vg_seqno; dmsetup table; dmsetup info -c"
                        + " --noheadings");
    }

    @Test
    void aHealthyMachineIsShownAndNothingIsChanged() throws Exception {
        var before = state();
        var table = lvms(List.of(), "volumes", "--local");
        assertEquals(0, table.status(), table.toString());
        assertTrue(table.stdout().contains("sick/pool  64 MiB"), table.stdout());
        assertTrue(table.stdout().contains("sick/thick"), table.stdout());
        var json = lvms(List.of(), "volumes", "--local", "-o=json");
        var group = Json.parse(json.stdout()).asObject().list("volumeGroups").at(0).asObject();
        assertEquals(
                List.of(64 * MIB, 8 * MIB, 64 * MIB),
                Stream.of("pool", "thick", "thin").map(name -> sizeOf(group, name)).toList());
        assertEquals(List.of(), doctor(0));
        assertEquals(before, state());
    }

    private static long sizeOf(ObjectTree group, String name) {
        return StreamSupport.stream(group.at("logicalVolumes").asList().spliterator(), false)
                .map(Tree::asObject)
                .filter(volume -> text(volume, "name").equals(name))
                .findFirst()
                .orElseThrow()
                .at("sizeBytes")
                .number()
                .orElseThrow();
    }

    @Test
    void anAgentsPodSeesTheHostsLvm() throws Exception {
        var pod = "mount -t tmpfs none /etc/lvm && exec \"$@\"";
        var prefix = List.of("unshare", "-m", "sh", "-c", pod, "sh");
        var result = lvms(prefix, "doctor", "--local");
        assertEquals(0, result.status(), result.toString());
        assertTrue(
                result.stdout().contains("the host has LVM, so that one is used"), result.stdout());
        var table = lvms(prefix, "volumes", "--local");
        assertTrue(table.stdout().contains("sick/thin"), table.toString());
    }

    @Test
    void damageIsFound() throws Exception {
        sh("dd if=/dev/zero of=/dev/sick/thin bs=1M count=56 conv=fsync status=none");
        sh("dmsetup suspend sick-thick");
        assertEquals(
                List.of(
                        "error sick-thick: the device is suspended, and its I/O hangs",
                        "warning sick/pool: the pool's data is 87.5 % full"),
                doctor(1));
        sh("dmsetup resume sick-thick");
        sh("blkdiscard /dev/sick/thin");
        assertEquals(List.of(), doctor(0));
    }
}
