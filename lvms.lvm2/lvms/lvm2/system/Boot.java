package lvms.lvm2.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The running boot of the kernel. */
public final class Boot {
    private static final Path ID = Path.of("/proc/sys/kernel/random/boot_id");

    private Boot() {}

    /**
     * Returns the UUID that the kernel made when it started, the same in all of its containers.
     * Source: random(4).
     */
    public static String id() throws IOException {
        return Files.readString(ID).strip();
    }
}
