package lvms.deploy;

import static lvms.deploy.Admin.NAMESPACE;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.k8s.testkit.ApiServer;
import lvms.k8s.testkit.Kubectl;
import lvms.tests.runner.Safety;
import lvms.tests.server.DependsOnVersion;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;

/** What is needed to finish an uninstallation cannot be deleted while there is something left. */
@DependsOnVersion("an old server has other rules about the parameters of policies")
class GuardTests {
    @TempDir private Path directory;
    private ApiServer server;
    private Admin admin;

    @BeforeEach
    void install() throws Exception {
        Assumptions.assumeTrue(Kubectl.onPath(), "kubectl is not on the path");
        server = Servers.start();
        admin = new Admin(server.kubeconfig(directory), directory);
        admin.succeed("apply", "--kustomize=deploy/guard");
        admin.succeed("apply", "--kustomize=deploy");
    }

    @AfterEach
    void stop() throws Exception {
        if (server != null) {
            server.close();
        }
    }

    private void create(String manifest) throws Exception {
        var file = Files.writeString(Files.createTempFile(directory, "m", ".yaml"), manifest);
        Patience.until(
                "the type is served", () -> admin.run("create", "--filename=" + file).code() == 0);
    }

    private String manifests() throws Exception {
        return admin.succeed("get", "--kustomize=deploy", "--output=name");
    }

    /** Everything that is named stays, and each refusal says why. */
    private void requireRefused(String why) throws Exception {
        var before = manifests();
        Patience.until("everything is refused", () -> refusals(why) == before.lines().count());
        var run = admin.run("delete", "--kustomize=deploy", "--wait=false");
        assertEquals(1, run.code(), run.output());
        assertEquals(before, manifests());
    }

    private long refusals(String why) throws Exception {
        var run = admin.run("delete", "--kustomize=deploy", "--dry-run=server");
        return run.output().lines().filter(line -> line.contains(why)).count();
    }

    private void requireAllowed() throws Exception {
        Patience.until( // the server has a cache of its own of what the policies ask about
                "everything may go",
                () -> admin.run("delete", "--kustomize=deploy", "--dry-run=server").code() == 0);
    }

    @Safety(39)
    @Test
    void anLvmClusterKeepsAllThatIsNeededToFinish() throws Exception {
        create(
                "---\n"
                    + "{apiVersion: lvm.topolvm.io/v1alpha1, kind: LVMCluster, metadata: {name: c,"
                    + " namespace: lvms-system}, spec: {storage: {deviceClasses: [{name: vg1}]}}}");
        requireRefused(
                "LVMCluster c still exists; delete it first, and wait until it is gone: kubectl"
                        + " delete lvmcluster c --namespace=lvms-system");
        admin.succeed("delete", "lvmcluster", "c", "--namespace=" + NAMESPACE);
        requireAllowed();
    }

    @Safety(39)
    @Test
    void soDoesWhatAnLvmClusterLeftBehind() throws Exception {
        create(
                "---\n"
                    + "{apiVersion: topolvm.io/v1, kind: LogicalVolume, metadata: {name: v}, spec:"
                    + " {name: v, nodeName: n1, size: 1Gi}}");
        requireRefused("LogicalVolume v still exists; delete the claims and snapshots");
        admin.succeed("delete", "logicalvolumes.topolvm.io", "v");
        create(
                "---\n"
                    + "{apiVersion: lvm.topolvm.io/v1alpha1, kind: LVMVolumeGroup, metadata: {name:"
                    + " vg1, namespace: lvms-system}, spec: {}}");
        requireRefused("LVMVolumeGroup vg1 still exists; delete the LVMClusters first");
        admin.succeed("delete", "lvmvolumegroup", "vg1", "--namespace=" + NAMESPACE);
        create(
                "---\n"
                        + "{apiVersion: lvm.topolvm.io/v1alpha1, kind: LVMVolumeGroupNodeStatus,"
                        + " metadata: {name: n1, namespace: lvms-system}}");
        requireRefused("LVMVolumeGroupNodeStatus n1 still exists; delete the LVMClusters first");
        admin.succeed("delete", "lvmvolumegroupnodestatus", "n1", "--namespace=" + NAMESPACE);
        requireAllowed();
    }

    @Safety(39)
    @Test
    void nobodyElseIsHindered() throws Exception {
        create(
                "---\n"
                    + "{apiVersion: lvm.topolvm.io/v1alpha1, kind: LVMCluster, metadata: {name: c,"
                    + " namespace: lvms-system}, spec: {storage: {deviceClasses: [{name: vg1}]}}}");
        Patience.until(
                "the policy holds",
                () -> admin.run("delete", "namespace", NAMESPACE, "--dry-run=server").code() != 0);
        admin.succeed("create", "namespace", "other");
        for (var account : new String[] {"vg-manager", "someone"}) {
            admin.succeed("create", "serviceaccount", account, "--namespace=other");
            admin.succeed("delete", "serviceaccount", account, "--namespace=other");
        }
        admin.succeed("create", "serviceaccount", "someone", "--namespace=" + NAMESPACE);
        admin.succeed("delete", "serviceaccount", "someone", "--namespace=" + NAMESPACE);
        admin.succeed("delete", "namespace", "other", "--wait=false");
        admin.succeed("delete", "lvmcluster", "c", "--namespace=" + NAMESPACE);
    }
}
