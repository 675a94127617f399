package lvms.node.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.lvm2.device.DeviceEvent;
import lvms.lvm2.device.Uevent;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What happens to logical volumes is nobody's news, and everything else is. */
class WithoutVolumesTests {
    private static final String VOLUME =
            "LVM-KvhIpFCYMmMCr9eGCtHKhDKVqrQPnlQ9gW1dRI9YSvYl31hZS5TZvBFqbKpUaLnS\n";
    private static final String CRYPT = "CRYPT-LUKS2-0123456789abcdef-name\n";

    @TempDir private Path sysBlock;
    private final List<String> told = new ArrayList<>();

    private void device(String name, String uuid) throws IOException {
        var folder = Files.createDirectories(sysBlock.resolve(name).resolve("dm"));
        Files.writeString(folder.resolve("uuid"), uuid);
    }

    private void gone(String name) throws IOException {
        Files.delete(sysBlock.resolve(name).resolve("dm/uuid"));
    }

    private static Uevent uevent(String name) {
        return new Uevent("change", "/devices/virtual/block/" + name, Map.of());
    }

    private WithoutVolumes watch() {
        return new WithoutVolumes(
                sysBlock,
                event ->
                        told.add(
                                switch (event) {
                                    case DeviceEvent.Appeared(var it) -> "+" + it.kernelName();
                                    case DeviceEvent.Changed(var it) -> "~" + it.kernelName();
                                    case DeviceEvent.Vanished(var it) -> "-" + it.kernelName();
                                    case DeviceEvent.Lost() -> "lost";
                                }));
    }

    @Test
    void theWholeLifeOfAVolumeIsNoNews() throws Exception {
        var watch = watch();
        device("dm-3", VOLUME);
        watch.accept(new DeviceEvent.Appeared(uevent("dm-3")));
        watch.accept(new DeviceEvent.Changed(uevent("dm-3")));
        gone("dm-3");
        watch.accept(new DeviceEvent.Vanished(uevent("dm-3")));
        assertEquals(List.of(), told);
    }

    @Test
    void aVolumeThatWentBeforeItsEventWasReadIsNoNews() throws Exception {
        var watch = watch();
        device("dm-3", VOLUME);
        watch.accept(new DeviceEvent.Appeared(uevent("dm-3")));
        gone("dm-3");
        watch.accept(new DeviceEvent.Changed(uevent("dm-3")));
        watch.accept(new DeviceEvent.Vanished(uevent("dm-3")));
        assertEquals(List.of(), told);
    }

    @Test
    void disksAndOthersDevicesAreNews() throws Exception {
        var watch = watch();
        device("dm-3", CRYPT);
        watch.accept(new DeviceEvent.Appeared(uevent("sda")));
        watch.accept(new DeviceEvent.Appeared(uevent("dm-3")));
        gone("dm-3");
        watch.accept(new DeviceEvent.Changed(uevent("dm-3")));
        watch.accept(new DeviceEvent.Vanished(uevent("dm-3")));
        watch.accept(new DeviceEvent.Lost());
        assertEquals(List.of("+sda", "+dm-3", "~dm-3", "-dm-3", "lost"), told);
    }

    @Test
    void aNumberThatAnotherDeviceGotIsNews() throws Exception {
        var watch = watch();
        device("dm-3", VOLUME);
        watch.accept(new DeviceEvent.Appeared(uevent("dm-3")));
        device("dm-3", CRYPT); // the event of its end was lost
        watch.accept(new DeviceEvent.Changed(uevent("dm-3")));
        gone("dm-3");
        watch.accept(new DeviceEvent.Vanished(uevent("dm-3")));
        assertEquals(List.of("~dm-3", "-dm-3"), told);
    }

    @Test
    void ofAVolumeFromBeforeTheEndIsNews() {
        watch().accept(new DeviceEvent.Vanished(uevent("dm-3")));
        assertEquals(List.of("-dm-3"), told);
    }
}
