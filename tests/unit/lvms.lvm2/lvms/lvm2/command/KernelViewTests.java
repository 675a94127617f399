package lvms.lvm2.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.device.ThinPoolUsage;
import lvms.lvm2.system.DeviceNumber;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The kernel's word is taken only for what it really says. */
class KernelViewTests {
    private static final String UUID =
            "LVM-qbKEkftekshsYyLKG3ITZU4huGLfXb8fUx0ZpvowPC7YprfGTKZEbP2ketHCIzLr";
    private static final LvName NAME = new LvName("tvg", "thin-1");

    private static DeviceMapper.State device(String uuid, boolean suspended, String type) {
        return device(uuid, suspended, type, "");
    }

    private static DeviceMapper.State device(
            String uuid, boolean suspended, String type, String status) {
        var target = new DeviceMapper.Target(0, 64 << 20, type, status);
        return new DeviceMapper.State(
                "tvg-thin--1",
                uuid,
                new DeviceNumber(254, 4),
                suspended,
                false,
                false,
                0,
                0,
                List.of(target));
    }

    private static KernelView view(Map<String, DeviceMapper.State> states) {
        return new KernelView(new ListedDevices(states), true);
    }

    @Test
    void aFreshThinVolumeIsDescribedByItsDevice() throws Exception {
        var view = view(Map.of("tvg-thin--1", device(UUID, false, "thin")));
        var volume = view.created(NAME, Optional.of("pool"), Set.of("a")).orElseThrow();
        assertEquals("Ux0Zpv-owPC-7Ypr-fGTK-ZEbP-2ket-HCIzLr", volume.uuid());
        assertEquals(64 << 20, volume.sizeBytes());
        assertTrue(volume.isThin() && volume.active() && volume.writable());
        assertEquals(Set.of("a"), volume.tags());
    }

    @Test
    void aDeviceThatIsNotAsItShouldBeIsLeftToAReport() throws Exception {
        var pool = Optional.of("pool");
        var linear = view(Map.of("tvg-thin--1", device(UUID, false, "linear")));
        var suspended = view(Map.of("tvg-thin--1", device(UUID, true, "thin")));
        var foreign = view(Map.of("tvg-thin--1", device("CRYPT-x", false, "thin")));
        for (var view : List.of(linear, suspended, foreign, view(Map.of()))) {
            assertEquals(Optional.empty(), view.created(NAME, pool, Set.of()));
        }
    }

    @Test
    void theBlocksOfAThinVolumeAreCounted() throws Exception {
        var none = device(UUID, false, "thin", "0 -");
        assertEquals(0, view(Map.of("tvg-thin--1", none)).mappedBytes(NAME));
        var some = device(UUID, false, "thin", "8192 16383");
        assertEquals(4 << 20, view(Map.of("tvg-thin--1", some)).mappedBytes(NAME));
        var failed = device(UUID, false, "thin", "Fail");
        var linear = device(UUID, false, "linear", "");
        for (var device : List.of(failed, linear)) {
            var view = view(Map.of("tvg-thin--1", device));
            assertThrows(IOException.class, () -> view.mappedBytes(NAME));
        }
    }

    /** A device-mapper that answers about the volume, and not about what may lie below it. */
    private record Silent(DeviceMapper.State volume) implements DeviceMapper {
        @Override
        public boolean available() {
            return true;
        }

        @Override
        public List<Device> list() {
            return List.of();
        }

        @Override
        public Optional<State> state(String name) throws IOException {
            if (!name.equals(volume.name())) {
                throw new IOException("no answer");
            }
            return Optional.of(volume);
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

    /** Its snapshots would be removed with it. */
    @Safety(52)
    @Test
    void noAnswerAboutALayerIsNotThatThereIsNone() {
        var view = new KernelView(new Silent(device(UUID, false, "linear")), true);
        assertThrows(LvmException.Unavailable.class, () -> view.standsAlone(NAME));
        var other = new LvName("tvg", "other");
        assertThrows(LvmException.Unavailable.class, () -> view.identity(other), "not removed");
        assertThrows(LvmException.Unavailable.class, () -> view.hasLoadedTable(other));
    }

    @Test
    void onlyPlainAndThinVolumesWithoutLayersStandAlone() throws Exception {
        var linear = device(UUID, false, "linear");
        assertTrue(view(Map.of("tvg-thin--1", linear)).standsAlone(NAME));
        assertTrue(view(Map.of("tvg-thin--1", device(UUID, false, "thin"))).standsAlone(NAME));
        var pool = Map.of("tvg-thin--1", linear, "tvg-thin--1-tpool", linear);
        var origin = Map.of("tvg-thin--1", linear, "tvg-thin--1-real", linear);
        assertFalse(view(pool).standsAlone(NAME), "its thin volumes would go with it");
        assertFalse(view(origin).standsAlone(NAME), "its snapshots would go with it");
        assertFalse(view(Map.of("other", linear)).standsAlone(NAME));
    }
}
