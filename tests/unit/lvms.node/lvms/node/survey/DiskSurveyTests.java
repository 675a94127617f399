package lvms.node.survey;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.disk.Disk;
import lvms.node.disk.Inventory;
import lvms.node.disk.KnownPv;
import lvms.node.disk.ListedPvs;
import lvms.node.disk.NodeDevice;
import lvms.node.disk.TestDevice;
import lvms.node.disk.TestLvm;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A survey tells what each disk is and whether it is free, and stays the same while pods come. */
class DiskSurveyTests {
    private static List<Disk> survey(List<KnownPv> pvs, TestDevice... devices) {
        return survey(_ -> false, pvs, devices);
    }

    private static List<Disk> survey(
            DiskSurvey.DataLook data, List<KnownPv> pvs, TestDevice... devices) {
        var inventory =
                new Inventory(
                        Stream.of(devices).map(TestDevice::device).toList(),
                        List.of(TestLvm.ours("vg1", TestLvm.pvsOf(pvs))),
                        pvs,
                        List.of());
        return new DiskSurvey(inventory, new ListedPvs(inventory, ""), data).disks();
    }

    @Test
    void aBlankDiskIsFree() {
        var disk = survey(List.of(), TestDevice.disk("sdb")).getFirst();
        assertTrue(disk.free());
        assertEquals(TestDevice.GIB * 10, disk.sizeBytes());
        assertEquals(disk, Disk.of(disk.json()));
    }

    @Test
    void aMemberNamesItsGroupAndNotTheVolumesOnIt() {
        var member = TestDevice.disk("sdb").with("LVM2_member");
        var pvs = List.of(TestLvm.on("/dev/sdb", "vg1"));
        var before = survey(pvs, member);
        assertEquals("vg1", before.getFirst().group());
        assertFalse(before.getFirst().free());
        var after = survey(pvs, member.over("dm-0"), TestDevice.of("dm-0", "lvm"));
        assertEquals(before, after);
    }

    @Test
    void aDiskWithContentSaysWhetherItWouldBeWiped() {
        var disks =
                survey(
                        List.of(),
                        TestDevice.disk("sdb").with("xfs"),
                        TestDevice.disk("sdc").with("ext4").used("mounted at /data"),
                        TestDevice.disk("sdd").over("sdd1").table("gpt"),
                        TestDevice.of("sdd1", "part").used("mounted at /"));
        assertEquals(
                List.of("/dev/sdb has a filesystem signature \"xfs\""), disks.get(0).obstacles());
        assertEquals("xfs", disks.get(0).content());
        assertEquals(Optional.empty(), disks.get(0).keptFromWipe());
        assertEquals(
                Optional.of("/dev/sdc is in use: mounted at /data"), disks.get(1).keptFromWipe());
        assertEquals(Optional.of("/dev/sdd1 is in use: mounted at /"), disks.get(2).keptFromWipe());
        assertEquals("gpt", disks.get(2).content());
    }

    @Test
    void theMountsOfPodsChangeNothing() {
        var few = survey(List.of(), TestDevice.disk("sda").used("mounted at /"));
        var many =
                survey(
                        List.of(),
                        TestDevice.disk("sda")
                                .used("mounted at /", "mounted at /pods/a", "mounted at /pods/b"));
        assertEquals(few, many);
    }

    @Test
    void aDiskThatCannotBeReadIsNotFreeAndKeepsNoOtherBack() {
        DiskSurvey.DataLook broken =
                device -> {
                    if (device.name().equals("/dev/sdb")) {
                        throw new IOException("Input/output error");
                    }
                    return true;
                };
        var disks = survey(broken, List.of(), TestDevice.disk("sdb"), TestDevice.disk("sdc"));
        assertEquals(
                List.of("/dev/sdb could not be examined: Input/output error"),
                disks.get(0).obstacles());
        assertTrue(disks.get(1).unknownData());
    }

    @Test
    void aDiskIsLookedAtForUnknownDataOnce() throws Exception {
        var looks = new ArrayList<NodeDevice>();
        var memory =
                new DataMemory(
                        device -> {
                            looks.add(device);
                            return true;
                        });
        var disk = TestDevice.disk("sdb").device();
        assertTrue(memory.hasData(disk) && memory.hasData(disk));
        assertEquals(1, looks.size());
        memory.keep(List.of());
        assertTrue(memory.hasData(disk));
        assertEquals(2, looks.size());
    }

    @Test
    void anObjectHasRoomForAllThatIsPublished() {
        var devices =
                IntStream.range(0, DiskSurvey.MOST + 1)
                        .mapToObj(i -> TestDevice.disk("sd" + i))
                        .toArray(TestDevice[]::new);
        assertEquals(DiskSurvey.MOST, survey(List.of(), devices).size());
    }
}
