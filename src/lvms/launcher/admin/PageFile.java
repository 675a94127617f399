package lvms.launcher.admin;

import lvms.launcher.flag.UsageException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/** Where a page goes: whole, or not at all. */
interface PageFile {
    /** Standard output. */
    PageFile STDOUT = page -> System.out.writeBytes(page.getBytes(StandardCharsets.UTF_8));

    void write(String page) throws IOException;

    /** A file, which is written beside and then renamed; only its owner may read it. */
    static PageFile at(Path file) throws UsageException {
        var folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new UsageException("flag --html=" + file + ": there is no folder " + folder);
        }
        if (!Files.isWritable(folder)) {
            throw new UsageException("flag --html=" + file + ": you may not write into " + folder);
        }
        if (Files.isDirectory(file)) {
            throw new UsageException("flag --html=" + file + ": it is a folder, name a file in it");
        }
        return page -> {
            var mode = PosixFilePermissions.fromString("rw-------");
            var beside =
                    Files.createTempFile(
                            folder, ".lvms-report", "", PosixFilePermissions.asFileAttribute(mode));
            try {
                Files.writeString(beside, page);
                Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(beside);
            }
        };
    }
}
