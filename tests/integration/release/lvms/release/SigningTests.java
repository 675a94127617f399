package lvms.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.tests.page.Page;
import lvms.tests.page.RunsBlocks;
import lvms.tests.page.Terminal;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** The commands of docs/release.md make a key that signs a release, and check its signature. */
@RunsBlocks("docs/release.md")
class SigningTests {
    @TempDir private Path folder;

    @Test
    void aReleaseIsSignedWithTheKeyAndCheckedWithItsPublicHalf() throws Exception {
        var blocks = Page.of("docs/release.md").blocksOf(getClass());
        assertEquals(2, blocks.size());
        try (var publisher = Terminal.open(folder, Map.of())) {
            publisher.run(blocks.getFirst());
        }
        var key = Signature.with(folder.resolve("key.pem"));
        var small = new SmallRelease(Files.createDirectory(folder.resolve("small")));
        var release = small.write(Optional.of(key));
        Files.copy(folder.resolve("public.pem"), release.resolve("public.pem"));
        try (var user = Terminal.open(release, Map.of())) {
            var printed = user.run(blocks.getLast());
            assertTrue(printed.contains("Signature Verified Successfully"), printed);
        }
        Files.writeString(release.resolve("SHA256SUMS"), "of something else");
        try (var user = Terminal.open(release, Map.of())) {
            assertThrows(AssertionError.class, () -> user.run(blocks.getLast()));
        }
    }
}
