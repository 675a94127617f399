package lvms.node.csi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.Names;

import org.junit.jupiter.api.Test;

import java.util.Arrays;

/** What the operator lets a claim ask for is what a node can make. */
class FilesystemTests {
    @Test
    void theOperatorKnowsThemAll() throws Exception {
        assertEquals(
                Names.FILESYSTEMS,
                Arrays.stream(Filesystem.values()).map(Filesystem::type).toList());
        assertEquals(Names.FILESYSTEMS.getFirst(), Filesystem.requested("").type());
    }
}
