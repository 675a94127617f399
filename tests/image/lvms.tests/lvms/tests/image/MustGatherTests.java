package lvms.tests.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The image for {@code oc adm must-gather} is the other one with what must-gather calls in it: bash
 * around our program, df, awk, sed and sleep beside it, tar for the files.
 */
class MustGatherTests {
    @TempDir private static Path scratch;
    private static Archive archive;
    private static Path root;

    @BeforeAll
    static void unpack() throws Exception {
        archive = Archive.ofMustGather(scratch);
        root = archive.unpack(scratch.resolve("root"));
    }

    /** JUnit follows the links of Debian's merged /usr when it removes the folder. */
    @AfterAll
    static void remove() throws Exception {
        if (root != null) {
            Archive.run("rm", "--recursive", "--force", root.toString());
        }
    }

    private static String inImage(String script) throws Exception {
        assumeTrue(Archive.run("id", "-u").strip().equals("0"), "entering the image needs root");
        return Archive.run(
                "env",
                "LC_ALL=C",
                "unshare",
                "--mount",
                "sh",
                "-c",
                "mount -t proc proc $0/proc && exec timeout 60 chroot $0 /bin/bash -c \"$1\"",
                root.toString(),
                script);
    }

    @Test
    void hasOneLayerMoreThanTheOther() throws Exception {
        assertEquals(3, archive.layers().size());
        assertTrue(Files.exists(root.resolve("usr/share/doc/bash/copyright")));
    }

    @Test
    void namesNoCacheSinceItHasNone() throws Exception {
        assertEquals(List.of(), Archive.cacheWords(root, "lvms-operator"));
    }

    @Test
    void runsTheProgramAsMustGatherDoes() throws Exception {
        var said = inImage("/usr/bin/gather --folder=/nowhere --kubeconfig=/none; echo $?; sync");
        assertTrue(said.startsWith("lvms: cannot find a Kubernetes cluster: "), said);
        assertTrue(said.endsWith("\n2\n"), said);
    }

    /** It watches how full the folder is. */
    @Test
    void hasTheProgramsThatWatchTheFolder() throws Exception {
        var said =
                inImage("sleep 0; df -P /proc | awk 'NR==2 {print $5}' | sed 's/%//'; du -s /tmp");
        assertTrue(said.matches("(?s)\\S+\n\\d+\t/tmp\n"), said);
    }

    @Test
    void tarPacksTheFolder() throws Exception {
        var said = inImage("tar --create --directory=/usr/share/doc/bash . | tar --list");
        assertTrue(said.contains("./copyright"), said);
    }
}
