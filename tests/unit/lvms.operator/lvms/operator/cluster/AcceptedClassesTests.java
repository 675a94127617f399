package lvms.operator.cluster;

import static lvms.operator.cluster.Clusters.cluster;
import static lvms.operator.cluster.Clusters.object;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.DeviceClass;
import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;
import lvms.k8s.object.KubeObject;
import lvms.operator.cluster.rule.ClusterRules;
import lvms.operator.unit.StorageClassUnit;
import lvms.operator.unit.VolumeGroupUnit;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What was made of a spec tells what the spec was. */
class AcceptedClassesTests {
    private static final LvmCluster FULL =
            cluster(
                    "{'name':'b','default':true,'fstype':'ext4',"
                            + "'deviceSelector':{'paths':['/dev/a'],"
                            + "'forceWipeDevicesAndDestroyAllData':false},"
                            + "'nodeSelector':{'nodeSelectorTerms':[{'matchExpressions':"
                            + "[{'key':'zone','operator':'In','values':['x']}]}]},"
                            + "'thinPoolConfig':{'name':'p','overprovisionRatio':5,"
                            + "'chunkSize':'256Ki'},"
                            + "'storageClassOptions':{'reclaimPolicy':'Retain',"
                            + "'volumeBindingMode':'Immediate',"
                            + "'additionalParameters':{'k':'v'},'additionalLabels':{'l':'m'}}}",
                    "{'name':'a','deviceDiscoveryPolicy':'Dynamic',"
                            + "'deviceSelector':{'optionalPaths':['/dev/b','/dev/c']},"
                            + "'raidConfig':{'type':'raid1'}}");

    private static Function<String, Optional<KubeObject>> storageClasses(LvmCluster cluster) {
        var byName =
                StorageClassUnit.desired(cluster, List.of()).stream()
                        .collect(Collectors.toMap(KubeObject::name, Function.identity()));
        return name -> Optional.ofNullable(byName.get(name));
    }

    private static List<LvmVolumeGroup> groups(LvmCluster cluster) {
        return VolumeGroupUnit.desired(cluster, _ -> Optional.empty()).stream()
                .map(LvmVolumeGroup::of)
                .toList();
    }

    @Test
    void everyFieldComesBack() {
        var accepted = AcceptedClasses.of(groups(FULL), storageClasses(FULL), FULL);
        assertEquals(
                FULL.deviceClasses().stream().map(AcceptedClassesTests::effective).toList(),
                accepted);
    }

    // Options that were never written come back as the defaults they stand for.
    private static DeviceClass effective(DeviceClass c) {
        return new DeviceClass(
                c.name(), c.isDefault(), c.fstype(), c.group(), Optional.of(c.effectiveOptions()));
    }

    @Test
    void theSameSpecIsNoChange() {
        var accepted = AcceptedClasses.of(groups(FULL), storageClasses(FULL), FULL);
        assertEquals(List.of(), ClusterRules.update(accepted, FULL.deviceClasses()).errors());
    }

    @Test
    void aStorageClassDeletedByHandIsNoChange() {
        var accepted = AcceptedClasses.of(groups(FULL), _ -> Optional.empty(), FULL);
        assertEquals(FULL.deviceClasses().getFirst().options(), accepted.getFirst().options());
        assertEquals("ext4", accepted.getFirst().fstype());
    }

    @Test
    void theOnlyClassIsNotTheDefaultUnlessItsSpecSaidSo() {
        var plain = cluster("{'name':'a'}");
        assertFalse(
                AcceptedClasses.of(groups(plain), storageClasses(plain), plain)
                        .getFirst()
                        .isDefault());
        var chosen = cluster("{'name':'a','default':true}");
        assertTrue(
                AcceptedClasses.of(groups(chosen), storageClasses(chosen), chosen)
                        .getFirst()
                        .isDefault());
    }

    @Test
    void aClassThatIsGoingWasGivenUp() {
        var going =
                LvmVolumeGroup.of(
                        object(
                                "{'metadata':{'name':'a',"
                                        + "'deletionTimestamp':'2026-01-02T03:04:05Z'}}"));
        assertEquals(
                List.of(), AcceptedClasses.of(List.of(going), _ -> Optional.empty(), cluster()));
    }
}
