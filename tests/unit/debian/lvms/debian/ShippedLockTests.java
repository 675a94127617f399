package lvms.debian;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;

/** What the images of all architectures are made of is the same, and can be fetched for long. */
class ShippedLockTests {
    private static Lock lock(String layer, String architecture) throws Exception {
        return Lock.read(Path.of("build/oci", layer + "-" + architecture + ".lock"));
    }

    private static Contents contents(String layer) throws Exception {
        return Contents.read(Path.of("build/oci", layer + "-contents"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"debian", "gather", "jdk", "qemu"})
    void eachArchitecturePinsThePackagesOfTheLayer(String layer) throws Exception {
        var named = contents(layer).patterns().keySet();
        assertEquals(named, lock(layer, "amd64").pins().keySet());
        assertEquals(named, lock(layer, "arm64").pins().keySet());
    }

    @ParameterizedTest
    @CsvSource({
        "debian, amd64",
        "debian, arm64",
        "gather, amd64",
        "gather, arm64",
        "jdk, amd64",
        "jdk, arm64",
        "qemu, amd64",
        "qemu, arm64"
    })
    void aPinIsOfItsArchitectureAndThereIsASnapshotOfIt(String layer, String architecture)
            throws Exception {
        var lock = lock(layer, architecture);
        for (var pin : lock.pins().values()) {
            assertTrue(pin.fileName().matches(".*_(" + architecture + "|all)[.]deb"), pin.path());
        }
        assertTrue(lock.snapshot().orElseThrow().matches("20[0-9]{6}T[0-9]{6}Z"));
    }

    @Test
    void allImagesHaveOneJdk() throws Exception {
        var name = "openjdk-25-jdk-headless";
        assertEquals(
                lock("jdk", "amd64").pins().get(name).version(),
                lock("jdk", "arm64").pins().get(name).version());
    }

    /** What is read of the disks and written to them depends on the version of the tools. */
    @ParameterizedTest
    @ValueSource(
            strings = {"lvm2", "e2fsprogs", "xfsprogs", "btrfs-progs", "thin-provisioning-tools"})
    void allImagesHaveTheSameTools(String name) throws Exception {
        assertEquals(
                lock("debian", "amd64").pins().get(name).version().replaceFirst("[+]b\\d+$", ""),
                lock("debian", "arm64").pins().get(name).version().replaceFirst("[+]b\\d+$", ""));
    }
}
