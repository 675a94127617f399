package lvms.tests.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Whoever has the sources, a JDK in a Debian and a builder of images gets the image, and its
 * program runs.
 */
@FullOnly("builds the image a second time, in a container")
@Lasts(seconds = 400)
class ContainerfileTests {
    private static final String BASE = "localhost/base";
    private static final String IMAGE = "localhost/lvms:built";

    @TempDir private Path scratch;

    private String buildah(String command, String... words) throws Exception {
        var line =
                new ArrayList<>(
                        List.of(
                                "buildah",
                                "--root=" + scratch.resolve("store"),
                                "--runroot=" + scratch.resolve("run"),
                                "--storage-driver=vfs",
                                command));
        line.addAll(List.of(words));
        return Archive.run(line.toArray(String[]::new)).strip();
    }

    /** Makes a Debian with the JDK of this process; returns the address of its mirror. */
    private String makeBase() throws Exception {
        var root = scratch.resolve("base");
        Archive.run("debootstrap", "--variant=minbase", "bookworm", root.toString());
        var jdk = root.resolve("usr/lib/jvm/jdk");
        Files.createDirectories(jdk.getParent());
        var home = System.getProperty("java.home");
        Archive.run("cp", "-R", "--dereference", home, jdk.toString()); // with what it trusts
        var container = buildah("from", "scratch");
        buildah("copy", "--quiet", container, root.toString(), "/");
        buildah("commit", "--quiet", "--rm", container, BASE);
        var source = Files.readString(root.resolve("etc/apt/sources.list"));
        Archive.run("rm", "--recursive", "--force", root.toString());
        return source.replaceFirst("(?s)^deb (.*)/debian/? .*", "$1");
    }

    @Test
    void theSourcesAloneBecomeTheImage() throws Exception {
        for (var program : List.of("buildah", "debootstrap")) {
            boolean there =
                    Stream.of("/usr/bin", "/usr/sbin")
                            .anyMatch(folder -> Files.exists(Path.of(folder, program)));
            assumeTrue(there, "the machine has no " + program);
        }
        var mirror = makeBase();
        buildah(
                "build",
                "--isolation=chroot",
                "--network=host",
                "--build-arg=BASE=" + BASE,
                "--build-arg=MIRROR=" + mirror,
                "--tag=" + IMAGE,
                ".");
        var container = buildah("from", IMAGE);
        var said = buildah("run", "--isolation=chroot", container, "/opt/lvms/bin/lvms", "version");
        assertTrue(said.startsWith("lvms "), said);
        assertEquals(
                "[/opt/lvms/bin/lvms]",
                buildah("inspect", "--type=image", "--format={{.OCIv1.Config.Entrypoint}}", IMAGE));
    }
}
