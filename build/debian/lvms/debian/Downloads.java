package lvms.debian;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A folder of packages that were fetched. A file has its name once it is whole and has the SHA-256
 * of its pin; what is there is checked all the same, and fetched again if it is another.
 */
record Downloads(Archive archive, Path folder) {
    /** Returns the file of each package of the lock file, fetched where it is missing. */
    Map<String, Path> fetch(Lock lock) throws IOException, DebianException, InterruptedException {
        Files.createDirectories(folder);
        var files = new LinkedHashMap<String, Path>();
        for (var pin : lock.pins().values()) {
            var file = folder.resolve(pin.fileName());
            if (!Files.exists(file) || !sha256(file).equals(pin.sha256())) {
                fetch(lock, pin, file);
            }
            files.put(pin.name(), file);
        }
        return files;
    }

    private void fetch(Lock lock, Pin pin, Path file)
            throws IOException, DebianException, InterruptedException {
        var part = Files.createTempFile(folder, pin.fileName() + ".", "");
        try {
            archive.fetch(pin, lock.snapshot(), part);
            var sum = sha256(part);
            if (!sum.equals(pin.sha256())) {
                throw new DebianException(
                        ("%s came with SHA-256 %s, and %s has %s: take another mirror"
                                        + " (LVMS_DEBIAN_MIRROR)")
                                .formatted(pin.fileName(), sum, lock.file(), pin.sha256()));
            }
            Files.setPosixFilePermissions(part, PosixFilePermissions.fromString("rw-r--r--"));
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private static String sha256(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            var digest = MessageDigest.getInstance("SHA-256");
            new DigestInputStream(in, digest).transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }
}
