package lvms.debian;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/**
 * A folder that becomes a layer of the image: what is kept of each package, its copyright, and an
 * entry for scanners.
 */
record Layer(Path root) {
    /**
     * Unpacks packages, one over the other.
     *
     * @param files by the package's name
     */
    void unpack(Contents contents, Map<String, Path> files)
            throws IOException, DebianException, InterruptedException {
        var status = Files.createDirectories(root.resolve("var/lib/dpkg/status.d"));
        for (var kept : contents.patterns().entrySet()) {
            var name = kept.getKey();
            if (!files.containsKey(name)) {
                throw new DebianException(
                        "no package %s is pinned, which %s names: ./build.sh oci --update"
                                .formatted(name, contents.file()));
            }
            var file = new PackageFile(files.get(name));
            var patterns = new ArrayList<>(kept.getValue());
            patterns.addAll(copyright(name, file));
            if (!patterns.isEmpty()) {
                file.extract(root, patterns);
            }
            Files.writeString(status.resolve(name), file.control());
        }
    }

    /** Some packages have, in place of a folder, a link to that of another one of the source. */
    private static List<String> copyright(String name, PackageFile file)
            throws IOException, DebianException, InterruptedException {
        var folder = "./usr/share/doc/" + name;
        var names = new HashSet<>(file.names());
        return List.of(folder, folder + "/", folder + "/copyright").stream()
                .filter(names::contains)
                .toList();
    }
}
