package lvms.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.k8s.testkit.ApiServer;
import lvms.k8s.testkit.Kubectl;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;

/** Manifests of a folder and their guard, which is in a folder in it. */
abstract class GuardCase {
    @TempDir private Path directory;
    private final String folder;
    private ApiServer server;
    private Admin admin;

    GuardCase(String folder) {
        this.folder = folder;
    }

    final Admin admin() {
        return admin;
    }

    @BeforeEach
    void install() throws Exception {
        Assumptions.assumeTrue(Kubectl.onPath(), "kubectl is not on the path");
        server = Servers.start();
        admin = new Admin(server.kubeconfig(directory), directory);
        admin.succeed("apply", "--kustomize=" + folder + "/guard");
        admin.succeed("apply", "--kustomize=" + folder);
    }

    @AfterEach
    void stop() throws Exception {
        if (server != null) {
            server.close();
        }
    }

    final void create(String manifest) throws Exception {
        var file = Files.writeString(Files.createTempFile(directory, "m", ".yaml"), manifest);
        Patience.until(
                "the type is served", () -> admin.run("create", "--filename=" + file).code() == 0);
    }

    private String manifests() throws Exception {
        return admin.succeed("get", "--kustomize=" + folder, "--output=name");
    }

    /** Everything that is named stays, and each refusal says why. */
    final void requireRefused(String why) throws Exception {
        var before = manifests();
        Patience.until("everything is refused", () -> refusals(why) == before.lines().count());
        var run = admin.run("delete", "--kustomize=" + folder, "--wait=false");
        assertEquals(1, run.code(), run.output());
        assertEquals(before, manifests());
    }

    private long refusals(String why) throws Exception {
        var run = admin.run("delete", "--kustomize=" + folder, "--dry-run=server");
        return run.output().lines().filter(line -> line.contains(why)).count();
    }

    final void requireAllowed() throws Exception {
        Patience.until( // the server has a cache of its own of what the policies ask about
                "everything may go",
                () -> admin.run("delete", "--kustomize=" + folder, "--dry-run=server").code() == 0);
    }
}
