package lvms.operator.provision;

import static lvms.operator.provision.Objects.claim;
import static lvms.operator.provision.Objects.object;
import static lvms.operator.provision.Objects.storageClass;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.api.VolumeException;
import lvms.k8s.object.KubeObject;
import lvms.operator.backend.BegunVolume;
import lvms.operator.claim.Claim;
import lvms.operator.claim.StorageClass;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** A PersistentVolume says what external-provisioner would have said, and its class decides how. */
class VolumeContentTests {
    private static final String SECRET = "csi.storage.k8s.io/node-stage-secret-";

    private static KubeObject content(Claim claim, StorageClass storageClass) throws Exception {
        var volume =
                LogicalVolume.tolerant(
                        object(
                                "{'metadata':{'name':'pvc-u-1'},'spec':{'nodeName':'n1','size':'1Gi'},"
                                    + "'status':{'volumeID':'lv-1','currentSize':'1028Mi'}}"));
        var parameters = ClassParameters.of(storageClass, claim, Driver.TOPOLVM);
        return VolumeContent.of(
                Driver.TOPOLVM,
                claim,
                storageClass,
                parameters,
                BegunVolume.of(volume, Driver.TOPOLVM),
                "n1",
                "1-2-topolvm.io");
    }

    @Test
    void writesEveryFieldOfTheContract() throws Exception {
        var storageClass =
                storageClass(
                        ",'mountOptions':['noatime'],'parameters':"
                                + "{'csi.storage.k8s.io/fstype':'xfs'}");
        var expected =
                object(
                        "{'apiVersion':'v1','kind':'PersistentVolume','metadata':{'name':'pvc-u-1',"
                            + "'annotations':{'pv.kubernetes.io/provisioned-by':'topolvm.io',"
                            + "'volume.kubernetes.io/provisioner-deletion-secret-name':'',"
                            + "'volume.kubernetes.io/provisioner-deletion-secret-namespace':''},"
                            + "'finalizers':["
                            + "'external-provisioner.volume.kubernetes.io/finalizer']},"
                            + "'spec':{'accessModes':['ReadWriteOnce'],'capacity':{"
                            + "'storage':'1028Mi'},"
                            + "'claimRef':{'kind':'PersistentVolumeClaim','apiVersion':'v1',"
                            + "'namespace':'app','name':'data','uid':'u-1','resourceVersion':'7'},"
                            + "'persistentVolumeReclaimPolicy':'Delete','storageClassName':'fast',"
                            + "'volumeMode':'Filesystem','nodeAffinity':{'required':"
                            + "{'nodeSelectorTerms':[{'matchExpressions':[{'key':"
                            + "'topology.topolvm.io/node','operator':'In','values':['n1']}]}]}},"
                            + "'csi':{'driver':'topolvm.io','volumeHandle':'lv-1','fsType':'xfs',"
                            + "'volumeAttributes':{'storage.kubernetes.io/csiProvisionerIdentity':"
                            + "'1-2-topolvm.io'}},'mountOptions':['noatime']}}");
        assertEquals(expected, content(claim("", ""), storageClass));
    }

    @Test
    void aVolumeOfAnLvmClusterNamesItsNodeInALabel() throws Exception {
        var label = "kubernetes.io/hostname";
        var ofCluster =
                StorageClass.of(
                        object(
                                "{'metadata':{'name':'lvms-fast','uid':'c-1'},'provisioner':'topolvm.io'}"));
        assertEquals(Map.of(label, "n1"), content(claim("", ""), ofCluster).labels());
        assertEquals(Map.of(), content(claim("", ""), storageClass("")).labels());
    }

    @Test
    void namesTheGroupAndTheNodeThatHaveTheVolume() throws Exception {
        var volume =
                LogicalVolume.tolerant(
                        object(
                                "{'metadata':{'name':'pvc-u-1'},'spec':{'nodeName':'n1','size':'1Gi'},"
                                    + "'status':{'volumeID':'lv-1','currentSize':'1Gi',"
                                    + "'volumeGroupUUID':'A','nodeUID':'N'}}"));
        var storageClass = storageClass("");
        var content =
                VolumeContent.of(
                        Driver.TOPOLVM,
                        claim("", ""),
                        storageClass,
                        ClassParameters.of(storageClass, claim("", ""), Driver.TOPOLVM),
                        BegunVolume.of(volume, Driver.TOPOLVM),
                        "n1",
                        "run");
        var attributes = content.textMap("spec", "csi", "volumeAttributes");
        assertEquals("A", attributes.get("lvms.topolvm.io/volume-group-uuid"));
        assertEquals("N", attributes.get("lvms.topolvm.io/node-uid"));
    }

    @Test
    void theNodeLearnsHowToMakeTheFilesystemFromTheVolume() throws Exception {
        var key = "lvms.topolvm.io/mkfs-options";
        var storageClass = storageClass(",'parameters':{'" + key + "':'-b 1024'}");
        var mounted = content(claim("", ""), storageClass);
        assertEquals("-b 1024", mounted.textMap("spec", "csi", "volumeAttributes").get(key));
        var raw = content(claim("", ",'volumeMode':'Block'"), storageClass);
        assertFalse(raw.textMap("spec", "csi", "volumeAttributes").containsKey(key));
    }

    @Test
    void aRawDeviceHasNoFilesystem() throws Exception {
        var storageClass = storageClass(",'parameters':{'fsType':'xfs'}");
        var content = content(claim("", ",'volumeMode':'Block'"), storageClass);
        assertEquals("Block", content.text("spec", "volumeMode").orElseThrow());
        assertTrue(content.text("spec", "csi", "fsType").isEmpty());
    }

    @Test
    void whatIsRetainedHasNoFinalizer() throws Exception {
        var content = content(claim("", ""), storageClass(",'reclaimPolicy':'Retain'"));
        assertTrue(content.finalizers().isEmpty());
    }

    @Test
    void secretsAreNamedByTemplates() throws Exception {
        var named =
                new StorageClass(
                        "fast",
                        "c-1",
                        "topolvm.io",
                        Map.of(
                                SECRET + "name",
                                "${pvc.name}-${pvc.annotations['team']}",
                                SECRET + "namespace",
                                "${pvc.namespace}"),
                        "Delete",
                        List.of(),
                        false,
                        List.of());
        var content = content(claim("'team':'blue'", ""), named);
        var reference = content.textMap("spec", "csi", "nodeStageSecretRef");
        assertEquals("data-blue", reference.get("name"));
        assertEquals("app", reference.get("namespace"));
        assertEquals(Set.of("team"), ClassParameters.annotations(named));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'csi.storage.k8s.io/unheard-of':'x'",
                "'csi.storage.k8s.io/fstype':'xfs','fstype':'ext4'",
                "'csi.storage.k8s.io/node-stage-secret-name':'x'",
                "'csi.storage.k8s.io/secret-name':'${x}','csi.storage.k8s.io/secret-namespace':'y'",
                "'csi.storage.k8s.io/secret-name':'x','csi.storage.k8s.io/secret-namespace':'A b'",
                "'csi.storage.k8s.io/secret-name':'x',"
                        + "'csi.storage.k8s.io/secret-namespace':'${pvc.name}'"
            })
    void refusesParametersThatNobodyCouldObey(String parameters) {
        var storageClass = storageClass(",'parameters':{" + parameters + "}");
        assertThrows(
                VolumeException.class,
                () -> ClassParameters.of(storageClass, claim("", ""), Driver.TOPOLVM));
    }
}
