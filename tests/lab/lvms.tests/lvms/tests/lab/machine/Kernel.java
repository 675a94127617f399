package lvms.tests.lab.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The User-Mode Linux that {@code kernel.sh} unpacked.
 *
 * @param program the executable
 * @param modules folder with {@code kernel/} and {@code modules.dep}
 */
public record Kernel(Path program, Path modules) {
    /** Finds it in the download cache. */
    public static Kernel ofCache(Path cache) throws IOException {
        var folder = cache.resolve("uml");
        var ready = folder.resolve("ready");
        if (!Files.exists(ready)) {
            throw new IOException("no kernel in " + folder + ": run ./build.sh lab prepare");
        }
        var version = Files.readString(ready).strip();
        return new Kernel(
                folder.resolve("linux"), folder.resolve("usr/lib/uml/modules").resolve(version));
    }
}
