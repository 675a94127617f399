package lvms.debian;

/**
 * A package as a lock file pins it.
 *
 * @param version with the epoch, if it has one
 * @param path in the archive, behind the archive's name: {@code debian/pool/main/...}
 */
record Pin(String name, String version, String sha256, String path) {
    /** Reads a line of a lock file. */
    static Pin of(String line) throws DebianException {
        var words = line.split(" ");
        if (words.length != 4 || !words[2].matches("[0-9a-f]{64}") || words[3].indexOf('/') < 1) {
            throw new DebianException(
                    "\"" + line + "\" is not: package version sha256 archive/path");
        }
        return new Pin(words[0], words[1], words[2], words[3]);
    }

    /** The archive: {@code debian} or {@code debian-security}. */
    String archive() {
        return path.substring(0, path.indexOf('/'));
    }

    String pathInArchive() {
        return path.substring(path.indexOf('/') + 1);
    }

    String fileName() {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
