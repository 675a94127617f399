package lvms.lvm2.device;

import lvms.lvm2.ffi.Library;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Programs and libraries that are not part of this product, and where to look for them. Any thread
 * may call.
 *
 * @param path folders of programs, as in {@code PATH}
 */
public record MachineTools(List<Path> path) {
    /** The library that this module calls besides LVM's: signatures. */
    private static final List<String> LIBRARIES = List.of("libblkid.so.1");

    public MachineTools {
        path = List.copyOf(path);
    }

    /** Looks in the folders in which this process finds programs. */
    public static MachineTools ofProcess() {
        var folders = System.getenv().getOrDefault("PATH", "").split(":");
        return new MachineTools(
                Arrays.stream(folders).filter(f -> !f.isEmpty()).map(Path::of).toList());
    }

    /** Returns the programs that are in none of the folders, in the order given. */
    public List<String> missing(List<String> programs) {
        return programs.stream()
                .filter(name -> path.stream().noneMatch(f -> Files.isExecutable(f.resolve(name))))
                .toList();
    }

    /** Returns the libraries of this module that cannot be loaded, then the programs not found. */
    public List<String> missingWithLibraries(List<String> programs) {
        return Stream.concat(
                        LIBRARIES.stream().filter(name -> !Library.loads(name)),
                        missing(programs).stream())
                .toList();
    }
}
