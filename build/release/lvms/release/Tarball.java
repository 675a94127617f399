package lvms.release;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Packs and unpacks by GNU tar and gzip: the same files give the same bytes wherever and whoever
 * packs.
 *
 * @param time of all that is packed
 */
record Tarball(Instant time) {
    private static final String GZIP = "--use-compress-program=gzip --no-name --best";

    /**
     * Packs what is in a folder, without the folder itself; a name that ends in gz is compressed.
     */
    void pack(Path folder, Path archive, String... names) throws IOException {
        var command =
                new ArrayList<>(
                        List.of(
                                "tar",
                                "--create",
                                "--format=gnu",
                                "--sort=name",
                                "--mtime=@" + time.getEpochSecond(),
                                "--owner=0",
                                "--group=0",
                                "--numeric-owner",
                                "--mode=u=rwX,go=rX",
                                "--file=" + archive,
                                "--directory=" + folder));
        if (archive.toString().endsWith("gz")) {
            command.add(GZIP);
        }
        command.addAll(Arrays.asList(names));
        Tool.run(command);
    }

    /** Returns what {@code tar --list} prints. */
    static List<String> names(Path archive) throws IOException {
        var out = Tool.run(List.of("tar", "--list", "--gzip", "--file=" + archive));
        return new String(out, StandardCharsets.UTF_8).lines().toList();
    }

    /** Unpacks what lies under a path. */
    static void unpack(Path archive, String path, Path to) throws IOException {
        Tool.run(
                List.of(
                        "tar",
                        "--extract",
                        "--gzip",
                        "--no-same-owner",
                        "--file=" + archive,
                        "--directory=" + to,
                        path));
    }

    /** Reads one file of an archive. */
    static byte[] read(Path archive, String name) throws IOException {
        return Tool.run(
                List.of("tar", "--extract", "--gzip", "--to-stdout", "--file=" + archive, name));
    }
}
