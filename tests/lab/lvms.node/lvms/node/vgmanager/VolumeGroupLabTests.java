package lvms.node.vgmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.tests.lab.machine.LabJvm;
import lvms.tests.lab.machine.NodeCase;
import lvms.tests.lab.machine.NodeOptions;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

/**
 * On a real device-mapper: volume group and thin pool come out of blank disks, whatever the pass
 * was cut by; a disk that is not free is not changed by a byte; and removal leaves blank disks.
 */
@Lasts(seconds = 120)
@FullOnly("LoopDiskTests have the same passes without a device-mapper")
class VolumeGroupLabTests extends NodeCase {
    private static final long MIB = 1L << 20;
    private static final int ENDLESS = 20;
    private static final Duration DEADLINE = Duration.ofMinutes(3);
    private static final String THIN =
            """
            {"deviceSelector": {"paths": ["/dev/ubdb", "/dev/ubdc"]},
             "thinPoolConfig": {"name": "pool", "sizePercent": 90, "overprovisionRatio": 10}}\
            """;

    VolumeGroupLabTests() {
        super(NodeOptions.named("node1", List.of(256 * MIB, 256 * MIB, 128 * MIB)));
    }

    private String run(String verb, String name, String spec, int steps) throws Exception {
        var jvm = LabJvm.heap(128);
        var command = jvm.command(DiskProgram.class, verb, name, spec, Integer.toString(steps));
        return node.run(command, DEADLINE).require(verb + " " + name);
    }

    private String converge(String name, String spec) throws Exception {
        return run("converge", name, spec, ENDLESS);
    }

    private void remove(String name, String spec) throws Exception {
        var output = run("remove", name, spec, ENDLESS);
        assertTrue(output.contains("settled"), output);
    }

    private void assertBlank(String... devices) throws Exception {
        for (var device : devices) {
            assertEquals("", node.shell("blkid -p " + device + " || true"), device);
        }
    }

    @Test
    void groupAndPoolAreMadeGrowAndGo() throws Exception {
        var one = THIN.replace(", \"/dev/ubdc\"", "");
        var made = converge("vg1", one);
        assertTrue(made.contains("step CreateGroup\nstep CreatePool\nsettled"), made);
        assertEquals("lvms", node.shell("vgs --noheadings -o vg_tags vg1 | tr -d ' \\n'"));
        assertEquals(
                "twi-a-tz--131072",
                node.shell(
                        "lvs --noheadings --units b --nosuffix -o lv_attr,chunk_size vg1/pool"
                                + " | tr -d ' \\n'"));

        var grown = converge("vg1", THIN);
        assertTrue(grown.contains("step ExtendGroup\nstep ExtendPool\nsettled"), grown);
        assertTrue(converge("vg1", THIN).matches("engine \\w+\nsettled\n(?s:.*)"));

        node.shell("vgchange -q -an vg1");
        var woken = converge("vg1", THIN);
        assertTrue(woken.contains("step ActivatePool\nsettled"), woken);

        remove("vg1", THIN);
        assertBlank("/dev/ubdb", "/dev/ubdc");
    }

    @Test
    void aPassThatIsCutAfterAnyStepIsFinishedByTheNext() throws Exception {
        for (int cut = 1; cut <= 2; cut++) {
            run("converge", "cut", THIN, cut);
            assertTrue(converge("cut", THIN).contains("settled"));
            run("remove", "cut", THIN, cut);
            remove("cut", THIN);
            assertBlank("/dev/ubdb", "/dev/ubdc");
        }
    }

    @Test
    void aPowerCutInAStepIsFinishedByTheNextPass() throws Exception {
        run("converge", "power", THIN, 1);
        node.powerCut();
        node.boot();
        assertTrue(converge("power", THIN).contains("settled"));
        remove("power", THIN);
        assertBlank("/dev/ubdb", "/dev/ubdc");
    }

    @Test
    void aGroupWithAVolumeStays() throws Exception {
        converge("kept", THIN);
        node.shell("lvcreate -q -y -V 16M -n data kept/pool");
        var output = run("remove", "kept", THIN, ENDLESS);
        assertTrue(output.contains("ManualCleanupRequired"), output);
        assertTrue(output.contains("kept/data"), output);
        node.shell("lvs kept/data >/dev/null && lvremove -q -y kept/data");
        remove("kept", THIN);
    }

    @Test
    void aDiskWithAFilesystemIsNotChanged() throws Exception {
        node.shell("mkfs.ext4 -q /dev/ubdd");
        untouched("has a filesystem signature \"ext4\"");
    }

    @Test
    void aMountedDiskIsNotChanged() throws Exception {
        node.shell("mkfs.ext4 -q /dev/ubdd && mount -o ro,noload /dev/ubdd /mnt");
        try {
            untouched("is in use: mounted at /mnt");
        } finally {
            node.shell("umount /mnt");
        }
    }

    @Test
    void aDiskWithPartitionsIsNotChanged() throws Exception {
        node.shell(
                """
                perl -e 'print "\\0" x 446, pack("C4C4VV", 0,0,0,0, 0x83,0,0,0, 2048, 65536),\
                 "\\0" x 48, "\\x55\\xaa"' | dd of=/dev/ubdd conv=fsync status=none &&
                blockdev --rereadpt /dev/ubdd && mkfs.ext4 -q /dev/ubdd1\
                """);
        untouched("has a partition table \"dos\"");
    }

    /** As a virtual machine does on its raw disk: nothing on it that is known, and no O_EXCL. */
    @Test
    @Safety(8)
    void aDiskThatAProgramWritesToIsNotChanged() throws Exception {
        int writer = node.start("writer.log", List.of("sh", "-c", "exec sleep 600 9<>/dev/ubdd"));
        try {
            untouched("is in use: open for writing in sleep");
        } finally {
            node.shell("kill " + writer);
        }
    }

    /** Nothing that libblkid knows, but something; only who names the disk takes it. */
    @Test
    @Safety(8)
    void aDiskWithUnknownDataIsNotTakenByAClassThatNamesNone() throws Exception {
        node.shell("dd if=/dev/urandom of=/dev/ubdd bs=512 seek=100 count=1 conv=fsync");
        var sum = node.shell("sync; sha256sum /dev/ubdd");
        var others = converge("unknown", "{}");
        assertTrue(others.contains("settled"), others);
        assertTrue(others.contains("/dev/ubdd has data in its first or last MiB"), others);
        assertEquals(sum, node.shell("sync; sha256sum /dev/ubdd"));
        remove("unknown", "{}");
        node.shell("dd if=/dev/zero of=/dev/ubdd bs=512 seek=100 count=1 conv=fsync");
    }

    @Test
    void aPhysicalVolumeOfAForeignGroupIsNotChanged() throws Exception {
        node.shell("vgcreate -q -y foreign /dev/ubdd && lvcreate -q -y -L 16M -n data foreign");
        try {
            untouched("is a physical volume of volume group \"foreign\"");
        } finally {
            node.shell("vgremove -q -f -y foreign && pvremove -q -y /dev/ubdd");
        }
    }

    /** Whether the user named it or not. */
    private void untouched(String reason) throws Exception {
        var sum = node.shell("sync; sha256sum /dev/ubdd");
        var named = "{\"deviceSelector\": {\"paths\": [\"/dev/ubdd\"]}}";
        var refused = converge("bad", named);
        assertTrue(refused.contains("blocked DevicePathCheckFailed"), refused);
        assertTrue(refused.contains("excluded") && refused.contains(reason), refused);
        var others = converge("bad", "{}");
        assertTrue(others.contains("settled") && others.contains(reason), others);
        remove("bad", "{}");
        assertFalse(node.run("vgs", "bad").succeeded());
        assertEquals(sum, node.shell("sync; sha256sum /dev/ubdd"));
        node.shell("mountpoint -q /mnt || vgs foreign >/dev/null 2>&1 || wipefs -qa /dev/ubdd");
    }
}
