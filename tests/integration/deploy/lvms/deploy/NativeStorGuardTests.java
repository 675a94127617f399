package lvms.deploy;

import static lvms.deploy.Admin.NAMESPACE;

import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;
import lvms.tests.server.DependsOnVersion;

import org.junit.jupiter.api.Test;

/** The same where only NativeStor's objects say that there is something left. */
@DependsOnVersion("an old server has other rules about the parameters of policies")
@Lasts(seconds = 55)
class NativeStorGuardTests extends GuardCase {
    NativeStorGuardTests() {
        super("deploy/nativestor");
    }

    @Safety(39)
    @Test
    void aTopolvmClusterKeepsAllThatIsNeededToFinish() throws Exception {
        create(
                """
                apiVersion: topolvm.cybozu.com/v2
                kind: TopolvmCluster
                metadata: {name: c, namespace: lvms-system}
                spec: {topolvmVersion: x, storage: {useAllNodes: true, useAllDevices: true,
                  useLoop: false, className: ssd, volumeGroupName: data}}
                """);
        requireRefused("TopolvmCluster c still exists; delete it first, and wait until it is gone");
        admin().succeed("delete", "topolvmcluster", "c", "--namespace=" + NAMESPACE);
        requireAllowed();
    }

    @Safety(39)
    @Test
    void soDoesAVolumeOfTheOldGroup() throws Exception {
        create(
                """
                apiVersion: topolvm.cybozu.com/v1
                kind: LogicalVolume
                metadata: {name: v}
                spec: {name: v, nodeName: n1, size: 1Gi}
                """);
        requireRefused("LogicalVolume v of topolvm.cybozu.com still exists");
        admin().succeed("delete", "logicalvolumes.topolvm.cybozu.com", "v");
        requireAllowed();
    }

    @Safety(39)
    @Test
    void soDoesADiskThatAClaimHasAndAFreeOneDoesNot() throws Exception {
        create(
                """
                apiVersion: nativestor.alauda.io/v1
                kind: RawDevice
                metadata: {name: d}
                spec: {nodeName: n1, realPath: /dev/sdc, type: disk, size: 5000000000, uuid: u,
                  major: 8, minor: 32, available: true}
                """);
        requireAllowed();
        allot("d");
        requireRefused("RawDevice d has a volume; delete its claim first");
        allot("");
        requireAllowed();
    }

    /** Writes which volume has the device; empty for none. */
    private void allot(String volume) throws Exception {
        admin().succeed(
                        "patch",
                        "rawdevice",
                        "d",
                        "--subresource=status",
                        "--type=merge",
                        "--patch={\"status\":{\"name\":\"%s\"}}".formatted(volume));
    }
}
