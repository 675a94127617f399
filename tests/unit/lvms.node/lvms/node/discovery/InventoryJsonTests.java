package lvms.node.discovery;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.lvm2.device.DeviceIdentity.Mark;
import lvms.node.disk.TestDevice;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/** The inventory is NativeStor's, field by field and in its order. */
class InventoryJsonTests {
    @Test
    void aDiskHasAllFields() {
        var disk =
                TestDevice.disk("sdb")
                        .identified(Map.of(Mark.WWN, "naa.5000c500a1b2c3d40011223344556677"))
                        .device();
        assertEquals(
                """
                [{"name":"sdb","parent":"","hasChildren":false,\
                "devLinks":"/dev/disk/by-id/sdb","size":10737418240,"uuid":"","serial":"S1",\
                "type":"disk","rotational":true,"readOnly":false,"Partitions":null,\
                "filesystem":"","vendor":"ACME","model":"MODEL","wwn":"0x5000c500a1b2c3d4",\
                "wwnVendorExtension":"0x5000c500a1b2c3d40011223344556677","empty":false,\
                "real-path":"/dev/sdb","kernel-name":"sdb","major":8,"minor":16,\
                "available":true,"message":""}]\
                """,
                InventoryJson.text(List.of(new ListedDevice(disk, List.of()))));
    }

    @Test
    void whatIsZeroIsLeftOut() {
        var part = TestDevice.of("sdb1", "part").with("xfs").used("mounted at /mnt/data").device();
        assertEquals(
                """
                [{"name":"sdb1","parent":"","hasChildren":false,"devLinks":"","size":10737418240,\
                "uuid":"","serial":"","type":"part","rotational":false,"readOnly":false,\
                "Partitions":null,"filesystem":"xfs","vendor":"","model":"","wwn":"",\
                "wwnVendorExtension":"","empty":false,"real-path":"/dev/sdb1",\
                "mount-point":"data","kernel-name":"sdb1","available":false,"message":"a; b"}]\
                """,
                InventoryJson.text(List.of(new ListedDevice(part, List.of("a", "b")))));
    }
}
