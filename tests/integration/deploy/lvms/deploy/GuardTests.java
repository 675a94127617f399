package lvms.deploy;

import static lvms.deploy.Admin.NAMESPACE;

import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;
import lvms.tests.server.DependsOnVersion;

import org.junit.jupiter.api.Test;

/** What is needed to finish an uninstallation cannot be deleted while there is something left. */
@DependsOnVersion("an old server has other rules about the parameters of policies")
@Lasts(seconds = 60)
class GuardTests extends GuardCase {
    GuardTests() {
        super("deploy");
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
        admin().succeed("delete", "lvmcluster", "c", "--namespace=" + NAMESPACE);
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
        admin().succeed("delete", "logicalvolumes.topolvm.io", "v");
        create(
                "---\n"
                    + "{apiVersion: lvm.topolvm.io/v1alpha1, kind: LVMVolumeGroup, metadata: {name:"
                    + " vg1, namespace: lvms-system}, spec: {}}");
        requireRefused("LVMVolumeGroup vg1 still exists; delete the LVMClusters first");
        admin().succeed("delete", "lvmvolumegroup", "vg1", "--namespace=" + NAMESPACE);
        create(
                "---\n"
                        + "{apiVersion: lvm.topolvm.io/v1alpha1, kind: LVMVolumeGroupNodeStatus,"
                        + " metadata: {name: n1, namespace: lvms-system}}");
        requireRefused("LVMVolumeGroupNodeStatus n1 still exists; delete the LVMClusters first");
        admin().succeed("delete", "lvmvolumegroupnodestatus", "n1", "--namespace=" + NAMESPACE);
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
                () ->
                        admin().run("delete", "namespace", NAMESPACE, "--dry-run=server").code()
                                != 0);
        admin().succeed("create", "namespace", "other");
        for (var account : new String[] {"vg-manager", "someone"}) {
            admin().succeed("create", "serviceaccount", account, "--namespace=other");
            admin().succeed("delete", "serviceaccount", account, "--namespace=other");
        }
        admin().succeed("create", "serviceaccount", "someone", "--namespace=" + NAMESPACE);
        admin().succeed("delete", "serviceaccount", "someone", "--namespace=" + NAMESPACE);
        admin().succeed("delete", "namespace", "other", "--wait=false");
        admin().succeed("delete", "lvmcluster", "c", "--namespace=" + NAMESPACE);
    }
}
