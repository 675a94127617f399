package lvms.node.vgmanager;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.lvm2.Lvm;
import lvms.tests.lab.machine.LoopDisks;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** Tests on loop devices; a test sets {@link #lvm} when it has made its disks. */
public abstract class LoopDiskCase {
    protected static final long MIB = 1L << 20;

    @TempDir protected Path folder;
    protected LoopDisks disks;
    protected Lvm lvm;

    @BeforeEach
    void prepareDisks() {
        assumeTrue(LoopDisks.possible(), "needs root and loop devices");
        disks = new LoopDisks(folder);
    }

    @AfterEach
    void detachDisks() {
        if (lvm != null) {
            lvm.close();
        }
        if (disks != null) {
            disks.close();
        }
    }
}
