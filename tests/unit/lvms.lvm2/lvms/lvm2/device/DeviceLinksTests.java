package lvms.lvm2.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.FutureTask;

class DeviceLinksTests {
    private static final int ROUNDS = 3_000;

    @TempDir private Path dev;

    private void link(String name, String target) throws IOException {
        var link = dev.resolve(name);
        Files.createDirectories(link.getParent());
        Files.createSymbolicLink(link, Path.of(target));
    }

    @Test
    void linksOfAllFoldersAreKnownByTheirNode() throws Exception {
        link("disk/by-id/b", "../../sda");
        link("disk/by-id/a", "../../sda");
        link("disk/by-uuid/u", "../../sda1");
        link("mapper/vg-lv", "../dm-0");
        Files.createFile(dev.resolve("mapper/control"));
        Files.createFile(dev.resolve("disk/by-nothing"));
        var links = DeviceLinks.below(dev);
        assertEquals(
                List.of(dev.resolve("disk/by-id/a"), dev.resolve("disk/by-id/b")),
                links.to(dev.resolve("sda")));
        assertEquals(List.of(dev.resolve("disk/by-uuid/u")), links.to(dev.resolve("sda1")));
        assertEquals(List.of(dev.resolve("mapper/vg-lv")), links.to(dev.resolve("dm-0")));
        assertEquals(List.of(), links.to(dev.resolve("sdb")));
    }

    @Test
    void withoutUdevThereAreNone() throws Exception {
        assertEquals(List.of(), DeviceLinks.below(dev).to(dev.resolve("sda")));
    }

    /** The last device with a filesystem is wiped, and another one gets one, while all are read. */
    @Test
    void linksAndFoldersThatGoMeanwhileAreNoFailure() throws Exception {
        link("disk/by-path/p", "../../sda");
        var udev =
                new FutureTask<Void>(
                        () -> {
                            for (int round = 0; round < ROUNDS; round++) {
                                link("disk/by-uuid/u", "../../sda");
                                Files.delete(dev.resolve("disk/by-uuid/u"));
                                Files.delete(dev.resolve("disk/by-uuid"));
                            }
                            return null;
                        });
        var thread = Thread.ofPlatform().start(udev);
        while (!udev.isDone()) {
            var links = DeviceLinks.below(dev).to(dev.resolve("sda"));
            assertEquals(dev.resolve("disk/by-path/p"), links.getFirst());
        }
        thread.join();
        udev.get();
    }
}
