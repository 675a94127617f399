package lvms.node.csi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.util.Optional;

/** The device-mapper tells which group a volume is in, whoever runs LVM. */
class MappedVolumesTests {
    @Test
    void theUuidOfADeviceBeginsWithThatOfItsGroup() {
        var device =
                "LVM-" + "AbCdEf0001222233334444555566GHIJ" + "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk";
        var group = Optional.of("AbCdEf-0001-2222-3333-4444-5555-66GHIJ");
        assertEquals(group, MappedVolumes.groupUuid(device));
        assertEquals(group, MappedVolumes.groupUuid(device + "-tpool"));
        assertEquals(Optional.empty(), MappedVolumes.groupUuid("CRYPT-LUKS2-abc"));
    }
}
