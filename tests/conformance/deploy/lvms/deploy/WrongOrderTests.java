package lvms.deploy;

import static lvms.deploy.Admin.NAMESPACE;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.tests.cluster.ControlPlane;
import lvms.tests.cluster.Programs;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** Whoever deletes the manifests while there is an LVMCluster loses no volume by it. */
@Timeout(300)
@FullOnly("GuardTests refuse the same deletions")
class WrongOrderTests {
    @TempDir private Path folder;
    private ControlPlane plane;
    private Admin admin;

    @BeforeEach
    void start() throws Exception {
        plane = ControlPlane.options(Programs.find(), folder.resolve("plane")).start();
        admin = new Admin(plane.kubeconfig(), folder);
    }

    @AfterEach
    void stop() throws Exception {
        if (plane != null) {
            plane.close();
        }
    }

    @Test
    void aClusterThatComesBeforeItsTypeIsRefusedByKubectlAndAcceptedLater() throws Exception {
        var early = admin.run("apply", "--filename=deploy/samples/lvmcluster-every-free-disk.yaml");
        assertEquals(1, early.code(), early.output());
        assertTrue(
                early.output()
                        .contains(
                                "no matches for kind \"LVMCluster\" in version"
                                        + " \"lvm.topolvm.io/v1alpha1\""),
                early.output());
        install();
        admin.succeed(
                "wait",
                "--for=condition=Established",
                "--timeout=60s",
                "customresourcedefinition/lvmclusters.lvm.topolvm.io");
        admin.succeed("apply", "--filename=deploy/samples/lvmcluster-every-free-disk.yaml");
    }

    @Safety(39)
    @Test
    void nothingGoesWhileThereIsACluster() throws Exception {
        install();
        Patience.until(
                "the sample is accepted",
                () ->
                        admin.run(
                                                "apply",
                                                "--filename=deploy/samples/lvmcluster-every-free-disk.yaml")
                                        .code()
                                == 0);
        var message =
                "LVMCluster lvmcluster still exists; delete it first, and wait until it is gone:"
                        + " kubectl delete lvmcluster lvmcluster --namespace=lvms-system";
        Patience.until("the policy holds", () -> refusal().contains(message));
        var before = admin.succeed("get", "--kustomize=deploy", "--output=name");
        var run = admin.run("delete", "--kustomize=deploy", "--wait=false");
        assertEquals(1, run.code(), run.output());
        assertEquals(
                before.lines().count(),
                run.output().lines().filter(line -> line.contains(message)).count(),
                run.output());
        assertEquals(before, admin.succeed("get", "--kustomize=deploy", "--output=name"));
        admin.succeed("delete", "lvmcluster", "lvmcluster", "--namespace=" + NAMESPACE);
        Patience.until( // the server has a cache of its own of what the policies ask about
                "everything may go",
                () -> admin.run("delete", "--kustomize=deploy", "--dry-run=server").code() == 0);
        admin.succeed("delete", "--kustomize=deploy", "--wait=false");
        admin.succeed("delete", "--kustomize=deploy/guard");
    }

    private void install() throws Exception {
        admin.succeed("apply", "--kustomize=deploy/guard");
        admin.succeed("apply", "--kustomize=deploy");
    }

    private String refusal() throws Exception {
        return admin.run("delete", "namespace", NAMESPACE, "--dry-run=server").output();
    }
}
