package lvms.lvm2.device;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;

/** Swap areas in use. */
public final class Swaps {
    private static final Path PROC_SWAPS = Path.of("/proc/swaps");

    private Swaps() {}

    /** Returns the paths of the active swap areas, as the kernel names them. */
    public static Set<Path> active() throws IOException {
        return parse(Files.readString(PROC_SWAPS));
    }

    static Set<Path> parse(String text) {
        return text.lines()
                .skip(1) // the heading
                .filter(line -> !line.isBlank())
                .map(line -> Path.of(line.split("\\s+")[0].replace("\\040", " ")))
                .collect(Collectors.toUnmodifiableSet());
    }
}
