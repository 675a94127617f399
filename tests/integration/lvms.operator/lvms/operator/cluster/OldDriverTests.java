package lvms.operator.cluster;

import static lvms.operator.cluster.Site.NAMESPACE;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.api.Names;
import lvms.api.nativestor.TopolvmCluster;
import lvms.k8s.client.ApiException;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.tests.runner.Lasts;
import lvms.tests.server.Definitions;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** NativeStor's switches, and the driver by whose name its users call their volumes. */
@Lasts(seconds = 25)
class OldDriverTests extends TopolvmClusterCase {
    private static final ObjectKey OLD = ObjectKey.cluster("topolvm.cybozu.com");
    private static final ObjectKey RAW = ObjectKey.cluster("nativestor.alauda.io");
    private static final ObjectKey STORAGE_CLASS = ObjectKey.cluster("topolvm");
    private static final ObjectKey SETTING = ObjectKey.of(NAMESPACE, "nativestor-setting");

    private void storageClass() throws Exception {
        site.createObject(
                Types.STORAGE_CLASS,
                STORAGE_CLASS,
                "{'provisioner':'topolvm.cybozu.com','parameters':{"
                        + "'topolvm.cybozu.com/device-class':'fast'}}");
    }

    private void setting(String data) throws Exception {
        site.createObject(Types.CONFIG_MAP, SETTING, "{'data':{" + data + "}}");
    }

    private void awaitCommand(String word, boolean there) throws Exception {
        site.awaitObject(
                Types.DAEMON_SET, AGENT, d -> d.toJson().contains("\"" + word + "\"") == there);
    }

    private void start() throws Exception {
        site.node("n1");
        site.startOperator();
        create(NAME, EVERYTHING);
        awaitGroup("fast", "");
    }

    @Test
    void theOldDriverIsThereAsAConvertedOneAndTheAgentsStartWithIt() throws Exception {
        start();
        var driver = site.awaitObject(Types.CSI_DRIVER, OLD, _ -> true);
        assertTrue(Drivers.isConverted(driver));
        assertEquals(Optional.of(false), driver.flag("spec", "attachRequired"));
        assertEquals(Optional.of(true), driver.flag("spec", "podInfoOnMount"));
        assertEquals(Optional.of(true), driver.flag("spec", "storageCapacity"));
        var agents = site.awaitObject(Types.DAEMON_SET, AGENT, _ -> true);
        assertEquals(
                Optional.of("topolvm.cybozu.com"),
                agents.text(
                        "spec", "template", "metadata", "annotations", "topolvm.io/old-driver"));
        assertEquals(1, agents.generation(), "agents start once");
        awaitCommand("--discover-devices", true);
        awaitCommand("--raw-devices", false);
    }

    /** Lets the CSIDriver be another installation's; returns whether it was already. */
    private boolean takeOldDriver() throws Exception {
        var now = site.kube.get(Types.CSI_DRIVER, OLD);
        if (!Drivers.isConverted(now)) {
            return true;
        }
        try {
            site.kube
                    .withFieldManager("theirs")
                    .replace(
                            Types.CSI_DRIVER,
                            now.without("metadata", "annotations").without("metadata", "labels"));
        } catch (ApiException.Conflict _) {
            return false; // the operator was faster
        }
        return false;
    }

    /** As when somebody installs NativeStor or an old TopoLVM beside a TopolvmCluster. */
    @Test
    void whoeverServesTheOldNameLaterIsLeftAloneToo() throws Exception {
        start();
        site.awaitObject(Types.CSI_DRIVER, OLD, Drivers::isConverted);
        assertEquals(0, site.ends());
        // A pass that is under way may write ours once more.
        Site.await("the operator sees theirs", () -> takeOldDriver() && site.ends() > 0);
        var message = awaitReason(NAME, Names.CONDITION_RESOURCES, "DriverConflict");
        assertTrue(message.contains("lvms takeover"), message);
        site.awaitEvent(NAME.name(), "DriverConflict");
        var left = site.kube.get(Types.CSI_DRIVER, OLD);
        assertFalse(Drivers.isConverted(left));
        assertEquals(1, site.groups().size(), "what was accepted stays");
        site.stopOperator();
        assertEquals(Drivers.of(Driver.TOPOLVM), Drivers.servedAfterNativeStor(site.kube));
        site.startOperator();
        awaitReason(NAME, Names.CONDITION_RESOURCES, "DriverConflict");
        assertEquals(
                left.resourceVersion(), site.kube.get(Types.CSI_DRIVER, OLD).resourceVersion());
    }

    @Test
    void whoeverServesTheOldNameIsLeftAlone() throws Exception {
        site.createObject(Types.CSI_DRIVER, OLD, "{'spec':{'attachRequired':false}}");
        assertEquals(
                Drivers.of(Driver.TOPOLVM), Drivers.servedAfterNativeStor(site.kube), "no claim");
        site.node("n1");
        site.startOperator();
        create(NAME, EVERYTHING);
        var message = awaitReason(NAME, Names.CONDITION_RESOURCES, "DriverConflict");
        assertTrue(message.contains("lvms takeover"), message);
        site.awaitEvent(NAME.name(), "DriverConflict");
        awaitMetric("topolvm_health_cluster_status{cluster_name=\"topolvm\"} 1", true);
        assertEquals(List.of(), site.groups());
        assertFalse(site.kube.find(Types.DAEMON_SET, AGENT).isPresent());
        assertFalse(Drivers.isConverted(site.kube.get(Types.CSI_DRIVER, OLD)));

        site.delete(Types.CSI_DRIVER, OLD);
        var then = awaitMessage(NAME, Names.CONDITION_RESOURCES, "DriverConflict", "restart");
        assertTrue(then.endsWith("restart Deployment lvms-operator"), then);
        assertEquals(
                Drivers.of(Driver.TOPOLVM, Driver.CONVERTED),
                Drivers.servedAfterNativeStor(site.kube));
        site.stopOperator();
        site.startOperator();
        awaitGroup("fast", "");
        assertTrue(Drivers.isConverted(site.awaitObject(Types.CSI_DRIVER, OLD, _ -> true)));
    }

    /** After a take-over from NativeStor its LogicalVolumes stay in their group. */
    @Test
    void aTakenDriverIsServedWithTheGroupThatItsMarkNames() throws Exception {
        Definitions.install(
                site.kube, Path.of("deploy/legacy/topolvm.cybozu.com_logicalvolumes.yaml"));
        site.createObject(
                Types.CSI_DRIVER,
                OLD,
                "{'metadata':{'name':'topolvm.cybozu.com','annotations':{"
                        + "'topolvm.io/logicalvolumes-in':'topolvm.cybozu.com'}},"
                        + "'spec':{'attachRequired':false,"
                        + "'volumeLifecycleModes':['Persistent','Ephemeral']}}");
        var before = site.kube.get(Types.CSI_DRIVER, OLD);
        assertEquals(
                Drivers.of(Driver.TOPOLVM, Driver.LEGACY),
                Drivers.servedAfterNativeStor(site.kube));
        start();
        var agents = site.awaitObject(Types.DAEMON_SET, AGENT, _ -> true);
        assertTrue(agents.toJson().contains("topolvm.io/old-driver"));
        assertEquals(before, site.kube.get(Types.CSI_DRIVER, OLD));

        site.delete(Types.CSI_DRIVER, OLD);
        var again = site.awaitObject(Types.CSI_DRIVER, OLD, d -> !d.uid().equals(before.uid()));
        assertEquals(Optional.of(Driver.LEGACY), Drivers.marked(again));
    }

    /** Volumes and classes outlive a cluster, and a later one finds them. */
    @Test
    void theOldDriverStaysWhileSomethingNamesIt() throws Exception {
        start();
        var driver = site.awaitObject(Types.CSI_DRIVER, OLD, _ -> true);
        storageClass();
        site.unregister("n1");
        deleteCluster();
        assertEquals(driver.uid(), site.kube.get(Types.CSI_DRIVER, OLD).uid());

        create(NAME, EVERYTHING);
        awaitGroup("fast", "");
        assertEquals(driver.uid(), site.kube.get(Types.CSI_DRIVER, OLD).uid());
        deleteCluster();
        assertEquals(driver.uid(), site.kube.get(Types.CSI_DRIVER, OLD).uid());
        site.delete(Types.STORAGE_CLASS, STORAGE_CLASS);
        site.awaitGone(Types.CSI_DRIVER, OLD);
    }

    private void deleteCluster() throws Exception {
        site.delete(TopolvmCluster.TYPE, NAME);
        site.awaitGone(TopolvmCluster.TYPE, NAME);
    }

    @Test
    void switchingTopolvmOffIsRefusedWhileItIsUsed() throws Exception {
        storageClass();
        start();
        site.awaitObject(Types.CSI_DRIVER, OLD, _ -> true);
        setting("'TOPOLVM_ENABLE':'false'");
        var refused = site.awaitEvent(SETTING.name(), "SettingRefused");
        assertEquals(
                Optional.of(
                        "TOPOLVM_ENABLE counts as true while CSIDriver topolvm.cybozu.com is used"
                                + " by StorageClass topolvm"),
                refused.text("note"));
        awaitMessage(NAME, "SettingsUnderstood", "SettingsInPart", "TOPOLVM_ENABLE counts");
        assertTrue(site.kube.find(Types.CSI_DRIVER, OLD).isPresent());
        site.delete(Types.STORAGE_CLASS, STORAGE_CLASS);
        site.awaitGone(Types.CSI_DRIVER, OLD);
        awaitReason(NAME, "SettingsUnderstood", "SettingsUnderstood");
        site.delete(Types.CONFIG_MAP, SETTING);
        site.awaitObject(Types.CSI_DRIVER, OLD, Drivers::isConverted);
    }

    @Test
    void rawDevicesAreServedUntilNobodyHasOne() throws Exception {
        start();
        assertFalse(site.kube.find(Types.CSI_DRIVER, RAW).isPresent());
        setting("'RAW_DEVICE_ENABLE':'true'");
        awaitCommand("--raw-devices", true);
        var driver = site.awaitObject(Types.CSI_DRIVER, RAW, _ -> true);
        assertEquals(Optional.of(false), driver.flag("spec", "attachRequired"));
        assertEquals(Optional.of(true), driver.flag("spec", "podInfoOnMount"));
        assertEquals(Optional.of(true), driver.flag("spec", "storageCapacity"));
        assertEquals(List.of("Persistent"), driver.list("spec", "volumeLifecycleModes").texts());
        var volume = ObjectKey.cluster("raw-1");
        site.createObject(
                Types.PV,
                volume,
                "{'spec':{'capacity':{'storage':'1Gi'},'accessModes':['ReadWriteOnce'],'csi':{"
                        + "'driver':'nativestor.alauda.io','volumeHandle':'h'}}}");
        site.delete(Types.CONFIG_MAP, SETTING);
        awaitMessage(
                NAME,
                "SettingsUnderstood",
                "SettingsInPart",
                "RAW_DEVICE_ENABLE counts as true while there are PersistentVolumes of"
                        + " nativestor.alauda.io: raw-1");
        awaitCommand("--raw-devices", true);
        assertEquals(driver.uid(), site.kube.get(Types.CSI_DRIVER, RAW).uid());
        site.delete(Types.PV, volume);
        awaitCommand("--raw-devices", false);
        site.awaitGone(Types.CSI_DRIVER, RAW);
    }

    /** Nobody else could take a device away from its pod, or erase it. */
    @Test
    void aClusterWaitsForTheVolumesOfRawDevices() throws Exception {
        start();
        setting("'RAW_DEVICE_ENABLE':'true'");
        site.awaitObject(Types.CSI_DRIVER, RAW, _ -> true);
        var volume = ObjectKey.cluster("raw-1");
        site.createObject(
                Types.PV,
                volume,
                "{'spec':{'capacity':{'storage':'1Gi'},'accessModes':['ReadWriteOnce'],'csi':{"
                        + "'driver':'nativestor.alauda.io','volumeHandle':'h'}}}");
        site.unregister("n1");
        site.delete(TopolvmCluster.TYPE, NAME);
        awaitMessage(
                NAME,
                Names.CONDITION_RESOURCES,
                "ReconciliationInProgress",
                "PersistentVolumes of nativestor.alauda.io, delete what uses them: raw-1");
        assertTrue(site.kube.find(Types.DAEMON_SET, AGENT).isPresent());
        site.delete(Types.PV, volume);
        site.awaitGone(TopolvmCluster.TYPE, NAME);
        site.awaitGone(Types.CSI_DRIVER, RAW);
    }

    @Test
    void nativestorsOwnDriverOfRawDevicesIsLeftAloneUntilItIsRemoved() throws Exception {
        site.createObject(Types.CSI_DRIVER, RAW, "{'spec':{'attachRequired':false}}");
        setting("'RAW_DEVICE_ENABLE':'true'");
        start();
        awaitMessage(
                NAME,
                Names.CONDITION_RESOURCES,
                "ResourcesSyncIncomplete",
                "CSIDriver nativestor.alauda.io belongs to another installation");
        assertFalse(isOurs(site.kube.get(Types.CSI_DRIVER, RAW)));
        site.delete(Types.CSI_DRIVER, RAW);
        assertTrue(isOurs(site.awaitObject(Types.CSI_DRIVER, RAW, _ -> true)));
    }

    private static boolean isOurs(KubeObject driver) {
        return driver.label(Names.OWNED_BY_PREFIX + "kind").isPresent();
    }

    @Test
    void aBrokenSettingIsInTheConditionToo() throws Exception {
        setting("'KUBELET_ROOT_DIR':'kubelet','TOPOLVM_IMAGE':'i'");
        start();
        var message = awaitReason(NAME, "SettingsUnderstood", "SettingsInPart");
        assertTrue(message.contains("KUBELET_ROOT_DIR: \"kubelet\" is not the absolute"), message);
        KubeObject map = site.kube.get(Types.CONFIG_MAP, SETTING);
        site.kube.replace(
                Types.CONFIG_MAP, map.with(Clusters.tree("{'TOPOLVM_IMAGE':'i'}"), "data"));
        var good = awaitReason(NAME, "SettingsUnderstood", "SettingsUnderstood");
        assertTrue(good.startsWith("without effect: TOPOLVM_IMAGE ("), good);
    }
}
