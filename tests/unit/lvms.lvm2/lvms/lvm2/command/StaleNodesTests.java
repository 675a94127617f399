package lvms.lvm2.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.lvm2.LvName;
import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.device.ThinPoolUsage;
import lvms.lvm2.filesystem.FileLock;
import lvms.lvm2.system.DeviceNumber;
import lvms.tests.runner.LinuxOnly;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** A name below /dev goes only if the device-mapper says that its device is gone. */
@Safety(11)
@LinuxOnly
class StaleNodesTests {
    @TempDir Path root;
    private Path dev;
    private Path locks;

    /** Devices of these names, or no answer. */
    private record Known(Optional<List<String>> names) implements DeviceMapper {
        static Known of(String... names) {
            return new Known(Optional.of(List.of(names)));
        }

        @Override
        public boolean available() {
            return true;
        }

        @Override
        public List<Device> list() throws IOException {
            return names.orElseThrow(() -> new IOException("no answer")).stream()
                    .map(name -> new Device(name, new DeviceNumber(254, 0)))
                    .toList();
        }

        @Override
        public Optional<State> state(String name) {
            return Optional.empty();
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

    @BeforeEach
    void names() throws IOException {
        dev = root.resolve("dev");
        locks = Files.createDirectories(root.resolve("locks"));
        Files.createDirectories(dev.resolve("my-vg"));
        Files.createDirectories(dev.resolve("mapper"));
        for (var device : List.of("my--vg-a", "my--vg-b", "my--vg2-a", "control")) {
            Files.createFile(dev.resolve("mapper").resolve(device));
        }
        link("a", "/dev/mapper/my--vg-a");
        link("b", "../mapper/my--vg-b");
        link("other", "/dev/null");
    }

    private void link(String name, String target) throws IOException {
        Files.createSymbolicLink(dev.resolve("my-vg").resolve(name), Path.of(target));
    }

    private Set<String> left() throws IOException {
        try (var files = Files.walk(dev)) {
            var left = new TreeSet<String>();
            files.filter(file -> !Files.isDirectory(file))
                    .forEach(file -> left.add(dev.relativize(file).toString()));
            return left;
        }
    }

    private void remove(DeviceMapper devices) throws InterruptedException {
        new StaleNodes(dev, locks, devices).remove("my-vg");
    }

    @Test
    void namesOfDevicesThatAreGoneGo() throws Exception {
        remove(Known.of("my--vg-b"));
        assertEquals(
                Set.of(
                        "mapper/control",
                        "mapper/my--vg-b",
                        "mapper/my--vg2-a",
                        "my-vg/b",
                        "my-vg/other"),
                left());
    }

    @Test
    void withItsLastNameTheFolderOfAGroupGoes() throws Exception {
        Files.delete(dev.resolve("my-vg/other"));
        remove(Known.of());
        assertEquals(Set.of("mapper/control", "mapper/my--vg2-a"), left());
        assertEquals(false, Files.exists(dev.resolve("my-vg")));
    }

    @Test
    void nothingGoesWithoutAnAnswer() throws Exception {
        var before = left();
        remove(new Known(Optional.empty()));
        assertEquals(before, left());
    }

    @Test
    void nothingGoesWhileAnotherProgramChangesTheGroup() throws Exception {
        var before = left();
        try (var _ = FileLock.tryLock(locks.resolve("V_my-vg")).orElseThrow()) {
            remove(Known.of());
        }
        assertEquals(before, left());
    }
}
