package lvms.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.Taint;
import lvms.k8s.object.Toleration;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Records read what older versions wrote, and give the values that are in force. */
class RecordsTests {
    private static ObjectTree tree(String json) {
        return Json.parse(json.replace('\'', '"')).asObject();
    }

    @ParameterizedTest(name = "{0} with {1} mirrors and {2} stripes needs {3} devices")
    @CsvSource({
        "raid1,,,2",
        "raid1,2,,3",
        "raid4,,,3",
        "raid5,,,3",
        "raid5,,3,4",
        "raid6,,,5",
        "raid6,,4,6",
        "raid10,,,4",
        "raid10,2,,6"
    })
    void countsTheDevicesOfARaidLevel(String type, Integer mirrors, Integer stripes, int least) {
        var raid =
                new RaidConfig(
                        RaidType.of(type),
                        mirrors == null ? OptionalInt.empty() : OptionalInt.of(mirrors),
                        stripes == null ? OptionalInt.empty() : OptionalInt.of(stripes),
                        Optional.empty());
        assertEquals(least, raid.minimumDevices());
    }

    @Test
    void aPoolFromBeforeTheSizeFieldsHasTheirDefaults() {
        var pool = ThinPoolConfig.of(tree("{'name':'p','overprovisionRatio':10}"));
        assertEquals(90, pool.sizePercent());
        assertEquals(Optional.of(Quantity.parse("128Ki")), pool.effectiveChunkSize());
        assertEquals(Optional.empty(), pool.effectiveMetadataSize());
    }

    @Test
    void aStaticMetadataSizeThatIsUnsetIsOneGibibyte() {
        var pool =
                ThinPoolConfig.of(
                        tree(
                                "{'name':'p','overprovisionRatio':1,"
                                        + "'metadataSizeCalculationPolicy':'Static'}"));
        assertEquals(Optional.of(Quantity.parse("1Gi")), pool.effectiveMetadataSize());
    }

    @Test
    void anUnsetDiscoveryPolicyOfAnOldObjectMeansDynamic() {
        var spec = LvmVolumeGroup.Spec.of(ObjectTree.EMPTY);
        assertEquals(EffectiveDiscovery.RUNTIME_DYNAMIC, spec.group().effectiveDiscovery());
    }

    @Test
    void pathsWinOverTheDiscoveryPolicy() {
        var spec =
                LvmVolumeGroup.Spec.of(
                        tree(
                                "{'deviceDiscoveryPolicy':'Dynamic',"
                                        + "'deviceSelector':{'optionalPaths':['/dev/sda']}}"));
        assertEquals(EffectiveDiscovery.PRECONFIGURED, spec.group().effectiveDiscovery());
    }

    @Test
    void forceWipeThatIsUnsetIsNotTheSameAsFalse() {
        var unset = DeviceSelector.of(tree("{'paths':['/dev/sda']}"));
        var off =
                DeviceSelector.of(
                        tree("{'paths':['/dev/sda'],'forceWipeDevicesAndDestroyAllData':false}"));
        assertFalse(unset.equals(off));
        assertEquals(off, DeviceSelector.of(off.json()));
    }

    @ParameterizedTest
    @CsvSource({"5,5", "'\"NOT_FOUND\"',5", "'\"NO_SUCH_CODE\"',2", "0,0"})
    void readsTheCodeOfAVolumeAsNumberOrName(String json, int code) {
        var volume = LogicalVolume.of(KubeObject.of(tree("{'status':{'code':" + json + "}}")));
        assertEquals(code, volume.status().code().number());
    }

    @Test
    void aNewVolumeIsNamedLikeItsObjectAndLeavesEmptyFieldsOut() {
        var spec = new LogicalVolume.Spec("pvc-1", "n1", Quantity.ofBytes(1 << 30), "", "", "", "");
        var object = LogicalVolume.create(Driver.TOPOLVM, spec, Map.of());
        assertEquals(
                tree(
                        "{'apiVersion':'topolvm.io/v1','kind':'LogicalVolume',"
                                + "'metadata':{'name':'pvc-1','finalizers':["
                                + "'topolvm.io/logicalvolume'],"
                                + "'labels':{'app.kubernetes.io/created-by':'topolvm-controller'}},"
                                + "'spec':{'name':'pvc-1','nodeName':'n1','size':'1Gi'}}"),
                object.json());
        assertEquals(spec, LogicalVolume.of(object).spec());
    }

    @Test
    void findsTheNodesThatStillHoldAVolumeGroup() {
        var group =
                LvmVolumeGroup.of(
                        KubeObject.of(
                                tree(
                                        "{'metadata':{'finalizers':["
                                                + "'cleanup.vgmanager.node.topolvm.io/n1',"
                                                + "'example.com/x'],'annotations':{"
                                                + "'wiped.devices.lvms.openshift.io/n1':'y'}}}")));
        assertEquals(List.of("n1"), group.nodesWithFinalizer());
        assertTrue(group.wipedOn("n1"));
        assertFalse(group.wipedOn("n2"));
    }

    @Test
    void aClassForAllNodesMakesTheClusterOneForAllNodes() {
        var cluster =
                LvmCluster.of(
                        KubeObject.of(
                                tree(
                                        "{'spec':{'storage':{'deviceClasses':[{'name':'a'},"
                                                + "{'name':'b','nodeSelector':{'nodeSelectorTerms':"
                                                + "[{'matchFields':[{'key':'metadata.name',"
                                                + "'operator':'In','values':['n1']}]}]}}]}}}")));
        assertEquals(Optional.empty(), cluster.nodeSelector());
        var onlyB = cluster.withDeviceClasses(cluster.deviceClasses().subList(1, 2));
        assertTrue(
                onlyB.nodeSelector()
                        .orElseThrow()
                        .matches(KubeObject.of(tree("{'metadata':{'name':'n1'}}"))));
    }

    @Test
    void aPolicyThatDoesNotExistIsRefused() {
        var failure =
                assertThrows(IllegalArgumentException.class, () -> DiscoveryPolicy.of("Maybe"));
        assertEquals("DiscoveryPolicy: unknown value \"Maybe\"", failure.getMessage());
    }

    @ParameterizedTest(name = "{0} {1} against taint value {2}: {3}")
    @CsvSource({
        "Equal,5,5,true",
        "Equal,5,6,false",
        "'',5,5,true",
        "Exists,'',9,true",
        "Gt,5,6,true",
        "Gt,5,5,false",
        "Lt,5,4,true",
        "Lt,5,x,false",
        "Gt,x,4,false"
    })
    void toleratesByOperator(String operator, String value, String taint, boolean tolerated) {
        var toleration = new Toleration("k", operator, value, "", Optional.empty());
        assertEquals(tolerated, toleration.tolerates(new Taint("k", taint, "NoSchedule")));
    }
}
