package lvms.debian;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Makes packages like Debian's, of folders. */
final class Deb {
    private static final String HEADER = "%-16s%-12d%-6d%-6d%-8s%-10d`\n";

    private final Path scratch;
    private final Path files;

    Deb(Path scratch) throws IOException {
        this.scratch = Files.createDirectories(scratch);
        files = Files.createDirectories(scratch.resolve("data"));
    }

    Deb with(String path, String text) throws IOException {
        var file = files.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        return this;
    }

    Deb withLink(String path, String target) throws IOException {
        var link = files.resolve(path);
        Files.createDirectories(link.getParent());
        Files.createSymbolicLink(link, Path.of(target));
        return this;
    }

    /**
     * Packs it.
     *
     * @param compression option of tar
     * @param ending what the members end with
     */
    Path pack(String control, String compression, String ending) throws Exception {
        var controls = Files.createDirectories(scratch.resolve("control"));
        Files.writeString(controls.resolve("control"), control);
        var packed = new ByteArrayOutputStream();
        packed.writeBytes(ascii("!<arch>\n"));
        member(packed, "debian-binary", ascii("2.0\n"));
        member(packed, "control.tar" + ending, tar(controls, compression));
        member(packed, "data.tar" + ending, tar(files, compression));
        return Files.write(scratch.resolve("package.deb"), packed.toByteArray());
    }

    private byte[] tar(Path folder, String compression) throws Exception {
        var archive = scratch.resolve("archive");
        var command = new ArrayList<String>(List.of("tar", "--create", "--file=" + archive));
        if (!compression.isEmpty()) {
            command.add(compression);
        }
        command.addAll(List.of("--directory=" + folder, "."));
        assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor());
        return Files.readAllBytes(archive);
    }

    private static void member(ByteArrayOutputStream to, String name, byte[] content) {
        to.writeBytes(ascii(HEADER.formatted(name, 0, 0, 0, "100644", content.length)));
        to.writeBytes(content);
        if (content.length % 2 == 1) {
            to.write('\n');
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
