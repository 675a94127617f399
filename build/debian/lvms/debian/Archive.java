package lvms.debian;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Debian's archives. A mirror has present versions alone; what it no longer has is in the archive
 * of all versions that ever were.
 *
 * @param mirrors the address of each archive that is known, by its name: {@code debian}, {@code
 *     debian-security}
 * @param snapshots the folder of archives whose folders are times; empty if none is known
 */
record Archive(Map<String, URI> mirrors, Optional<URI> snapshots, Transfer transfer) {
    /**
     * Writes the file of a package.
     *
     * @param snapshot when the archive had it
     * @throws DebianException if nobody has it, or it could not be fetched
     */
    void fetch(Pin pin, Optional<String> snapshot, Path to)
            throws DebianException, InterruptedException {
        var mirror = mirrors.get(pin.archive());
        if (mirror == null) {
            throw new DebianException(
                    ("%s %s is not at hand, and no mirror is known here: set LVMS_DEBIAN_MIRROR to"
                                    + " the address of one, without /%s")
                            .formatted(pin.name(), pin.version(), pin.archive()));
        }
        if (fetch(pin, below(mirror, pin.pathInArchive()), to)) {
            return;
        }
        if (snapshot.isPresent() && snapshots.isPresent()) {
            var then = pin.archive() + "/" + snapshot.get() + "/" + pin.pathInArchive();
            if (fetch(pin, below(snapshots.get(), then), to)) {
                return;
            }
        }
        throw new DebianException(
                ("%s %s is no longer at %s%s: renew the pins with ./build.sh oci --update, or set"
                                + " LVMS_DEBIAN_SNAPSHOTS to an archive that has it")
                        .formatted(
                                pin.name(),
                                pin.version(),
                                mirror,
                                snapshots.map(at -> ", and not at " + at).orElse("")));
    }

    private boolean fetch(Pin pin, URI from, Path to) throws DebianException, InterruptedException {
        try {
            return transfer.fetch(from, to);
        } catch (IOException e) {
            throw new DebianException(
                    "%s %s could not be fetched from %s: %s"
                            .formatted(pin.name(), pin.version(), from, e.getMessage()));
        }
    }

    private static URI below(URI folder, String path) {
        return URI.create(folder.toString().replaceFirst("/*$", "/") + path);
    }
}
