package lvms.deploy;

import lvms.tests.cluster.ControlPlane;
import lvms.tests.cluster.Programs;

import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** The policy for node agents, on a real API server. */
abstract class ServedPolicyRules extends NodePolicyRules {
    @TempDir private static Path folder;
    private final String version;
    private ControlPlane plane;

    ServedPolicyRules(String version) {
        this.version = version;
    }

    @Override
    Path start() throws Exception {
        plane =
                ControlPlane.options(Programs.find(), folder.resolve(version))
                        .kubernetes(version)
                        .start();
        return plane.kubeconfig();
    }

    @Override
    void stop() throws Exception {
        if (plane != null) {
            plane.close();
        }
    }
}
