package lvms.node.csi;

import lvms.api.StatusCode;
import lvms.api.VolumeException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A path in a request, at which this process mounts, unmounts or removes something.
 *
 * @param path absolute and normal: no {@code .}, no {@code ..}
 */
record TargetPath(Path path) {
    private static final int PATH_MAX = 4096; // limits.h, with the terminating zero

    /**
     * Reads a path of a request.
     *
     * @param field name of the field, for the message
     */
    static TargetPath of(String field, String text) throws VolumeException {
        if (text.isEmpty()) {
            throw new VolumeException(StatusCode.INVALID_ARGUMENT, field + " is missing");
        }
        if (text.length() >= PATH_MAX || text.chars().anyMatch(Character::isISOControl)) {
            throw refused(field, text);
        }
        Path path;
        try {
            path = Path.of(text);
        } catch (InvalidPathException _) {
            throw refused(field, text);
        }
        if (!path.isAbsolute() || !path.equals(path.normalize()) || path.getNameCount() == 0) {
            throw refused(field, text);
        }
        return new TargetPath(path);
    }

    /**
     * The same place with the links in its folder resolved, as the mount table names it: kubelet's
     * folder itself may be a link. A missing folder leaves the path as it is.
     */
    TargetPath resolved() throws IOException {
        try {
            return new TargetPath(path.getParent().toRealPath().resolve(path.getFileName()));
        } catch (NoSuchFileException _) {
            return this;
        }
    }

    /**
     * Refuses a place outside of a folder: a mount there would hide what belongs to the node.
     *
     * @param folder as the configuration names it; it may be a link
     */
    void requireBelow(Path folder) throws VolumeException, IOException {
        if (!isBelow(folder)) {
            throw new VolumeException(
                    StatusCode.INVALID_ARGUMENT,
                    "target_path is not below kubelet's folder " + folder + ": " + path);
        }
    }

    boolean isBelow(Path folder) throws IOException {
        var real = Files.exists(folder) ? folder.toRealPath() : folder;
        return path.startsWith(real) && !path.equals(real);
    }

    private static VolumeException refused(String field, String text) {
        return new VolumeException(
                StatusCode.INVALID_ARGUMENT,
                field + " is not an absolute, normal path: " + Quoted.of(text));
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
