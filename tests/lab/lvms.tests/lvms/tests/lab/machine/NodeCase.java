package lvms.tests.lab.machine;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** Tests on one node, which is booted before the first and ends after the last. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class NodeCase {
    private final NodeOptions options;
    private Lab lab;
    protected Node node;

    protected NodeCase(NodeOptions options) {
        this.options = options;
    }

    @BeforeAll
    final void boot(@TempDir Path folder) throws Exception {
        lab = Lab.inFolder(folder);
        node = lab.add(options);
        node.boot();
    }

    @AfterAll
    final void end() {
        if (lab != null) {
            lab.close();
        }
    }
}
