package lvms.debian;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A file {@code .deb}: an ar archive of two tar archives, what dpkg has to know and the files.
 * Source: deb(5). GNU tar unpacks those, and calls xz or gzip for it.
 */
record PackageFile(Path file) {
    /** The paragraph of the package in Debian's lists. */
    String control() throws IOException, DebianException, InterruptedException {
        return tar("control.tar", List.of("--extract", "--to-stdout", "./control"));
    }

    /** The names in the package, with a dot in front; folders end with a slash. */
    List<String> names() throws IOException, DebianException, InterruptedException {
        return tar("data.tar", List.of("--list", "--quoting-style=literal")).lines().toList();
    }

    /**
     * Unpacks what the patterns of tar match, in which a star matches slashes, too. Owners stay
     * behind, and so does what is in a folder that matches itself.
     *
     * @throws DebianException if one of them matches nothing
     */
    void extract(Path root, List<String> patterns)
            throws IOException, DebianException, InterruptedException {
        var options = new ArrayList<String>();
        options.add("--extract");
        options.add("--directory=" + root);
        options.add("--keep-directory-symlink");
        options.add("--no-same-owner");
        options.add("--no-recursion");
        options.add("--wildcards");
        options.addAll(patterns);
        tar("data.tar", options);
    }

    private String tar(String part, List<String> options)
            throws IOException, DebianException, InterruptedException {
        var member = Member.of(file, part);
        var tar = Files.createTempFile("lvms-debian-", ".tar");
        var errors = Files.createTempFile("lvms-debian-", ".log");
        try {
            member.copy(file, tar);
            var command = new ArrayList<>(List.of("tar", "--file=" + tar));
            command.addAll(member.decompression());
            command.addAll(options);
            var builder = new ProcessBuilder(command).redirectError(errors.toFile());
            builder.environment().put("LC_ALL", "C.UTF-8");
            var process = builder.start();
            process.getOutputStream().close();
            var out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                var why = Files.readString(errors).lines().findFirst().orElse("tar failed");
                throw new DebianException(file.getFileName() + ": " + why);
            }
            return out;
        } finally {
            Files.delete(tar);
            Files.delete(errors);
        }
    }
}
