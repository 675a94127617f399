package lvms.node.csi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import lvms.lvm2.LvName;
import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.device.ThinPoolUsage;
import lvms.lvm2.system.DeviceNumber;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The device-mapper tells which group a volume is in, whoever runs LVM. */
class MappedVolumesTests {
    private static final String UUID = "LVM-" + "AbCdEf0001222233334444555566GHIJ" + "k".repeat(32);
    private static final VolumeId COW = new VolumeId("cow");

    private record Listed(Map<String, State> states) implements DeviceMapper {
        static MappedVolumes of(State... devices) {
            return new MappedVolumes(
                    new Listed(Stream.of(devices).collect(Collectors.toMap(State::name, d -> d))));
        }

        @Override
        public boolean available() {
            return true;
        }

        @Override
        public List<Device> list() {
            return states.values().stream().map(s -> new Device(s.name(), s.number())).toList();
        }

        @Override
        public Optional<State> state(String name) {
            return Optional.ofNullable(states.get(name));
        }

        @Override
        public Optional<ThinPoolUsage> thinPool(LvName pool) {
            return Optional.empty();
        }

        @Override
        public List<String> suspended() {
            return List.of();
        }
    }

    private static DeviceMapper.State device(String name, String uuid) {
        var number = new DeviceNumber(254, 0);
        return new DeviceMapper.State(name, uuid, number, false, false, false, 0, 0, List.of());
    }

    @Test
    void theUuidOfADeviceBeginsWithThatOfItsGroup() throws Exception {
        var mapped = Listed.of(device("vg-cow", UUID), device("vg-x", "CRYPT-LUKS2-abc"));
        assertEquals(
                Optional.of("AbCdEf-0001-2222-3333-4444-5555-66GHIJ"),
                mapped.groupUuid(new LvName("vg", "cow")));
        assertEquals(Optional.empty(), mapped.groupUuid(new LvName("vg", "x")));
    }

    @Test
    void aVolumeIsFoundInAnyGroup() throws Exception {
        var mapped = Listed.of(device("my--vg-cow", UUID), device("my--vg-other", UUID));
        assertEquals(Optional.of(new LvName("my-vg", "cow")), mapped.byName(COW));
    }

    @Safety(48)
    @Test
    void noNameThatOnlyEndsLikeThatOfTheVolumeIsTakenForIt() throws Exception {
        var mapped =
                Listed.of(
                        device("vg-lv-cow", UUID + "-cow"), // the store of a snapshot
                        device("vg-vm1--cow", UUID), // the volume vm1-cow
                        device("crypt-cow", "CRYPT-LUKS2-abc"));
        assertEquals(Optional.empty(), mapped.byName(COW));
    }

    @Safety(48)
    @Test
    void ofTwoGroupsWithSuchAVolumeNoneIsChosen() {
        var mapped = Listed.of(device("a-cow", UUID), device("b-cow", UUID));
        assertThrows(IOException.class, () -> mapped.byName(COW));
    }
}
